import Corpus
import Encodings
import Foundation
import SampleStore
import Testing

/// What Apple told the company's server, in addition to what devices present.
struct `Evidence of a run` {
    private let store = Result { try TokenAuthority() }

    private func notification(
        _ type: String, uuid: String, signedAt: Instant, refundedAt: Instant? = nil, of id: String = "460000000000001",
        by authority: TokenAuthority
    ) throws -> String {
        var transaction = TransactionContent(
            .autoRenewable, bundleID: "com.example.notes", productID: "com.example.notes.month",
            transactionID: id, purchasedAt: .utc(2026, 3, 1))
        transaction.expiresAt = .utc(2026, 4, 1)
        transaction.signedAt = signedAt
        transaction.revokedAt = refundedAt
        let inner = try authority.token(transaction).text
        let data = NotificationData(bundleID: "com.example.notes").with { $0.signedTransaction = inner }
        return try authority.token(NotificationContent(type, uuid: uuid, body: .data(data), signedAt: signedAt)).text
    }

    private func run(
        _ evidence: [String: String], asOf: String = "2026-03-20", table: String
    ) throws -> AuditProcess {
        let (export, authority) = (try TestExport(), try store.get())
        var transaction = TransactionContent(
            .autoRenewable, bundleID: "com.example.notes", productID: "com.example.notes.month",
            transactionID: "460000000000001", purchasedAt: .utc(2026, 3, 1))
        transaction.expiresAt = .utc(2026, 4, 1)
        transaction.signedAt = .utc(2026, 3, 2)
        try export.write("{\"receipt_data\":\"\(try authority.token(transaction).text)\"}\n", to: "claims.ndjson")
        try export.write(authority.root.certificate, to: "root.cer")
        for (name, text) in evidence { try export.write(text, to: "evidence/" + name) }
        return try AuditProcess([
            "run", export.path("claims.ndjson"), "--evidence", export.path("evidence"), "--root",
            export.path("root.cer"), "--as-of", asOf, "--report", "\(table)=-",
        ])
    }

    @Test func `says that a subscription was refunded`() throws {
        let authority = try store.get()
        let refund = try notification(
            "REFUND", uuid: "u1", signedAt: .utc(2026, 3, 10), refundedAt: .utc(2026, 3, 9), by: authority)
        let run = try run(["a.jws": refund], table: "subscriptions")
        #expect(run.exitCode == 0)
        #expect(run.rows.map { $0["state"] } == ["refunded"])
        #expect(run.rows.first?["evidence"] == "transaction")
    }

    @Test func `changes nothing if it is forged, and is told`() throws {
        let refund = try notification(
            "REFUND", uuid: "u1", signedAt: .utc(2026, 3, 10), refundedAt: .utc(2026, 3, 9), by: try .rogue())
        let found = try run(["a.jws": refund], table: "subscriptions")
        #expect(found.rows.map { $0["state"] } == ["active"])
        #expect(found.messages.contains("2 of 2 tokens of evidence are invalid or unreadable, and do not count"))
        let table = try run(["a.jws": refund], table: "evidence")
        #expect(table.rows.map { $0["verdict"] } == ["invalid", "invalid"])
        #expect(table.rows.allSatisfy { $0["failed_checks"] == "chain-untrusted" })
    }

    @Test func `has a row for each token, also inside others and twice, in the order of files and lines`() throws {
        let authority = try store.get()
        let one = try notification("SUBSCRIBED", uuid: "u1", signedAt: .utc(2026, 3, 2), by: authority)
        let other = try notification("DID_RENEW", uuid: "u2", signedAt: .utc(2026, 3, 3), by: authority)
        let run = try run(
            ["b.ndjson": "{\"signedPayload\":\"\(one)\"}\n\nno token\n", "a.jws": "\(other)\n\(other)\n"],
            table: "evidence")
        #expect(
            run.rows.map { ($0["source"] ?? "").split(separator: "/").last.map(String.init) } == [
                "a.jws:1", "a.jws:1", "a.jws:2", "a.jws:2", "b.ndjson:1", "b.ndjson:1", "b.ndjson:3",
            ])
        #expect(
            run.rows.map { $0["kind"] } == [
                "notification", "transaction", "notification", "transaction", "notification", "transaction", "",
            ])
        #expect(run.rows.last?["verdict"] == "unreadable")
    }

    @Test func `may be an answer of the API over several lines, with tokens at any depth`() throws {
        let authority = try store.get()
        let one = try notification("SUBSCRIBED", uuid: "u1", signedAt: .utc(2026, 3, 2), by: authority)
        let text = "{\n  \"notificationHistory\": [\n    { \"signedPayload\": \"\(one)\" }\n  ]\n}\n"
        let run = try run(["history.json": text], table: "evidence")
        #expect(run.rows.map { $0["verdict"] } == ["valid", "valid"])
    }

    @Test(arguments: ["told.ndjson", "told.json", "told.csv", "told.jws"])
    func `may be missing where a file breaks off`(name: String) throws {
        var story = try RefundStory()
        try story.claim(RefundStory.purchase())
        for day in [9, 10] { try story.tellRefund(on: day) }
        try story.write()
        let texts =
            switch name {
            case "told.jws": story.told
            case "told.csv": ["id,body"] + story.told.map { "1,\($0)" }
            case "told.ndjson": story.told.map { "{\"signedPayload\":\"\($0)\"}" }
            default:
                ["{\"notificationHistory\":["] + [
                    story.told.map { "{\"signedPayload\":\"\($0)\"}" }.joined(separator: ",\n")
                ] + ["]}"]
            }
        let text = texts.map { $0 + "\n" }.joined()
        for cut in [0, 60] {
            try story.export.write(String(text.dropLast(cut)), to: name)
            let run = try AuditProcess(
                ["run", story.export.path("claims.ndjson"), "--as-of", "2026-04-20", "--evidence"]
                    + [story.export.path(name), "--report", "fraud=-"] + story.options)
            // Whoever posts last can do this, so it is no reason for 3 as long as more counts.
            #expect(run.exitCode == 0, "\(run.messages)")
            #expect(run.messages.contains("the last row breaks off") == (cut > 0), "\(run.messages)")
            #expect(run.messages.contains("of 1 token only a part") == (cut > 0), "\(run.messages)")
        }
    }

    @Test func `is unreadable where it is JSON without a token, or cut short`() throws {
        let run = try run(["a.ndjson": "{\"receipt\":\"x\"}\n{\"signedPayload\":\n"], table: "evidence")
        #expect(run.rows.map { $0["failed_checks"] } == ["row-malformed", "row-malformed"])
    }

    @Test func `counts on later nights, in a run with a ledger, also before its claim comes`() throws {
        let (export, authority) = (try TestExport(), try store.get())
        let refund = try notification(
            "REFUND", uuid: "u1", signedAt: .utc(2026, 3, 10), refundedAt: .utc(2026, 3, 9), by: authority)
        var transaction = TransactionContent(
            .autoRenewable, bundleID: "com.example.notes", productID: "com.example.notes.month",
            transactionID: "460000000000001", purchasedAt: .utc(2026, 3, 1))
        transaction.expiresAt = .utc(2026, 4, 1)
        transaction.signedAt = .utc(2026, 3, 2)
        let claim = "{\"receipt_data\":\"\(try authority.token(transaction).text)\",\"account_id\":\"ana\"}\n"
        try export.write("{\"receipt_data\":\"none\"}\n", to: "first.ndjson")
        try export.write(claim, to: "second.ndjson")
        try export.write(refund, to: "refund.jws")
        try export.write(authority.root.certificate, to: "root.cer")
        func night(_ claims: String, _ day: String, _ more: String...) throws -> AuditProcess {
            try AuditProcess(
                [
                    "run", export.path(claims), "--root", export.path("root.cer"), "--as-of", day, "--state",
                    export.path("ledger.db"), "--report", "subscriptions=-", "--quiet",
                ] + more)
        }
        #expect(try night("first.ndjson", "2026-03-11", "--evidence", export.path("refund.jws")).rows.count == 1)
        let second = try night("second.ndjson", "2026-03-12")
        #expect(second.rows.map { $0["state"] } == ["refunded"])
        #expect(second.rows.map { $0["accounts"] } == ["1"])
        #expect(try night("second.ndjson", "2026-03-13").rows.map { $0["state"] } == ["refunded"])
    }

    @Test func `shows a refund that claims made before it hide`() throws {
        let (export, authority) = (try TestExport(), try store.get())
        let refund = try notification(
            "REFUND", uuid: "u1", signedAt: .utc(2026, 3, 10), refundedAt: .utc(2026, 3, 9), by: authority)
        var transaction = TransactionContent(
            .autoRenewable, bundleID: "com.example.notes", productID: "com.example.notes.month",
            transactionID: "460000000000001", purchasedAt: .utc(2026, 3, 1))
        (transaction.expiresAt, transaction.signedAt) = (.utc(2026, 4, 1), .utc(2026, 3, 2))
        let token = try authority.token(transaction).text
        for (day, isRaised) in [("2026-03-08", false), ("2026-03-12", true)] {
            try export.write(
                "{\"receipt_data\":\"\(token)\",\"account_id\":\"ana\",\"presented_at\":\"\(day)\"}\n",
                to: "claims.ndjson")
            try export.write(refund, to: "refund.jws")
            try export.write(authority.root.certificate, to: "root.cer")
            let run = try AuditProcess([
                "run", export.path("claims.ndjson"), "--evidence", export.path("refund.jws"), "--root",
                export.path("root.cer"), "--as-of", "2026-03-20", "--report", "fraud=-", "--quiet",
            ])
            #expect(run.rows.map { $0["rule"] } == (isRaised ? ["hidden-refund"] : []) + ["refunded-purchase"])
            #expect(run.rows.map { $0["severity"] } == (isRaised ? ["medium"] : []) + ["info"])
            #expect(run.rows.allSatisfy { $0["claims"] == "1" })
        }
    }

    @Test func `puts no finding on anybody whose purchases are others`() throws {
        let authority = try store.get()
        let refund = try notification(
            "REFUND", uuid: "u1", signedAt: .utc(2026, 3, 10), refundedAt: .utc(2026, 3, 9),
            of: "460000000000002", by: authority)
        let many = Array(repeating: refund, count: 50).joined(separator: "\n")
        #expect(try run(["a.jws": many], table: "fraud").rows == [])
    }
}

/// What Apple said of a subscription in notifications that others published, at dates between them.
@Suite(.enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"))
struct `A published flow of notifications` {
    @Test(arguments: [
        ("2025-10-06T05:16:30Z", "active", "2025-10-06T05:25:18Z"),
        ("2025-10-06T05:17:10Z", "active", "2025-10-06T05:19:30Z"),
        ("2025-10-06T05:19:35Z", "not-refreshed", "2025-10-06T05:19:30Z"),
        ("2025-10-06T05:20:00Z", "expired", "2025-10-06T05:19:30Z"),
        ("2025-10-16T05:19:10Z", "active", "2025-10-16T05:25:14Z"),
        ("2025-10-16T05:22:03Z", "active", "2025-10-16T05:25:14Z"),
        ("2026-02-01T00:00:00Z", "not-refreshed", "2025-10-16T05:25:14Z"),
    ])
    func `gives the state that Apple's status last said, until the end that it stated`(
        asOf: String, state: String, end: String
    ) throws {
        let export = try TestExport()
        let names = Corpus.files(in: "jws", ending: ".jws").filter { $0.hasPrefix("session-") && !$0.contains("--") }
        for name in names { try export.write(Corpus.bytes("jws/" + name), to: "evidence/" + name) }
        let claim = Corpus.bytes("jws/session-20251006-051625-subscribed-resubscribe--transaction.jws")
        let token = String(decoding: claim, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        try export.write("{\"jws\":1,\"receipt_data\":\"\(token)\"}\n", to: "claims.ndjson")
        let run = try AuditProcess([
            "run", export.path("claims.ndjson"), "--evidence", export.path("evidence"), "--as-of", asOf, "--report",
            "subscriptions=-",
        ])
        #expect(run.exitCode == 0)
        #expect(run.rows.map { $0["state"] } == [state])
        #expect(run.rows.map { $0["expires_at"] } == [end])
        if asOf > "2025-10-16T05:22" { #expect(run.rows.first?["refunds"] == "1") }
    }
}
