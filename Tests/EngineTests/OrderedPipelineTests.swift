import Glibc
import Synchronization
import Testing

@testable import Engine

struct `An ordered pipeline` {
    @Test(arguments: [(1, 1), (1, 4), (8, 2), (3, 16)])
    func `writes in the order in which it reads, with any number of threads`(readers: Int, workers: Int) throws {
        var written: [Int] = []
        try run(OrderedPipeline(workers: workers, readers: readers), blocks: 1000) { written.append($0) }
        #expect(written == (0..<1000).map { $0 * 10 + 3 })
    }

    @Test(arguments: [-1, 1, 50])
    func `writes the same whether loading waits never, at first or later`(waitsAt: Int) throws {
        var written: [Int] = []
        try run(OrderedPipeline(workers: 3), blocks: 1000, waitsAt: waitsAt) { written.append($0) }
        #expect(written == (0..<1000).map { $0 * 10 + 3 })
    }

    @Test(.timeLimit(.minutes(10)))
    func `has no more workers than leave threads for readers`() throws {
        let next = Atomic(0)
        let started = Atomic(0)
        let pipeline = OrderedPipeline(workers: 1024)
        var written: [Int] = []
        try pipeline.run(
            isStopped: { false },
            next: {
                let number = next.add(1, ordering: .relaxed).oldValue
                return number < 2000 ? number : nil
            },
            makeLoader: {
                { _ in
                    // Every worker that gets a thread has begun before any of them asks for readers.
                    while started.load(ordering: .relaxed) < min(pipeline.workers, 255) { usleep(100) }
                    return true
                }
            },
            makeWorker: {
                started.add(1, ordering: .relaxed)
                return { (block: inout Int) in block }
            },
            write: { written.append($0) })
        #expect(written == Array(0..<2000))
    }

    @Test func `ends at once when there is nothing to do`() throws {
        var written: [Int] = []
        try run(OrderedPipeline(workers: 4), blocks: 0) { written.append($0) }
        #expect(written.isEmpty)
    }

    @Test func `holds up the readers when the writer is slow`() throws {
        let taken = Atomic(0)
        var mostAhead = 0
        var written = 0
        try run(OrderedPipeline(workers: 2, readers: 2), blocks: 500, onTake: { taken.add(1, ordering: .relaxed) }) {
            _ in
            written += 1
            mostAhead = max(mostAhead, taken.load(ordering: .relaxed) - written)
        }
        #expect(mostAhead <= 12)
    }

    @Test func `throws what the source throws`() throws {
        #expect(throws: Refusal.source) {
            try run(OrderedPipeline(workers: 2, readers: 3), blocks: 100, failAt: 50) { _ in }
        }
    }

    @Test func `throws what the writer throws, and its threads end`() throws {
        var count = 0
        #expect(throws: Refusal.writer) {
            try run(OrderedPipeline(workers: 2, readers: 3), blocks: 100_000) { _ in
                count += 1
                if count == 10 { throw Refusal.writer }
            }
        }
    }

    @Test func `throws what a worker's start throws`() throws {
        #expect(throws: Refusal.worker) {
            try OrderedPipeline(workers: 3, readers: 1).run(
                isStopped: { false }, next: { 1 }, makeLoader: { { _ in false } },
                makeWorker: { () throws -> (inout Int) -> Int in throw Refusal.worker }, write: { _ in })
        }
    }

    @Test func `stops soon after it is told to`() throws {
        let stop = Mutex(false)
        var count = 0
        #expect(throws: Interrupted.self) {
            try run(OrderedPipeline(workers: 2, readers: 2), blocks: .max, isStopped: { stop.withLock { $0 } }) { _ in
                count += 1
                if count == 100 { stop.withLock { $0 = true } }
            }
        }
        #expect(count < 200)
    }

    @Test func `does two things at once, of which each may wait for the other`() throws {
        let first = Atomic(false)
        let second = Atomic(false)
        let value = try OrderedPipeline.atOnce { _ in
            first.store(true, ordering: .relaxed)
            while !second.load(ordering: .relaxed) { usleep(100) }
        } _: {
            while !first.load(ordering: .relaxed) { usleep(100) }
            second.store(true, ordering: .relaxed)
            return 7
        }
        #expect(value == 7)
    }

    @Test func `throws what the first of two things throws, when the second has ended`() throws {
        var hasEnded = false
        #expect(throws: Refusal.source) {
            try OrderedPipeline.atOnce({ _ in throw Refusal.source }, { hasEnded = true })
        }
        #expect(hasEnded)
    }

    @Test func `throws what the second of two things throws, and tells the first that it need not go on`() throws {
        #expect(throws: Refusal.writer) {
            try OrderedPipeline.atOnce({ hasFailed in while !hasFailed() { usleep(100) } }, { throw Refusal.writer })
        }
    }

    private enum Refusal: Error { case source, worker, writer }

    /// Runs numbers through a reader and a worker that do a little arithmetic.
    private func run(
        _ pipeline: OrderedPipeline, blocks: Int, isStopped: @escaping @Sendable () -> Bool = { false },
        failAt: Int = -1, waitsAt: Int = 7,
        onTake: @escaping @Sendable () -> Void = {}, write: (Int) throws -> Void
    ) throws {
        let next = Mutex(0)
        try pipeline.run(
            isStopped: isStopped,
            next: {
                let number = next.withLock { number in
                    defer { number += 1 }
                    return number
                }
                if number == failAt { throw Refusal.source }
                onTake()
                return number < blocks ? number : nil
            },
            makeLoader: {
                {
                    $0 += 1
                    return $0 % 100 == waitsAt
                }
            },
            makeWorker: { { (block: inout Int) in (block - 1) * 10 + 3 } },
            write: write)
    }
}
