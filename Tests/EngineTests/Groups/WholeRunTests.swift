import Corpus
import Encodings
import Files
import Foundation
import Inputs
import SampleStore
import Synchronization
import Testing

@testable import Engine

/// Runs of all stages over random claims, against one thread that does all in memory.
struct `A run over random claims` {
    private let tables: RandomTables
    private let spill: SpillFolder

    init() throws {
        tables = try RandomTables.shared.get()
        spill = try SpillFolder()
    }

    static let settings = (1...8).flatMap { workers in
        [1, 8 << 20, 256 << 20].map { (workers: workers, memory: $0) }
    }

    @Test(arguments: Exhaustive.cases(settings, every: 7))
    func `finds the same with any number of workers and any memory`(workers: Int, memory: Int) throws {
        let found = try tables.run(workers: workers, memory: memory, spillingTo: spill.path)
        #expect(found.difference(from: tables.expected) == nil)
        #expect(found.rows[0].split(separator: "\n").count == tables.count)
        #expect(spill.left == [])
    }

    @Test(.enabled(if: Exhaustive.isOn, "AUDIT_EXHAUSTIVE is not set"), arguments: 2...9)
    func `finds the same in other tables`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let tables = try RandomTables(seed: seed, rows: (0..<6).map { _ in 1 + random.below(300) })
        let found = try tables.run(workers: 1 + random.below(8), memory: 1, spillingTo: spill.path)
        #expect(found.difference(from: tables.expected) == nil)
    }
}

/// Runs that end before they are done, at any moment.
struct `A run that is truncated` {
    private let tables: RandomTables
    private let spill: SpillFolder
    private let reports: SpillFolder

    init() throws {
        tables = try RandomTables.shared.get()
        spill = try SpillFolder()
        reports = try SpillFolder()
    }

    /// In thousandths of a run, the very first and the last moments included.
    static let moments = Exhaustive.cases(Array(stride(from: 0, to: 980, by: 14)) + [990, 999], every: 12)

    private struct Refusal: Error {}

    /// Counts how often a run asks something, and says when it has asked so often.
    private final class Moment: Sendable {
        private let asked = Atomic(0)
        private let number: Int

        init(_ number: Int) { self.number = number }

        var count: Int { asked.load(ordering: .relaxed) }
        /// Whether the moment has come. It does not pass.
        func hasCome() -> Bool { asked.add(1, ordering: .relaxed).newValue > number }
    }

    private var report: String { reports.path + "/report.txt" }

    /// Runs, and replaces the report if nothing stops that.
    private func run(
        source: (any ClaimSource)? = nil, isStopped: @escaping @Sendable () -> Bool,
        write: (Span<UInt8>) throws -> Void = { _ in }
    ) throws -> AuditOutcome {
        let file = try OutputFile(replacing: report)
        let outcome = try tables.run(
            workers: 3, memory: 1, spillingTo: spill.path, source: source, isStopped: isStopped
        ) {
            try write($0)
            try file.write($0)
        }
        try file.finish()
        try Publication.publish([file])
        return outcome
    }

    /// Cuts a run short: it throws, or nothing is missing in what it finds.
    ///
    /// - Returns: whether it threw.
    private func cut(
        _ body: () throws -> AuditOutcome, _ isExpected: (any Error) -> Bool
    ) throws -> Bool {
        try Data("old".utf8).write(to: URL(filePath: report))
        var hasThrown = false
        do {
            let found = try body()
            #expect(found.difference(from: tables.expected) == nil)
        } catch {
            #expect(isExpected(error), "\(error)")
            hasThrown = true
        }
        let text = try String(contentsOfFile: report, encoding: .utf8)
        #expect((text == "old") == hasThrown)
        #expect(spill.left == [])
        #expect(reports.left == ["report.txt"])
        return hasThrown
    }

    /// How often a whole run asks whether it is stopped.
    private func questions() throws -> Int {
        let moment = Moment(.max)
        _ = try run(isStopped: { moment.hasCome() })
        return moment.count
    }

    @Test func `ends as interrupted, whenever that is, and leaves the old report and no file`() throws {
        let questions = try questions()
        var interrupted = 0
        for thousandth in Self.moments {
            let moment = Moment(questions * thousandth / 1000)
            if try cut({ try run(isStopped: { moment.hasCome() }) }, { $0 is Interrupted }) { interrupted += 1 }
        }
        // How often a run asks depends on which worker is the fastest; the last moments may never come.
        #expect(interrupted >= Self.moments.count - 2)
    }

    @Test func `ends with the error of its temporary folder, if that goes away`() throws {
        let questions = try questions()
        var failed = 0
        for thousandth in Self.moments {
            let moment = Moment(questions * thousandth / 1000)
            let path = spill.path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let isStopped = { @Sendable in
                if moment.hasCome() { try? FileManager.default.removeItem(atPath: path) }
                return false
            }
            if try cut({ try run(isStopped: isStopped) }, { $0 is FileError }) { failed += 1 }
        }
        // What was spilled before is still there, and later stages need no more files.
        #expect(failed >= Self.moments.count / 4)
    }

    @Test(arguments: Exhaustive.cases([0, 1, 2, 3, 4], every: 3))
    func `ends with the error of its source`(blocks: Int) throws {
        let source = FailingSource(try Inputs(tables.inputs), after: blocks)
        let hasThrown = try cut(
            { try run(source: source, isStopped: { false }) }, { $0 as? InputError == FailingSource.error })
        #expect(hasThrown)
    }

    @Test(arguments: Exhaustive.cases([0, 1, 2, 5, 7], every: 3))
    func `ends with the error of the report that is being written`(pieces: Int) throws {
        var written = 0
        let hasThrown = try cut(
            {
                try run(isStopped: { false }) { _ in
                    if written == pieces { throw Refusal() }
                    written += 1
                }
            }, { $0 is Refusal })
        #expect(hasThrown)
    }
}

/// A source that fails after some blocks.
private final class FailingSource: ClaimSource {
    static let error = InputError.unreadable(path: "export.ndjson", reason: "Input/output error")
    private let source: Inputs
    private var left: Int

    init(_ source: Inputs, after blocks: Int) {
        self.source = source
        left = blocks
    }

    func next() throws(InputError) -> ClaimBlock? {
        if left == 0 { throw Self.error }
        left -= 1
        return try source.next()
    }

    var omissions: Omissions { source.omissions }
    var fraction: Double? { source.fraction }
}
