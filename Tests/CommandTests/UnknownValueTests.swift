import Encodings
import SampleStore
import Testing

/// A run's messages about values that the App Store writes and this version does not know.
struct `An unknown value in a run` {
    private static let asOf = "2026-03-20"
    private let authority: TokenAuthority
    private let export: TestExport

    init() throws {
        (authority, export) = (try TokenAuthority(), try TestExport())
        try export.write(authority.root.certificate, to: "root.cer")
    }

    private func transaction(_ id: String, _ change: (inout TransactionContent) -> Void = { _ in })
        -> TransactionContent
    {
        var content = TransactionContent(
            .autoRenewable, bundleID: "com.example.notes", productID: "month", transactionID: id,
            purchasedAt: .utc(2026, 3, 1)
        ).with { ($0.expiresAt, $0.signedAt) = (.utc(2026, 4, 1), .utc(2026, 3, 2)) }
        change(&content)
        return content
    }

    private func write(claims: [TransactionContent], evidence: [NotificationContent] = []) throws {
        let lines = try claims.map { "{\"receipt_data\":\"\(try authority.token($0).text)\"}\n" }
        try export.write(lines.joined(), to: "claims.ndjson")
        try export.write(try evidence.map { try authority.token($0).text + "\n" }.joined(), to: "evidence.txt")
    }

    private func run(_ arguments: String...) throws -> AuditProcess {
        try AuditProcess(
            [
                "run", export.path("claims.ndjson"), "--evidence", export.path("evidence.txt"), "--root",
                export.path("root.cer"), "--as-of", Self.asOf, "--allow-empty",
            ] + arguments)
    }

    private func unknown(_ run: AuditProcess) -> [[String?]] {
        run.rows.filter { $0["section"] == "unknown" }.map { [$0["item"], $0["measure"], $0["value"]] }
    }

    private func notification(_ type: String, subtype: String? = nil, of inside: TransactionContent) throws
        -> NotificationContent
    {
        let token = try authority.token(inside).text
        let data = NotificationData(bundleID: "com.example.notes").with { $0.signedTransaction = token }
        return NotificationContent(
            type, subtype: subtype, uuid: "u-\(type)", body: .data(data), signedAt: .utc(2026, 3, 10))
    }

    @Test func `is counted over claims and evidence, once in each token`() throws {
        let seat = transaction("1") {
            ($0.revokedAt, $0.revocationType, $0.signedAt) = (.utc(2026, 3, 9), "ASSIGNMENT_REVOKE", .utc(2026, 3, 9))
            $0.edits = [.add("new", .number(1))]
        }
        try write(
            claims: [seat, seat, transaction("2")],
            evidence: [try notification("SEAT_TAKEN", of: seat), try notification("REFUND", subtype: "PART", of: seat)])
        let expected = [
            ["transaction;revocationType;ASSIGNMENT_REVOKE", "tokens", "4"],
            ["transaction;revocationType;ASSIGNMENT_REVOKE", "decisive", "4"],
            ["notification;subtype;PART", "tokens", "1"], ["notification;subtype;PART", "decisive", "1"],
            ["transaction;new", "tokens", "4"], ["notification;notificationType;SEAT_TAKEN", "tokens", "1"],
        ]
        #expect(unknown(try run("--report", "summary=-")) == expected)
        let state = ["--state", export.path("ledger"), "--report"]
        for night in ["a", "b"] {
            let again = try run(state[0], state[1], state[2], "summary=" + export.path(night + ".csv"))
            #expect(again.exitCode == 0)
        }
        #expect(export.text(of: "a.csv") == export.text(of: "b.csv"))
    }

    @Test func `is told of a quiet run only where a known one decides money or access`() throws {
        try write(claims: [transaction("1") { $0.ownership = "RENTED" }, transaction("2") { $0.reason = "GIFT" }])
        let quiet = try run("--quiet", "--report", export.path("out.csv"))
        #expect(
            quiet.messages.contains(
                "inAppOwnershipType “RENTED” (transaction) in 1 token: this version does not know it"))
        #expect(!quiet.messages.contains("GIFT") && !quiet.messages.contains("section unknown"))
        let loud = try run("--report", export.path("out.csv"))
        #expect(loud.messages.contains("this version does not know a member or value of tokens: the section unknown"))
    }

    @Test func `of a forger is not counted`() throws {
        let forged = try TokenAuthority.rogue().token(transaction("1") { $0.ownership = "RENTED" }).text
        try export.write("{\"receipt_data\":\"\(forged)\"}\n", to: "claims.ndjson")
        try export.write("", to: "evidence.txt")
        let run = try run("--quiet", "--report", "summary=-")
        #expect(unknown(run).isEmpty && !run.messages.contains("RENTED"))
    }

    @Test func `of a notification's type leaves the tokens inside as they are`() throws {
        let refunded = transaction("1") {
            ($0.revokedAt, $0.revocationType, $0.signedAt) = (.utc(2026, 3, 9), "REFUND_FULL", .utc(2026, 3, 9))
        }
        try write(claims: [transaction("1")], evidence: [try notification("SEAT_TAKEN", of: refunded)])
        #expect(try run("--report", "subscriptions=-").rows.map { $0["state"] } == ["refunded"])
        let ended = transaction("1") {
            ($0.revokedAt, $0.revocationType, $0.signedAt) = (.utc(2026, 3, 9), "SEAT", .utc(2026, 3, 9))
        }
        try write(claims: [transaction("1")], evidence: [try notification("REFUND", of: ended)])
        #expect(try run("--report", "subscriptions=-").rows.map { $0["state"] } == ["revoked"])
    }

    @Test func `does not matter beside a consent that was withdrawn, whose app transaction is verified`() throws {
        let app = AppTransactionContent(bundleID: "com.example.notes", createdAt: .utc(2026, 2, 1)).with {
            ($0.appTransactionID, $0.edits) = ("70", [.add("requestDate", .date(.utc(2026, 2, 1)))])
        }
        let signed = try authority.token(app).text
        let data = NotificationAppData(bundleID: "com.example.notes").with { $0.signedAppTransaction = signed }
        try write(
            claims: [transaction("1") { $0.appTransactionID = "70" }],
            evidence: [
                NotificationContent("RESCIND_CONSENT", uuid: "u", body: .appData(data), signedAt: .utc(2026, 3, 1))
            ])
        let rows = try run("--report", "evidence=-").rows
        #expect(rows.map { $0["kind"] } == ["notification", "app-transaction"])
        #expect(rows.allSatisfy { $0["verdict"] == "valid" && $0["bundle_id"] == "com.example.notes" })
        #expect(try run("--report", "fraud=-").rows.isEmpty)
        #expect(unknown(try run("--report", "summary=-")).isEmpty)
    }

    @Test func `is marked by inspect, in text and in JSON`() throws {
        let token = try authority.token(
            transaction("1") {
                ($0.ownership, $0.edits) = ("RENTED", [.add("new", .object([("a", .number(1))]))])
            }
        ).text
        try export.write(token, to: "a.jws")
        let arguments = ["inspect", export.path("a.jws"), "--root", export.path("root.cer"), "--as-of", Self.asOf]
        let text = try AuditProcess(arguments).output
        #expect(text.contains("RENTED (this version does not know the value)"))
        #expect(text.contains("1 (this version does not know the member)"))
        let json = try AuditProcess(arguments + ["--json"]).output
        #expect(json.split(separator: "\"unknown\" : \"value\"").count == 2)
        #expect(json.split(separator: "\"unknown\" : \"member\"").count == 2)
    }
}
