import Corpus
import Encodings
import Foundation
import SampleStore
import Testing

/// Evidence of audits in shards: every shard knows all of it, and it counts once.
struct `Evidence of an audit in shards` {
    /// A made-up export with planted fraud, claims of tokens, and notifications about many of its purchases: refunds,
    /// reversals, ends of sharing, refunds of a part, forgeries.
    private static func export(count: Int, seed: UInt64) throws -> ShardExport {
        var export = try ShardExport(count: count, seed: seed)
        let authority = try TokenAuthority()
        try export.trust(authority.root.certificate)
        try export.write(export.lines)
        let receipts = Dictionary(
            try export.rows(of: "receipts", in: "export.ndjson").map { ($0["source"] ?? "", $0) }
        ) { first, _ in first }
        var (told, claims): ([String], [String]) = ([], [])
        for (number, row) in try export.rows(of: "purchases", in: "export.ndjson").enumerated() {
            guard row["verdict"] == "valid", let receipt = receipts[row["source"] ?? ""],
                var transaction = TransactionContent(row: row, bundleID: receipt["bundle_id"] ?? "")
            else { continue }
            transaction.environment = receipt["environment"]?.contains("Sandbox") == true ? "Sandbox" : "Production"
            transaction.appTransactionID = "70\(number % 9)"
            (transaction.price, transaction.currency) = (1000 + 10 * number, "EUR")
            transaction.accountToken = "00000000-0000-4000-8000-00000000000\(number % 9)"
            if number % 3 == 0 {
                claims.append(
                    "{\"receipt_data\":\"\(try authority.token(transaction).text)\",\"account_id\":\"\(number % 5)\""
                        + ",\"account_token\":\"00000000-0000-4000-8000-00000000000\(number % 5)\"}")
            }
            let signer = number % 11 == 10 ? try TokenAuthority.rogue() : authority
            let kinds: [[Int]] = [[], [1], [1, 2], [3], [4]]
            for (day, kind) in kinds[number % 5].enumerated() {
                let statement = transaction.with {
                    $0.signedAt = Instant(seconds: 1_774_000_000 + Int64(number % 90) * 86_400 + Int64(day) * 3600)
                    if kind != 2 { $0.revokedAt = $0.signedAt.adding(seconds: Int64(-86_400 * (number % 8))) }
                    let types = [nil, "REFUND_FULL", nil, "FAMILY_REVOKE", "REFUND_PRORATED"]
                    $0.revocationType = types[kind]
                }
                let data = NotificationData(bundleID: transaction.bundleID).with {
                    ($0.environment, $0.status) = (transaction.environment, nil)
                    $0.signedTransaction = try? signer.token(statement).text
                }
                // A token that says so is also a claim of somebody else.
                if number % 7 < 3 {
                    claims.append(
                        "{\"receipt_data\":\"\(try signer.token(statement).text)\",\"account_id\":\"\(number % 4)\"}")
                }
                let notification = NotificationContent(
                    ["", "REFUND", "REFUND_REVERSED", "REVOKE", "REFUND"][kind], uuid: "u\(told.count)",
                    body: .data(data), signedAt: statement.signedAt)
                told.append(try signer.token(notification).text)
            }
            if number % 3 == 1 {
                told += try Self.toldToSupport(transaction, number, by: signer)
                // Of some buyers the app sends another purchase.
                if number % 2 == 0 {
                    claims.append(
                        "{\"receipt_data\":\"\(try authority.token(transaction).text)\",\"account_id\":\"buyer-\(number)\""
                            + ",\"account_token\":\"\(Self.buyer(number))\",\"presented_at\":\"2026-06-0\(1 + number % 9)\"}"
                    )
                }
            }
        }
        try export.write(export.lines + claims)
        try export.write(told + told.prefix(5), to: "told/one.jws")
        try export.write(["no token", "{\"signedPayload\":1}"], to: "told/other.ndjson")
        return export
    }

    /// The UUID of the account of a purchase that nobody presents.
    private static func buyer(_ number: Int) -> String { "00000000-0000-4000-8000-0000000\(10_000 + number)" }

    /// Evidence about customers who need help: a refund that one asks for, and a purchase that nobody presents.
    private static func toldToSupport(
        _ transaction: TransactionContent, _ number: Int, by signer: TokenAuthority
    ) throws -> [String] {
        let date = Instant.utc(2026, 6, 1).adding(seconds: Int64(number) * 40_000)
        let unclaimed = transaction.with {
            ($0.transactionID, $0.originalTransactionID) = ("98000000\(number)", "98000000\(number)")
            ($0.purchasedAt, $0.originallyPurchasedAt, $0.signedAt) = (date, date, date)
            $0.accountToken = buyer(number)
        }
        return try [
            ("CONSUMPTION_REQUEST", transaction.with { $0.signedAt = date }), ("ONE_TIME_CHARGE", unclaimed),
        ].map { type, statement in
            let data = NotificationData(bundleID: transaction.bundleID).with {
                $0.environment = transaction.environment
                $0.signedTransaction = try? signer.token(statement).text
                $0.consumptionRequestReason = "OTHER"
            }
            let notification = NotificationContent(
                type, uuid: "\(type) \(number)", body: .data(data), signedAt: statement.signedAt)
            return try signer.token(notification).text
        }
    }

    @Test(arguments: `An audit in shards`.sizes)
    func `changes each report as it does in a run`(shards: Int) throws {
        let export = try Self.export(count: Exhaustive.count(120, sampled: 60), seed: 5)
        try export.compare(["export.ndjson"], shards: shards, evidence: ["told"])
        let fraud = table(export.sample.text(of: "got/fraud.csv") ?? "")
        let byEvidence = fraud.filter { $0["evidence"]?.contains(", as evidence ") == true }
        #expect(byEvidence.contains { $0["rule"] == "refunded-purchase" })
        #expect(fraud.contains { $0["rule"] == "repeat-refunds" && $0["subject"]?.hasPrefix("account:") == true })
        // The policy's prices are in dollars.
        #expect(fraud.contains { $0["rule"] == "refunded-purchase" && $0["currency"] == "EUR" })
        let unclaimed = table(export.sample.text(of: "got/unclaimed.csv") ?? "")
        #expect(unclaimed.count > 3)
        let known = unclaimed.filter { $0["reason"] == "account-without-this-purchase" }
        #expect(known.contains { $0["account_id"]?.hasPrefix("buyer-") == true && $0["last_seen"] != "" })
        #expect(unclaimed.contains { $0["reason"] == "no-claim-of-account" })
        let requests = table(export.sample.text(of: "got/refund_requests.csv") ?? "")
        #expect(requests.contains { $0["findings"] != "0" } && requests.contains { $0["earlier_refunds"] != "0" })
        let rows = table(export.sample.text(of: "got/evidence.csv") ?? "")
        #expect(Set(rows.map { $0["verdict"] }) == ["valid", "invalid", "unreadable"])
    }

    @Test func `may be nothing`() throws {
        let export = try Self.export(count: 20, seed: 7)
        try export.write([], to: "nothing.jws")
        try export.compare(["export.ndjson"], shards: 2, evidence: ["nothing.jws"])
    }
}

/// The messages of `audit map` and `audit reduce` about evidence that does not fit together.
struct `Evidence of shards that do not fit together` {
    private static func story() throws -> RefundStory {
        var story = try RefundStory()
        try story.claim(RefundStory.purchase(), ["account_id": "ana"])
        try story.tellRefund(on: 9)
        try story.write()
        return story
    }

    private static func map(
        _ story: RefundStory, _ more: String..., claims: String = "claims.ndjson", asOf: String = "2026-04-20"
    ) throws -> AuditProcess {
        let arguments = ["map", "--as-of", asOf] + story.options + more
        return try AuditProcess(
            shell: "\"$0\" \"$@\" < '\(story.export.path(claims))'", arguments)
    }

    /// Reduces the counts of all parts.
    private static func counts(_ story: RefundStory, _ parts: AuditProcess...) throws -> AuditProcess {
        let lines = parts.flatMap { $0.output.split(separator: "\n").filter { $0.hasPrefix("s") } }
        try story.export.write(lines.map { $0 + "\n" }.joined(), to: "counts")
        return try AuditProcess(
            shell: "\"$0\" \"$@\" < '\(story.export.path("counts"))'",
            ["reduce", "--as-of", "2026-04-20"] + story.options)
    }

    @Test func `is accepted if one part wrote it and all others had its index`() throws {
        let story = try Self.story()
        let (told, index) = (story.export.path("told.jws"), story.export.path("index"))
        try story.export.write("", to: "none")
        let first = try Self.map(story, "--evidence", told, "--evidence-index", index, claims: "none")
        let other = try Self.map(story, "--evidence", index)
        #expect(first.exitCode == 0 && other.exitCode == 0, "\(first.messages) \(other.messages)")
        #expect(first.output.contains("{\"table\":\"evidence\""))
        #expect(!other.output.contains("{\"table\":\"evidence\""))
        // What is said next is said of lines, which no step has read.
        let both = try Self.counts(story, first, other)
        #expect(both.messages.contains("were written and 0 read"), "\(both.messages)")
        // One part that has both is a whole audit.
        let whole = try Self.counts(story, Self.map(story, "--evidence", told))
        #expect(whole.messages.contains("were written and 0 read"), "\(whole.messages)")
    }

    @Test func `ends the step that counts with 3 if none of it counts`() throws {
        let story = try Self.story()
        try story.export.write("{\"error\":\"unauthorized\"}\n", to: "none.ndjson")
        let counted = try AuditProcess(
            script: ShardExport.script,
            ["-e", "none.ndjson", "claims.ndjson", "--", "--as-of", "2026-04-20"] + story.options,
            environment: ["AUDIT": AuditProcess.path], in: story.export.folder)
        #expect(counted.exitCode == 3 && counted.messages.contains("no evidence counts"), "\(counted.messages)")
    }

    @Test func `is refused if two parts wrote it, or none did, or one had none, or another`() throws {
        let story = try Self.story()
        let (told, index) = (story.export.path("told.jws"), story.export.path("index"))
        let first = try Self.map(story, "--evidence", told, "--evidence-index", index)
        let other = try Self.map(story, "--evidence", index)
        var less = story
        less.told = []
        try less.export.write("", to: "less.jws")
        for (parts, message) in [
            ([first, first], "2 parts mapped the evidence"),
            ([other, other], "the lines of the evidence are missing"),
            ([first, try Self.map(story)], "1 of 2 parts were mapped without the evidence"),
            ([first, try Self.map(story, "--evidence", story.export.path("less.jws"))], "with different evidence"),
        ] {
            let refused = try Self.counts(story, parts[0], parts[1])
            #expect(refused.exitCode == 2 && refused.messages.contains(message), "\(refused.messages)")
        }
    }

    @Test func `is refused if the index is damaged, cut short or of other settings`() throws {
        let story = try Self.story()
        let (told, index) = (story.export.path("told.jws"), story.export.path("index"))
        let made = try Self.map(story, "--evidence", told, "--evidence-index", index)
        #expect(made.exitCode == 0, "\(made.messages)")
        let bytes = Array(try Data(contentsOf: URL(filePath: index)))
        let other = try Self.map(story, "--evidence", index, asOf: "2026-04-21")
        #expect(other.exitCode == 2 && other.messages.contains("another --as-of"), "\(other.messages)")
        // The index without its end is evidence like any other file, without a token in it.
        try story.export.write(Array(bytes.dropFirst(9)), to: "index")
        let cut = try Self.map(story, "--evidence", index)
        #expect(cut.exitCode == 2 && cut.messages.contains("is not a complete evidence index"), "\(cut.messages)")
        for place in stride(from: 0, to: bytes.count - 15, by: 13) {
            var damaged = bytes
            damaged[place] ^= 0x55
            try story.export.write(damaged, to: "index")
            let run = try Self.map(story, "--evidence", index)
            #expect(run.exitCode == 0 || run.exitCode == 2, "octet \(place): \(run.exitCode) \(run.messages)")
        }
        let both = try Self.map(story, "--evidence", index, "--evidence", told)
        #expect(both.exitCode == 2)
        #expect(try Self.map(story, "--evidence-index", index).exitCode == 64)
    }
}

extension TransactionContent {
    /// The purchase in a row of the table `purchases`.
    fileprivate init?(row: [String: String], bundleID: String) {
        guard let date = Instant(rfc3339: row["purchased_at"] ?? ""), let id = row["transaction_id"], id != "0",
            let product = row["product_id"]
        else { return nil }
        let kinds: [String: PurchaseContent.Kind] = [
            "consumable": .consumable, "non-consumable": .nonConsumable, "auto-renewable": .autoRenewable,
            "non-renewing": .nonRenewing,
        ]
        self.init(
            kinds[row["kind"] ?? ""] ?? .nonConsumable, bundleID: bundleID, productID: product, transactionID: id,
            purchasedAt: date)
        originalTransactionID = row["original_transaction_id"] ?? id
        webOrderLineItemID = row["web_order_line_item_id"].flatMap { $0.isEmpty ? nil : $0 }
        expiresAt = Instant(rfc3339: row["expires_at"] ?? "")
        signedAt = date.adding(seconds: 60)
    }
}
