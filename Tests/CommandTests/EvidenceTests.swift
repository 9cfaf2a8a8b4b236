import Corpus
import Encodings
import Foundation
import SampleStore
import Testing

/// What Apple told the company's server, in addition to what devices present.
struct `Evidence of a run` {
    /// A month of a subscription, and its refund as Apple tells it.
    private static let month = RefundStory.purchase(product: "month", expires: .utc(2026, 4, 1))
    private static let refund = month.with { ($0.revokedAt, $0.signedAt) = (.utc(2026, 3, 9), .utc(2026, 3, 10)) }

    private static func story(_ tell: (inout RefundStory) throws -> Void) throws -> RefundStory {
        var story = try RefundStory()
        try story.claim(month, ["account_id": "ana"])
        try tell(&story)
        return story
    }

    /// Runs an audit with evidence in files of a folder.
    private static func run(_ story: RefundStory, _ evidence: [String: String], table: String) throws -> AuditProcess {
        for (name, text) in evidence { try story.export.write(text, to: "evidence/" + name) }
        return try story.run(of: table, asOf: "2026-03-20", with: ["--evidence", story.export.path("evidence")])
    }

    @Test func `says that a subscription was refunded`() throws {
        let rows = try Self.story { try $0.tell("REFUND", Self.refund) }.rows(of: "subscriptions", asOf: "2026-03-20")
        #expect(rows.map { $0["state"] } == ["refunded"])
        #expect(rows.first?["evidence"] == "transaction")
    }

    @Test func `changes nothing if it is forged, and is told`() throws {
        let story = try Self.story { try $0.tell("REFUND", Self.refund, by: .rogue()) }
        let found = try Self.run(story, ["a.jws": story.told[0]], table: "subscriptions")
        #expect(found.rows.map { $0["state"] } == ["active"])
        #expect(found.messages.contains("2 of 2 tokens of evidence are invalid or unreadable, and do not count"))
        let table = try story.rows(of: "evidence", asOf: "2026-03-20")
        #expect(table.map { $0["verdict"] } == ["invalid", "invalid"])
        #expect(table.allSatisfy { $0["failed_checks"] == "chain-untrusted" })
    }

    @Test func `has a row for each token, also inside others and twice, in the order of files and lines`() throws {
        let story = try Self.story {
            for type in ["SUBSCRIBED", "DID_RENEW"] { try $0.tell(type, Self.month) }
        }
        let (one, other) = (story.told[0], story.told[1])
        let run = try Self.run(
            story, ["b.ndjson": "{\"signedPayload\":\"\(one)\"}\n\nno token\n", "a.jws": "\(other)\n\(other)\n"],
            table: "evidence")
        #expect(
            run.rows.map { ($0["source"] ?? "").split(separator: "/").last.map(String.init) } == [
                "a.jws:1", "a.jws:1", "a.jws:2", "a.jws:2", "b.ndjson:1", "b.ndjson:1", "b.ndjson:3",
            ])
        let pair = ["notification", "transaction"]
        #expect(run.rows.map { $0["kind"] } == pair + pair + pair + [""])
        #expect(run.rows.last?["verdict"] == "unreadable")
    }

    @Test func `may be an answer of the API over several lines, with tokens at any depth`() throws {
        let story = try Self.story { try $0.tell("SUBSCRIBED", Self.month) }
        let text = "{\n  \"notificationHistory\": [\n    { \"signedPayload\": \"\(story.told[0])\" }\n  ]\n}\n"
        let run = try Self.run(story, ["history.json": text], table: "evidence")
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
        let run = try Self.run(
            Self.story { _ in }, ["a.ndjson": "{\"receipt\":\"x\"}\n{\"signedPayload\":\n"], table: "evidence")
        #expect(run.rows.map { $0["failed_checks"] } == ["row-malformed", "row-malformed"])
    }

    @Test func `counts on later nights, in a run with a ledger, also before its claim comes`() throws {
        var story = try Self.story { try $0.tell("REFUND", Self.refund) }
        let claims = story.claims
        func night(_ day: Int, withEvidence: Bool = false) throws -> [[String: String]] {
            try story.rows(
                of: "subscriptions", asOf: "2026-03-\(day)", withEvidence: withEvidence, "--state",
                story.export.path("ledger.db"))
        }
        story.claims = ["{\"receipt_data\":\"none\"}"]
        #expect(try night(11, withEvidence: true).count == 1)
        story.claims = claims
        let second = try night(12)
        #expect(second.map { $0["state"] } == ["refunded"])
        #expect(second.map { $0["accounts"] } == ["1"])
        #expect(try night(13).map { $0["state"] } == ["refunded"])
    }

    @Test func `puts no finding on anybody whose purchases are others`() throws {
        let other = RefundStory.purchase(2, product: "month", expires: .utc(2026, 4, 1)).with {
            ($0.revokedAt, $0.signedAt) = (.utc(2026, 3, 9), .utc(2026, 3, 10))
        }
        var story = try Self.story { try $0.tell("REFUND", other) }
        story.told = Array(repeating: story.told[0], count: 50)
        #expect(try story.rows(asOf: "2026-03-20") == [])
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
