import Corpus
import Foundation
import SampleStore
import Testing

/// Exports that are audited whole by `audit run`, and in shards by `audit map` and `audit reduce`, with sort(1)
/// between them: jobs/shards.sh.
struct `An audit in shards` {
    static let sizes = Exhaustive.isOn ? [1, 7, 64] : [3]

    @Test(arguments: sizes)
    func `writes the reports that a run writes`(shards: Int) throws {
        let export = try ShardExport(count: Exhaustive.count(120, sampled: 60), seed: 5)
        try export.write(export.lines)
        try export.compare(["export.ndjson"], shards: shards)
    }

    @Test(arguments: [Exhaustive.count(7, sampled: 2)])
    func `has a row for every torn line, blank lines or not`(shards: Int) throws {
        let export = try ShardExport(count: 60, seed: 6)
        var lines = export.lines
        lines[3] = String(lines[3].prefix(40))
        lines[7] = "\u{fffe}\t{]"
        lines[11] = ""
        lines[12] = "  \r"
        lines[13] += "\r"
        lines[15] = lines[15].replacing("{", with: #"{"presented_at":"soon","#, maxReplacements: 1)
        lines.insert(#"{"device_id":"x","unknown":1,"also unknown":[{"a":"b"}]}"#, at: 20)
        lines.insert(
            lines[30].replacing("{", with: #"{"account_id":"tab\t line\n quote\" \u0000 =1+1","#, maxReplacements: 1),
            at: 31)
        try export.write(lines, tornAtEnd: true)
        try export.compare(["export.ndjson"], shards: shards)
    }

    @Test func `joins what claims of several inputs have in common`() throws {
        let export = try ShardExport(count: Exhaustive.count(100, sampled: 60), seed: 7)
        try export.write(Array(export.lines.prefix(30)), to: "b.ndjson")
        try export.write(Array(export.lines.dropFirst(30)), to: "a.ndjson")
        let receipts = export.sample.path("receipts/devices.csv")
        let inputs = ["b.ndjson", "a.ndjson"].map(export.sample.path) + [receipts]
        try export.compare(inputs, shards: 3)
    }

    @Test(.enabled(if: Exhaustive.isOn, "AUDIT_EXHAUSTIVE is not set"))
    func `checks a purchase that nearly every claim shows`() throws {
        let export = try ShardExport(count: 20, seed: 8)
        let line = try #require(export.lines.first { $0.contains("receipt_data") && $0.contains("account_id") })
        let account = try Regex(#""account_id":"[^"]*""#)
        let shared = (0..<5000).map { line.replacing(account, with: #""account_id":"user-\#($0 % 4950)""#) }
        try export.write(export.lines + shared)
        try export.compare(["export.ndjson"], shards: 5)
    }

    @Test(
        .enabled(
            if: Exhaustive.isOn && ShardExport.hasParallel, "AUDIT_EXHAUSTIVE is not set, or no GNU parallel there"),
        arguments: ["xargs", "parallel"])
    func `runs its steps with either program`(runner: String) throws {
        let export = try ShardExport(count: 40, seed: 10)
        try export.write(export.lines)
        try export.compare(["export.ndjson"], shards: 3, ["-j", "3", "-r", runner])
    }

    @Test(.enabled(if: Exhaustive.isOn, "AUDIT_EXHAUSTIVE is not set"))
    func `joins devices to a ring whose number is an estimate, and says so`() throws {
        let export = try ShardExport(count: 20, seed: 12, forgeryShare: 0, plantShare: 0)
        let lines = export.lines.filter {
            $0.contains("receipt_data") && $0.contains("device_id") && $0.contains("account_id")
        }
        let device = try Regex(#""device_id":"[^"]*""#)
        let account = try Regex(#""account_id":"[^"]*""#)
        // One receipt on nearly all devices, another on five, by the same three accounts.
        let claims = (0..<4300).map { number in
            lines[number < 5 ? 1 : 0].replacing(device, with: #""device_id":"\#(UUID.numbered(number + 1))""#)
                .replacing(account, with: #""account_id":"user-\#(number % 3)""#)
        }
        try export.write(claims)
        try export.compare(["export.ndjson"], shards: 3)
        let rings = table(export.sample.text(of: "got/fraud.csv") ?? "").filter { $0["rule"] == "fraud-ring" }
        #expect(rings.count == 1)
        #expect(rings.first?["evidence"]?.hasSuffix("; the number of devices is an estimate") == true)
        #expect((4150...4450).contains(Int(rings.first?["devices"] ?? "") ?? 0), "\(rings)")
    }

    @Test func `reads columns under other names, which the summary repeats`() throws {
        let export = try ShardExport(count: 40, seed: 9)
        try export.write(export.lines.map { $0.replacing("\"account_id\":", with: "\"who\":") })
        try export.compare(["export.ndjson"], shards: 2, names: ["--columns", "account_id=who", "--null", "none"])
    }

    @Test func `writes pseudonyms as a run does`() throws {
        let export = try ShardExport(count: 60, seed: 9)
        try export.write(export.lines)
        try export.sample.write("0123456789abcdef", to: "key")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: export.sample.path("key"))
        try export.compare(["export.ndjson"], shards: 2, names: ["--pseudonymise", "key"])
        let accounts = table(export.sample.text(of: "got/receipts.csv") ?? "").compactMap { $0["account_id"] }
        #expect(accounts.allSatisfy { $0.isEmpty || $0.hasPrefix("p-") } && accounts.contains { $0 != "" })
    }

    @Test func `has no table of an earlier run beside its own`() throws {
        let export = try ShardExport(count: 10, seed: 9)
        try export.write(export.lines)
        for name in ["evidence.csv", "notes.csv"] { try export.sample.write("old", to: "got/" + name) }
        try export.compare(["export.ndjson"], shards: 2)
        #expect(try export.sample.names(in: "got").filter { !Self.tables.contains($0) } == ["notes.csv"])
    }

    private static let tables = ShardExport.tables.map { $0 + ".csv" }

    @Test func `audits nothing as a run does`() throws {
        let export = try ShardExport(count: 1, seed: 9)
        try export.write([])
        try export.compare(["export.ndjson"], shards: 2)
    }

    @Test func `reads files by what they hold, whatever they are called`() throws {
        let export = try ShardExport(count: 40, seed: 9)
        try export.write(export.lines, to: "claims.csv")
        let objects = export.lines.filter { $0.hasPrefix("{") }
        try export.sample.write("[" + objects.joined(separator: ",\n") + "]", to: "claims.txt")
        try export.compare(["claims.csv"], shards: 3)
        try export.compare(["claims.txt", "claims.csv"], shards: 2)
    }

    @Test func `of a table without a receipt says so, and leaves no report`() throws {
        let export = try ShardExport(count: 1, seed: 9)
        try export.sample.write("a,b\n1,2\n", to: "table.csv")
        let run = try export.shards(["table.csv"], shards: 2)
        #expect(run.exitCode != 0)
        #expect(run.messages.contains("table.csv:1: the header names neither"))
        #expect(export.sample.text(of: "got/receipts.csv") == nil)
    }
}

extension UUID {
    fileprivate static func numbered(_ number: Int) -> String {
        let digits = String(number)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }
}

/// A made-up export with planted fraud, as NDJSON.
struct ShardExport {
    static let tables = [
        "receipts", "fraud", "links", "entities", "subscriptions", "purchases", "retention", "metrics",
        "rule_quality", "summary",
    ]
    static let script = URL(filePath: #filePath).appending(path: "../../../jobs/shards.sh").standardized.path()

    /// Whether GNU parallel is there.
    static let hasParallel = FileManager.default.isExecutableFile(atPath: "/usr/bin/parallel")

    let sample: TestExport
    let lines: [String]
    private var options: [String]

    init(count: Int, seed: UInt64, forgeryShare: Double = 0.2, plantShare: Double = 0.4) throws {
        sample = try TestExport()
        try FileManager.default.removeItem(at: sample.folder)
        let export = try SampleExport(
            count: count, seed: seed, forgeryShare: forgeryShare, plantShare: plantShare,
            tokenShare: 0.3)
        _ = try ExportFolder(sample.folder.path()).write(export)
        let folder = sample.receipts
        lines = table(sample.text(of: "receipts/devices.csv") ?? "").map { row in
            var claim = row
            let file = claim.removeValue(forKey: "file") ?? ""
            if let receipt = try? Data(contentsOf: folder.appending(path: file)) {
                claim["receipt_data"] = receipt.base64EncodedString()
            } else {
                claim["file"] = file
            }
            let json = try? JSONSerialization.data(withJSONObject: claim, options: [.sortedKeys])
            return String(decoding: json ?? Data(), as: UTF8.self)
        }
        options = [
            "--root", sample.path("root.cer"), "--policy", sample.path("policy.yml"), "--as-of", "2026-06-30T00:00:00Z",
        ]
    }

    func write(_ lines: [String], to name: String = "export.ndjson", tornAtEnd: Bool = false) throws {
        try sample.write(lines.joined(separator: "\n") + (tornAtEnd || lines.isEmpty ? "" : "\n"), to: name)
    }

    /// Trusts another root, too.
    mutating func trust(_ certificate: [UInt8]) throws {
        try sample.write(certificate, to: "tokens.cer")
        options += ["--root", sample.path("tokens.cer")]
    }

    /// The rows of a table, as a run without evidence writes it.
    func rows(of table: String, in input: String) throws -> [[String: String]] {
        try AuditProcess(["run", input, "--report", "\(table)=-", "--quiet"] + options, in: sample.folder).rows
    }

    func shards(
        _ inputs: [String], shards: Int, _ given: [String] = [], evidence: [String] = [], limits: [String] = [],
        program: String = AuditProcess.path
    ) throws -> AuditProcess {
        let told = evidence.flatMap { ["-e", $0] }
        let arguments = ["-s", "\(shards)", "-o", "got"] + given + told + inputs + ["--"] + options + limits
        return try AuditProcess(
            script: Self.script, arguments, environment: ["AUDIT": program], in: sample.folder)
    }

    /// Audits both ways, and compares all reports byte by byte.
    ///
    /// - Parameter names: options that say how columns are named.
    func compare(
        _ inputs: [String], shards: Int, _ given: [String] = [], evidence: [String] = [], names: [String] = []
    ) throws {
        let tables = Self.tables + (evidence.isEmpty ? [] : ["evidence", "unclaimed", "refund_requests"])
        let reports = tables.flatMap { ["--report", "\($0)=want/\($0).csv"] }
        let told = evidence.flatMap { ["--evidence", $0] }
        let run = try AuditProcess(
            ["run", "--allow-empty"] + inputs + told + options + names + reports, in: sample.folder)
        try #require(run.exitCode == 0, "\(run.messages)")
        let sharded = try self.shards(
            inputs, shards: shards, given, evidence: evidence, limits: ["--allow-empty"] + names)
        try #require(sharded.exitCode == 0, "\(sharded.messages)")
        for table in tables {
            let (got, want) = (sample.text(of: "got/\(table).csv") ?? "", sample.text(of: "want/\(table).csv") ?? "")
            let isSame = got == want && !want.isEmpty
            #expect(isSame, "\(table): \(Self.difference(got, want))")
        }
    }

    /// The first lines that differ.
    private static func difference(_ got: String, _ want: String) -> String {
        let (a, b) = (got.split(separator: "\r\n"), want.split(separator: "\r\n"))
        let index = zip(a, b).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(a.count, b.count)
        return
            "\(a.count) lines and \(b.count); \(a.dropFirst(index).first ?? "") and \(b.dropFirst(index).first ?? "")"
    }
}
