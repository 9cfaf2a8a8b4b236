import Checks
import Encodings
import Foundation
import Inputs
import Proofs
import Rules
import SampleStore
import Subscriptions

@testable import Engine

/// Shuffle, reduce and join over claims that are given, as the stages of a run.
struct GroupRun {
    var workers: Int
    /// How many bytes the run may hold.
    var memory: Int
    var folder: String
    /// Where rows wait until it is known what is found; `nil` for the same folder.
    var rowsFolder: String?
    var rules = RuleSet(Policy(), asOf: SampleExport.asOf)

    /// The number of formats of the rows.
    static let formats = 2

    static var encoder: RowEncoder {
        .joined(
            JoinedRowEncoder(
                emptyLength: 1,
                encode: { facts, bytes in
                    bytes += Array("\(facts.claim.source)\t".utf8)
                    bytes += Array("\t\n".utf8)
                    return bytes.count - 2
                },
                fill: { risk, rules, bytes in bytes += Array("\(risk.code)\t\(rules)".utf8) }))
    }

    /// - Parameter seed: decides which worker has which block, and in which order.
    func outcome(
        of claims: [GroupedClaim], seed: UInt64, isStopped: @escaping @Sendable () -> Bool = { false }
    ) throws -> AuditOutcome {
        var random = SeededGenerator(seed: seed)
        let storage = Storage(memory: memory, folder: folder)
        let run = AuditRun(
            trust: try .apple(), expectations: Expectations(asOf: SampleExport.asOf), rules: rules, workers: workers,
            storage: storage, withLinks: true)
        let stores = try (0..<workers).map { number in
            try WorkerStore(rules, asOf: SampleExport.asOf, number: number, storage: storage.divided(by: workers))
        }
        let own = (0..<Self.formats).map { _ in Self.encoder }
        let encoders = own + [.linkFacts]
        var spool = try RowSpool(encoders, Storage(memory: 4096, folder: rowsFolder ?? folder))
        var blocks = Dictionary(grouping: claims) { $0.number.block }.sorted { $0.key < $1.key }
        for (number, claims) in blocks {
            let rows = own.map { _ in Self.rows(of: claims) }
            try spool.append(MappedBlock(number: number, rows: rows + [Self.links(of: claims)]))
        }
        for index in blocks.indices.dropFirst() { blocks.swapAt(index, random.below(index + 1)) }
        for (_, claims) in blocks { try Self.add(claims, to: stores[random.below(workers)]) }
        let mapped = MappedClaims(tally: Tally(), spool: spool, stores: stores)
        let found = try run.reduce(mapped, isStopped: isStopped, onProgress: { _ in })
        let result = try run.join(mapped, found, encoders: encoders, isStopped: isStopped)
        return try AuditOutcome(result, formats: own.count)
    }

    private static func rows(of claims: [GroupedClaim]) -> EncodedRows {
        var rows = EncodedRows()
        for claim in claims {
            rows.bytes += Array(claim.row.utf8)
            rows.cells.append(rows.bytes.count)
            rows.bytes += Array("\t\n".utf8)
            rows.ends.append(rows.bytes.count)
        }
        return rows
    }

    private static func links(of claims: [GroupedClaim]) -> EncodedRows {
        var rows = EncodedRows()
        for var claim in claims {
            var record = RecordWriter()
            claim.link.code(&record)
            rows.bytes += record.bytes
            rows.cells.append(rows.bytes.count)
            rows.ends.append(rows.bytes.count)
        }
        return rows
    }

    private static func add(_ claims: [GroupedClaim], to store: WorkerStore) throws {
        for claim in claims {
            for finding in claim.findings {
                let (found, isMarking) = try store.add(finding)
                guard isMarking else { continue }
                try store.add(
                    Mark(finding: found.id, rule: finding.rule, severity: finding.severity), on: claim.number)
            }
            _ = try store.add(claim.observations)
        }
    }
}

/// A folder for the temporary files of runs, which must be gone when the runs are over.
final class SpillFolder {
    let path = FileManager.default.temporaryDirectory.appending(path: "audit-spill-\(UUID())").path()

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The files that are in it, or that are open and were.
    var left: [String] {
        let named = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let open = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
        }
        return named + open.filter { $0.hasPrefix(path) }
    }
}
