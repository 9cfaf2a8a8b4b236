import Checks
import Corpus
import Encodings
import Files
import Foundation
import Inputs
import Proofs
import Rules
import SampleStore

@testable import Engine

/// Tables of claims with few receipts, made up of a seed, and what a run over them must find.
///
/// Each table is read in blocks of its own: what it has more than full blocks is a smaller block. The names of their
/// folders are long, and so are those of claims, which thus fill many of the smallest buffers.
final class RandomTables: Sendable {
    let inputs: [String]
    let expected: AuditOutcome
    /// How many claims there are.
    let count: Int
    private let scratch: String
    private let trust: TrustAnchors
    private let rules = RuleSet(Policy(), asOf: SampleExport.asOf)

    /// The same for all tests that ask for them.
    static let shared = Result {
        let tables = try RandomTables(seed: 1, rows: [1, 129, 2, 17])
        SharedFolders.removeAtExit(tables.scratch)
        return tables
    }

    /// - Parameter rows: of each table.
    init(seed: UInt64, rows: [Int]) throws {
        var random = SeededGenerator(seed: seed)
        let export = try SampleExport(count: 24, seed: seed, forgeryShare: 0.2, plantShare: 0.6)
        let samples = try (0..<24).map { try export.claim(at: $0) }
        trust = try TrustAnchors(files: [(name: "root.cer", bytes: export.root)])
        scratch = FileManager.default.temporaryDirectory.appending(path: "audit-tables-\(UUID())").path()
        let folder = scratch + String(repeating: "/" + String(repeating: "export-", count: 30), count: 2)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        inputs = rows.indices.map { "\(folder)/\($0).ndjson" }
        count = rows.reduce(0, +)
        for (count, path) in zip(rows, inputs) {
            let lines = (0..<count).map { _ in Self.line(of: samples, &random) }
            try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: path))
        }
        let claims = try Self.claims(in: inputs, trust, rules)
        expected = try NaiveAudit.outcome(
            of: claims, rules, asOf: SampleExport.asOf)
    }

    deinit { try? FileManager.default.removeItem(atPath: scratch) }

    /// A line with any of the receipts, mostly on the device that it was made for; one in thirty is not a claim.
    private static func line(of samples: [SampleClaim], _ random: inout SeededGenerator) -> String {
        if random.below(30) == 0 { return ["{\"receipt_data\":", "nonsense", "[]"][random.below(3)] }
        let sample = samples[random.below(3) == 0 ? 0 : random.below(samples.count)]
        let row = random.chance(percent: 60) ? sample.row : samples[random.below(samples.count)].row
        var fields = ["device_id": row.deviceID, "account_id": "user-\(random.below(9))"]
        if random.chance(percent: 20) { fields["account_id"] = nil }
        if random.chance(percent: 80) {
            fields["presented_at"] = SampleExport.asOf.adding(seconds: -3600 * Int64(random.below(9000))).description
        }
        let file = sample.file.map { Data($0.bytes) } ?? Data()
        let isText = sample.file?.path.hasSuffix(".b64") == true
        fields["receipt_data"] = isText ? String(decoding: file, as: UTF8.self) : file.base64EncodedString()
        let json = try? JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys])
        return String(decoding: json ?? Data(), as: UTF8.self)
    }

    /// The claims, checked one after the other.
    private static func claims(
        in inputs: [String], _ trust: TrustAnchors, _ rules: RuleSet
    ) throws -> [GroupedClaim] {
        let source = try Inputs(inputs)
        let identities = try IdentityHasher()
        let checker = try Checker(trust: trust, expectations: Expectations(asOf: SampleExport.asOf, rules.policy))
        var claims: [GroupedClaim] = []
        var block: UInt64 = 0
        while let next = try source.next() {
            var index = 0
            func add(_ judged: Facts, _ raw: Span<UInt8>) {
                var (facts, findings) = (judged, [Finding]())
                identities.identify(&facts, raw: raw)
                rules.evaluate(facts) { findings.append($0) }
                let number = ClaimNumber(block: block, index: index)
                claims.append(
                    GroupedClaim(
                        number: number, row: "\(facts.claim.source)\t",
                        observations: ClaimObservations(facts, claim: number), link: LinkFacts(facts),
                        findings: findings))
                index += 1
            }
            try ClaimDecoder().forEachClaim(
                in: next, onReceipt: { claim, bytes, raw in add(checker.facts(of: claim, receipt: bytes), raw) },
                onFault: { claim, fault, raw in add(checker.facts(of: claim, fault: fault), raw) })
            block += 1
        }
        return claims
    }

    /// Runs all stages, and reads all tables.
    ///
    /// - Parameters:
    ///   - source: the inputs, if not all of them.
    ///   - write: receives the rows of all formats before they are read.
    func run(
        workers: Int, memory: Int, spillingTo spill: String, source: (any ClaimSource)? = nil,
        isStopped: @escaping @Sendable () -> Bool = { false }, write: (Span<UInt8>) throws -> Void = { _ in }
    ) throws -> AuditOutcome {
        let encoders = (0..<GroupRun.formats).map { _ in GroupRun.encoder }
        let run = AuditRun(
            trust: trust, expectations: Expectations(asOf: SampleExport.asOf, rules.policy), rules: rules,
            workers: workers, storage: Storage(memory: memory, folder: spill), withLinks: true)
        let result = try run.run(try source ?? Inputs(inputs), encoders: encoders, isStopped: isStopped)
        return try AuditOutcome(result, formats: encoders.count, write: write)
    }
}
