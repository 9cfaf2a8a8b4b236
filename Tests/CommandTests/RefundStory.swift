import Encodings
import Foundation
import SampleStore

/// Claims and what Apple told the company's server about the same purchases, for one test.
struct RefundStory {
    let export: TestExport
    let authority: TokenAuthority
    /// Lines of NDJSON.
    var claims: [String] = []
    /// Lines of tokens.
    var told: [String] = []

    init() throws {
        (export, authority) = (try TestExport(), try TokenAuthority())
        try export.write(authority.root.certificate, to: "tokens.cer")
    }

    /// A purchase as a transaction shows it, bought on 1 March 2026 and signed a day later.
    static func purchase(_ id: Int = 1, product: String = "gold", expires: Instant? = nil) -> TransactionContent {
        var transaction = TransactionContent(
            expires == nil ? .nonConsumable : .autoRenewable, bundleID: "com.example.notes", productID: product,
            transactionID: "46000000000000\(id)", purchasedAt: .utc(2026, 3, 1))
        (transaction.expiresAt, transaction.signedAt) = (expires, .utc(2026, 3, 2))
        return transaction
    }

    /// Adds a claim that presents a token.
    mutating func claim(
        _ transaction: TransactionContent, by other: TokenAuthority? = nil, _ fields: [String: String] = [:]
    ) throws {
        try addClaim(try (other ?? authority).token(transaction).text, fields)
    }

    /// Adds a claim that presents a receipt.
    mutating func claim(_ purchases: [PurchaseContent], created: Instant, _ fields: [String: String] = [:]) throws {
        var content = ReceiptContent(bundleID: "com.example.notes", device: TestExport.phone, createdAt: created)
        content.purchases = purchases
        try addClaim(Data(try TestExport.receipt(content)).base64EncodedString(), fields)
    }

    private mutating func addClaim(_ proof: String, _ fields: [String: String]) throws {
        var fields = fields
        fields["receipt_data"] = proof
        let json = try JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys])
        claims.append(String(decoding: json, as: UTF8.self))
    }

    /// Adds a notification about a purchase, signed when the transaction inside it is.
    mutating func tell(
        _ type: String, subtype: String? = nil, _ transaction: TransactionContent, by other: TokenAuthority? = nil,
        reason: String? = nil
    ) throws {
        let authority = other ?? authority
        let data = NotificationData(bundleID: "com.example.notes").with {
            $0.environment = transaction.environment ?? "Production"
            $0.signedTransaction = try? authority.token(transaction).text
            $0.consumptionRequestReason = reason
        }
        let notification = NotificationContent(
            type, subtype: subtype, uuid: "u\(told.count)", body: .data(data), signedAt: transaction.signedAt)
        told.append(try authority.token(notification).text)
    }

    /// Adds a notification of a refund on a day of March.
    mutating func tellRefund(_ id: Int = 1, product: String = "gold", on day: Int) throws {
        try tell(
            "REFUND",
            Self.purchase(id, product: product).with {
                ($0.revokedAt, $0.signedAt) = (.utc(2026, 3, day), .utc(2026, 3, day + 1))
            })
    }

    /// Writes claims and evidence to files.
    func write() throws {
        try export.write(claims.map { $0 + "\n" }.joined(), to: "claims.ndjson")
        try export.write(told.map { $0 + "\n" }.joined(), to: "told.jws")
    }

    /// The options of every command.
    var options: [String] {
        ["--root", export.root, "--root", export.path("tokens.cer")]
    }

    /// Runs an audit, and returns rows of a table.
    func rows(
        of table: String = "fraud", asOf: String = "2026-04-20", withEvidence: Bool = true, _ more: String...
    ) throws -> [[String: String]] {
        try rows(of: table, asOf: asOf, withEvidence: withEvidence, with: more)
    }

    func rows(
        of table: String = "fraud", asOf: String = "2026-04-20", withEvidence: Bool = true, with more: [String]
    ) throws -> [[String: String]] {
        let evidence = withEvidence ? ["--evidence", export.path("told.jws")] : []
        return try run(of: table, asOf: asOf, with: ["--quiet"] + evidence + more).rows
    }

    /// Runs an audit, without the evidence.
    func run(of table: String, asOf: String = "2026-04-20", with more: [String]) throws -> AuditProcess {
        try write()
        let run = try AuditProcess(
            ["run", export.path("claims.ndjson"), "--as-of", asOf, "--report", "\(table)=-"] + options + more)
        // 3: most claims are presented later than the date of the audit.
        guard [0, 3].contains(run.exitCode) else { throw StoryError(messages: run.messages) }
        return run
    }

    /// The findings of one rule.
    func findings(_ rule: String, asOf: String = "2026-04-20") throws -> [[String: String]] {
        try rows(asOf: asOf).filter { $0["rule"] == rule }
    }
}

struct StoryError: Error {
    let messages: String
}
