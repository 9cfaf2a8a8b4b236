import Corpus
import Engine
import Glibc
import SampleStore
import Synchronization
import Testing

/// Pipelines of any number of threads, on blocks that take any time. Some blocks fail.
struct `A pipeline of any shape` {
    enum Failure: Error, CaseIterable { case source, workerStart, worker, writer, stop }

    struct Shape: CustomTestStringConvertible, Sendable {
        let seed: UInt64
        let workers: Int
        let readers: Int
        let blocks: Int
        /// In how many of a hundred blocks loading has to wait.
        let waits: Int
        /// How many blocks go well before one fails.
        let failsAt: Int

        init(seed: UInt64, blocks: Int? = nil) {
            var random = SeededGenerator(seed: seed)
            self.seed = seed
            workers = 1 + random.below(8)
            readers = 1 + random.below(8)
            self.blocks = blocks ?? 1 + random.below(200)
            waits = [0, 1, 30, 100][random.below(4)]
            failsAt = random.below(max(1, self.blocks))
        }

        /// Blocks that were taken and not yet written: those under way, and the one that is being written.
        var maxUnderWay: Int { 2 * (workers + readers) + 1 }

        var testDescription: String {
            "seed \(seed): \(workers) workers, \(readers) readers, \(blocks) blocks, \(waits) % wait, at \(failsAt)"
        }
    }

    static let shapes = Exhaustive.cases((0..<300).map { Shape(seed: $0) }, every: 12)

    @Test(arguments: shapes + [Shape(seed: 0, blocks: 0)])
    func `writes every block once and in order, and never has more than its limit under way`(shape: Shape) throws {
        let observer = try Self.run(shape)
        #expect(observer.written == Array(0..<shape.blocks))
        #expect(observer.mostUnderWay <= shape.maxUnderWay)
        #expect(observer.active == 0)
    }

    @Test(arguments: shapes, Failure.allCases)
    func `ends with the error that is thrown, and none of its threads goes on`(shape: Shape, failure: Failure) throws {
        var observer: Observer?
        let error = #expect(throws: (any Error).self) { try Self.run(shape, failing: failure) { observer = $0 } }
        if failure == .stop { #expect(error is Interrupted) } else { #expect(error as? Failure == failure) }
        let found = try #require(observer)
        #expect(found.active == 0)
        #expect(found.written == Array(0..<found.written.count), "what was written before was in order")
        if failure == .writer { #expect(found.written.count == shape.failsAt) }
    }

    @Test(arguments: Exhaustive.cases([1, 2, 8], every: 2))
    func `takes no more blocks than its limit while the writer waits`(workers: Int) throws {
        // Nothing is ever loaded slowly, so that there are no readers; they count all the same.
        let pipeline = OrderedPipeline(workers: workers, readers: 3)
        let taken = Atomic(0)
        let mostTaken = 2 * (workers + 3)
        var written = 0
        try pipeline.run(
            isStopped: { false },
            next: { () -> Int? in
                let number = taken.add(1, ordering: .relaxed).oldValue
                return number < 500 ? number : nil
            },
            makeLoader: { { (_: inout Int) in false } }, makeWorker: { { (block: inout Int) in block } },
            write: { _ in
                written += 1
                guard written == 1 else { return }
                // All that may be taken is taken, however long that takes.
                while taken.load(ordering: .relaxed) < mostTaken + 1 { sched_yield() }
                for _ in 0..<1000 { sched_yield() }
                #expect(taken.load(ordering: .relaxed) == mostTaken + 1)
            })
        #expect(written == 500)
    }

    /// What was seen of a run.
    private final class Observer: Sendable {
        private struct State {
            var written: [Int] = []
            var taken = 0
            var mostUnderWay = 0
            var active = 0
        }
        private let state = Mutex(State())

        var written: [Int] { state.withLock { $0.written } }
        var mostUnderWay: Int { state.withLock { $0.mostUnderWay } }
        /// How many threads are in a body that was given to the pipeline.
        var active: Int { state.withLock { $0.active } }

        /// The number of the next block.
        func take() -> Int {
            state.withLock { state in
                defer { state.taken += 1 }
                return state.taken
            }
        }

        /// Records that a block was handed out.
        func recordUnderWay() {
            state.withLock { $0.mostUnderWay = max($0.mostUnderWay, $0.taken - $0.written.count) }
        }

        func record(written block: Int) { state.withLock { $0.written.append(block) } }

        func doing<Result>(_ body: () throws -> Result) rethrows -> Result {
            state.withLock { $0.active += 1 }
            defer { state.withLock { $0.active -= 1 } }
            return try body()
        }
    }

    /// Runs numbered blocks through a pipeline.
    @discardableResult
    private static func run(
        _ shape: Shape, failing failure: Failure? = nil, observing: (Observer) -> Void = { _ in }
    ) throws -> Observer {
        let observer = Observer()
        observing(observer)
        let isStopped = Atomic(false)
        /// Lets other threads run for a time that depends on the block.
        @Sendable func dawdle(_ block: Int, _ step: Int) {
            var random = SeededGenerator(seed: shape.seed, index: 8 * block + step)
            for _ in 0..<random.below(20) { sched_yield() }
        }
        try OrderedPipeline(workers: shape.workers, readers: shape.readers).run(
            isStopped: { isStopped.load(ordering: .relaxed) },
            next: { () throws -> Int? in
                try observer.doing {
                    let number = observer.take()
                    if failure == .source, number == shape.failsAt { throw Failure.source }
                    // Without an end, so that only the stop can end the run.
                    guard number < shape.blocks || failure == .stop else { return nil }
                    observer.recordUnderWay()
                    return number
                }
            },
            makeLoader: {
                { (block: inout Int) in
                    observer.doing {
                        dawdle(block, 0)
                        var random = SeededGenerator(seed: shape.seed, index: 8 * block + 1)
                        return random.chance(percent: shape.waits)
                    }
                }
            },
            makeWorker: {
                if failure == .workerStart { throw Failure.workerStart }
                return { (block: inout Int) throws -> Int in
                    try observer.doing {
                        dawdle(block, 2)
                        if failure == .worker, block == shape.failsAt { throw Failure.worker }
                        return block
                    }
                }
            },
            write: { (block: Int) throws in
                try observer.doing {
                    dawdle(block, 3)
                    if failure == .writer, block == shape.failsAt { throw Failure.writer }
                    if failure == .stop, block == shape.failsAt { isStopped.store(true, ordering: .relaxed) }
                    observer.record(written: block)
                }
            })
        return observer
    }
}
