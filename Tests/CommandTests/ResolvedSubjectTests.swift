import Corpus
import Encodings
import Foundation
import SampleStore
import Testing

/// Findings of an earlier run about a person (an `appTransactionId`) and about one purchase of an app.
struct `An earlier finding about a person or an app` {
    /// The rules that make them, each with the subject of its finding.
    enum Story: String, CaseIterable {
        case sharedPerson = "shared-person person:704"
        case lentApp = "lent-app app:com.example.notes:2024-03-01T00:00:00Z"

        /// A policy by which only many more claims are a finding.
        var mildPolicy: String {
            switch self {
            case .sharedPerson: "version: 1\nrules: {shared-person: {accounts: 100}}\n"
            case .lentApp: "version: 1\nrules: {lent-app: {devices: 100}}\n"
            }
        }

        /// A claim by an account of its own, from a device of its own.
        fileprivate func claim(_ number: Int, _ authority: TokenAuthority) throws -> String {
            let device = SampleDevice.vendorIdentifier([UInt8](repeating: UInt8(number + 1), count: 16))
            let proof: String
            switch self {
            case .sharedPerson:
                let token = RefundStory.purchase(number + 1).with { $0.appTransactionID = "704" }
                proof = try authority.token(token).text
            case .lentApp:
                let content = ReceiptContent(
                    bundleID: "com.example.notes", device: device, createdAt: .utc(2024, 3, 1))
                proof = Data(try TestExport.receipt(content)).base64EncodedString()
            }
            return """
                {"receipt_data":"\(proof)","device_id":"\(device.text)","account_id":"a\(number)",\
                "presented_at":"2026-03-\(10 + number)"}\n
                """
        }
    }

    private let export: TestExport
    private let authority: TokenAuthority

    init() throws {
        (export, authority) = (try TestExport(), try TokenAuthority())
        try export.write(authority.root.certificate, to: "tokens.cer")
        try export.write("{\"receipt_data\":\"TQ==\",\"account_id\":\"nobody\"}\n", to: "nobody.ndjson")
    }

    private func write(_ story: Story, claims: Int, to name: String) throws {
        try export.write((0..<claims).map { try story.claim($0, authority) }.joined(), to: name)
    }

    /// The changes of the findings of a rule, by subject.
    private func changes(_ story: Story, _ input: String, _ arguments: [String]) throws -> [String] {
        let run = try AuditProcess(
            [
                "run", export.path(input), "--root", export.root, "--root", export.path("tokens.cer"), "--allow-empty",
                "--max-unreadable", "1", "--report", "fraud=-", "--quiet",
            ] + arguments)
        try #require(run.exitCode == 0, "\(run.messages)")
        let rule = story.rawValue.prefix { $0 != " " }
        return run.rows.filter { $0["rule"] == String(rule) }.map {
            "\($0["rule"] ?? "") \($0["subject"] ?? "") \($0["change"] ?? "")"
        }
    }

    private func policy(_ story: Story) throws -> [String] {
        try export.write(story.mildPolicy, to: "policy.yml")
        return ["--policy", export.path("policy.yml")]
    }

    @Test(arguments: Story.allCases)
    func `is resolved where a later run with the ledger has a claim of it and finds nothing`(story: Story) throws {
        try write(story, claims: 12, to: "all.ndjson")
        try write(story, claims: 1, to: "one.ndjson")
        let state = ["--state", export.path("ledger.db")]
        #expect(try changes(story, "all.ndjson", state + ["--as-of", "2026-06-28"]) == [story.rawValue + " new"])
        let later = try changes(story, "one.ndjson", state + policy(story) + ["--as-of", "2026-06-29"])
        #expect(later == [story.rawValue + " resolved"])
    }

    @Test(arguments: Story.allCases)
    func `is left alone where a later run with the ledger has no claim of it`(story: Story) throws {
        try write(story, claims: 12, to: "all.ndjson")
        let state = ["--state", export.path("ledger.db")]
        #expect(try changes(story, "all.ndjson", state + ["--as-of", "2026-06-28"]) == [story.rawValue + " new"])
        #expect(try changes(story, "nobody.ndjson", state + policy(story) + ["--as-of", "2026-06-29"]).isEmpty)
    }

    @Test(arguments: Story.allCases)
    func `is resolved where it is in the baseline and a run has a claim of it and finds nothing`(story: Story) throws {
        try write(story, claims: 12, to: "all.ndjson")
        try write(story, claims: 1, to: "one.ndjson")
        let asOf = ["--as-of", "2026-06-28"]
        let first = try changes(story, "all.ndjson", asOf + ["--report", "fraud=" + export.path("first.csv")])
        #expect(first == [story.rawValue + " "])
        let baseline = asOf + ["--baseline", export.path("first.csv")]
        #expect(try changes(story, "one.ndjson", baseline) == [story.rawValue + " resolved"])
        #expect(try changes(story, "nobody.ndjson", baseline).isEmpty)
    }
}
