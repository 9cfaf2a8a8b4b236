import Glibc
import Synchronization
import Testing

@testable import Engine

struct `An ordered pipeline` {
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
        #expect(throws: Refusal.first) {
            try OrderedPipeline.atOnce({ _ in throw Refusal.first }, { hasEnded = true })
        }
        #expect(hasEnded)
    }

    @Test func `throws what the second of two things throws, and tells the first that it need not go on`() throws {
        #expect(throws: Refusal.second) {
            try OrderedPipeline.atOnce({ hasFailed in while !hasFailed() { usleep(100) } }, { throw Refusal.second })
        }
    }

    private enum Refusal: Error { case first, second }
}
