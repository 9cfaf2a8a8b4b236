import Encodings
import Foundation
import SampleStore
import Testing

/// Endpoints for notifications are public: anybody can post what becomes evidence.
struct `Evidence that anybody may write` {
    /// A claim of two purchases, of which the store took back the first.
    private static func story() throws -> RefundStory {
        var story = try RefundStory()
        for id in [1, 2] {
            try story.claim(RefundStory.purchase(id), ["account_id": "ana", "presented_at": "2026-03-20"])
        }
        try story.tellRefund(on: 9)
        return story
    }

    private static func run(_ story: RefundStory, _ text: String, _ more: String...) throws -> AuditProcess {
        try story.write()
        try story.export.write(text, to: "told.log")
        return try AuditProcess(
            [
                "run", story.export.path("claims.ndjson"), "--as-of", "2026-04-20", "--evidence",
                story.export.path("told.log"), "--report", "fraud=-", "--metrics", story.export.path("m.prom"),
            ] + story.options + more)
    }

    @Test(arguments: [
        "x,y\nz,\"\nTOLD\n\",x\n", "{\"x\":\nTOLD\n", "at,signed_payload\n1,\"\n2,TOLD\n3,\",x\n", "\u{1f}TOLD",
    ])
    func `hides no refund`(text: String) throws {
        let story = try Self.story()
        let run = try Self.run(story, text.replacing("TOLD", with: try #require(story.told.first)))
        #expect(run.exitCode == 0, "\(run.messages)")
        #expect(run.rows.contains { $0["rule"] == "refunded-purchase" })
    }

    /// What stands beside one token that counts, how it counts in the metrics, and the exit code.
    @Test(arguments: [
        (Array(repeating: "hello", count: 20), "other", 20, Int32(0)), (["{\"error\":\"x\"}"], "other", 1, 0),
        (["eyJhbGciOiJFUzI1NiJ9.eyJhIjox"], "lost", 1, 0), (["eyJhbGci", "{\"a\":\"eyJhbGci\"}"], "lost", 2, 3),
        (["{\"signedPayload\":\"cut\"}"], "lost", 1, 0),
        (Array(repeating: "{\"signed_payload\":\"x\"}", count: 2), "lost", 2, 3),
    ])
    func `ends a run with 3 only if more may be lost than counts`(
        beside: [String], outcome: String, count: Int, code: Int32
    ) throws {
        let story = try Self.story()
        let run = try Self.run(story, (story.told + beside).joined(separator: "\n") + "\n", "--quiet")
        #expect(run.exitCode == code, "\(run.messages)")
        #expect(run.messages.contains("of \(count + 2) tokens of evidence "), "\(run.messages)")
        let metrics = try #require(story.export.text(of: "m.prom")).split(separator: "\n")
        #expect(metrics.contains("audit_evidence{outcome=\"counted\"} 1"))
        #expect(metrics.contains("audit_evidence{outcome=\"\(outcome)\"} \(count)"), "\(metrics)")
        #expect(run.rows.contains { $0["rule"] == "refunded-purchase" })
    }
}

/// Evidence of apps that are not the company's, in a run without apps in the policy.
struct `Evidence of another app` {
    private static let foreign = RefundStory.purchase(5, expires: .utc(2026, 5, 1)).with {
        ($0.bundleID, $0.price, $0.currency) = ("com.evil.app", 9990, "USD")
    }
    private static let own = RefundStory.purchase(6, expires: .utc(2026, 5, 1)).with {
        ($0.price, $0.currency) = (4990, "USD")
    }

    /// A dated claim of the company's app, and two purchases that nobody presents, of either app.
    private static func story(claimed: Bool = true) throws -> RefundStory {
        var story = try RefundStory()
        if claimed {
            let earlier = RefundStory.purchase(9).with {
                ($0.purchasedAt, $0.originallyPurchasedAt) = (.utc(2025, 12, 1), .utc(2025, 12, 1))
                $0.signedAt = .utc(2025, 12, 1)
            }
            try story.claim(earlier, ["account_id": "ana", "presented_at": "2026-02-01"])
        } else {
            story.claims = ["{\"receipt_data\":\"none\",\"presented_at\":\"2026-02-01\"}"]
        }
        for purchase in [foreign, own] { story.told.append(try story.authority.token(purchase).text) }
        return story
    }

    private func unclaimed(_ story: RefundStory, _ more: String...) throws -> [String] {
        try story.rows(of: "unclaimed", with: more).map { $0["bundle_id"] ?? "" }
    }

    /// The values of metrics that are not 0.
    private func metrics(_ story: RefundStory, _ more: String...) throws -> [[String: String]] {
        try story.rows(of: "metrics", with: more)
    }

    @Test func `is in no figure and no row of unclaimed, and is told once`() throws {
        var story = try Self.story()
        #expect(try unclaimed(story) == ["com.example.notes"])
        let run = try AuditProcess(
            ["run", story.export.path("claims.ndjson"), "--as-of", "2026-04-20", "--evidence"]
                + [story.export.path("told.jws"), "--quiet", "--metrics", story.export.path("m.prom")] + story.options)
        #expect(run.exitCode == 0)
        #expect(run.messages.contains("1 token of evidence is about other apps"), "\(run.messages)")
        #expect(run.messages.contains("com.evil.app (1)"), "\(run.messages)")
        #expect(story.export.text(of: "m.prom")?.contains("\naudit_evidence_of_other_apps 1\n") == true)
        let found = try metrics(story)
        story.told.removeFirst()
        #expect(try found == metrics(story))
        #expect(found.contains { $0["currency"] == "USD" })
    }

    @Test func `counts once a genuine claim is of the app, but not if that claim asks for another`() throws {
        var story = try Self.story()
        try story.claim(
            RefundStory.purchase(7).with { $0.bundleID = "com.evil.app" }, ["bundle_id": "com.example.notes"])
        #expect(try unclaimed(story) == ["com.example.notes"])
        story.claims.removeLast()
        try story.claim(RefundStory.purchase(7).with { $0.bundleID = "com.evil.app" }, by: try .rogue())
        #expect(try unclaimed(story) == ["com.example.notes"])
        try story.claim(RefundStory.purchase(7).with { $0.bundleID = "com.evil.app" })
        #expect(try unclaimed(story).sorted() == ["com.evil.app", "com.example.notes"])
    }

    @Test func `counts as the policy says, if that has apps`() throws {
        let story = try Self.story(claimed: false)
        try story.export.write("version: 1\napps:\n  com.example.notes: {}\n", to: "policy.yml")
        #expect(try unclaimed(story, "--policy", story.export.path("policy.yml")) == ["com.example.notes"])
    }

    @Test func `is all evidence, if no claim shows an app`() throws {
        let story = try Self.story(claimed: false)
        try story.write()
        let run = try AuditProcess(
            ["run", story.export.path("claims.ndjson"), "--as-of", "2026-04-20", "--evidence"]
                + [story.export.path("told.jws"), "--report", "unclaimed=-"] + story.options)
        #expect(run.rows.isEmpty)
        #expect(run.messages.contains("unclaimed: no claim shows any app"), "\(run.messages)")
    }

    @Test func `is of an app of the ledger's claims, if an earlier run had some`() throws {
        var story = try Self.story()
        let state = ["--state", story.export.path("ledger.db")]
        _ = try story.rows(of: "unclaimed", asOf: "2026-04-19", withEvidence: false, with: state)
        story.claims = ["{\"receipt_data\":\"none\"}"]
        #expect(try story.rows(of: "unclaimed", with: state).map { $0["bundle_id"] } == ["com.example.notes"])
    }

    @Test func `is left out in shards as in a run`() throws {
        let story = try Self.story()
        try story.write()
        let sharded = try AuditProcess(
            script: ShardExport.script,
            ["-s", "2", "-o", "got", "-e", "told.jws", "claims.ndjson", "--", "--as-of", "2026-04-20"] + story.options,
            environment: ["AUDIT": AuditProcess.path], in: story.export.folder)
        #expect(sharded.exitCode == 0, "\(sharded.messages)")
        #expect(sharded.messages.contains("com.evil.app (1)"), "\(sharded.messages)")
        for name in ["unclaimed", "metrics", "retention", "subscriptions"] {
            #expect(try table(story.export.text(of: "got/\(name).csv") ?? "") == story.rows(of: name), "\(name)")
        }
    }
}
