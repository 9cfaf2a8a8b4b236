import Dispatch
import Synchronization

/// Work on all cores whose results come out in the order in which it went in.
///
///     next ─▶ load, by readers ─▶ work, by workers ─▶ write, in order
///
/// Readers are apart from workers because files that are not in memory make a thread wait: with more readers
/// than cores the disk is kept busy. Everything goes in blocks, so that threads meet at a lock once a block.
/// Only so many blocks are under way at once: a slow writer holds up the readers, and memory stays bounded.
///
/// This is the only file that knows of Dispatch.
public struct OrderedPipeline: Sendable {
    public let readers: Int
    public let workers: Int
    /// The number of blocks that may be under way at once.
    private var capacity: Int { 2 * (readers + workers) + 2 }

    public init(readers: Int, workers: Int) {
        self.readers = max(1, readers)
        self.workers = max(1, workers)
    }

    /// Runs until there is no next block, something throws, or the run is told to stop.
    ///
    /// - Parameters:
    ///   - isStopped: whether the run is to end, asked once a block.
    ///   - next: the next block; called by one thread at a time.
    ///   - makeReader: called once on each reader's thread; what it returns completes a block.
    ///   - makeWorker: called once on each worker's thread; what it returns works on a block.
    ///   - write: takes the results in order, on the calling thread.
    public func run<Block: Sendable, Output: Sendable>(
        isStopped: @escaping @Sendable () -> Bool,
        next: @escaping @Sendable () throws -> Block?,
        makeReader: @escaping @Sendable () throws -> (inout Block) -> Void,
        makeWorker: @escaping @Sendable () throws -> (Block) -> Output,
        write: (Output) throws -> Void
    ) throws {
        let belt = Belt<Block, Output>(readers: readers, workers: workers, capacity: capacity, isStopped: isStopped)
        let threads = DispatchGroup()
        for index in 0..<readers {
            DispatchQueue(label: "reader \(index)").async(group: threads) {
                belt.read(next: next, makeReader: makeReader)
            }
        }
        for index in 0..<workers {
            DispatchQueue(label: "worker \(index)").async(group: threads) {
                belt.work(makeWorker: makeWorker)
            }
        }
        defer { threads.wait() }
        do {
            while let output = try belt.nextOutput() { try write(output) }
        } catch {
            belt.fail(error)
            throw error
        }
    }
}

/// The run was told to stop.
public struct Interrupted: Error {}

/// The blocks under way between the threads of one run.
private final class Belt<Block: Sendable, Output: Sendable>: Sendable {
    private struct State {
        var taken = 0
        var isSourceAtEnd = false
        var loaded: [(number: Int, block: Block)] = []
        var outputs: [Int: Output] = [:]
        var written = 0
        var activeReaders: Int
        var activeWorkers: Int
        var error: (any Error)?
    }

    private let state: Mutex<State>
    private let source = Mutex(())
    private let workers: Int
    private let isStopped: @Sendable () -> Bool
    /// How many more blocks may be taken.
    private let free: DispatchSemaphore
    /// Signalled for each loaded block, and for each worker when there will be no more.
    private let loaded = DispatchSemaphore(value: 0)
    /// Signalled for each output, and for each worker that ends.
    private let ready = DispatchSemaphore(value: 0)

    init(readers: Int, workers: Int, capacity: Int, isStopped: @escaping @Sendable () -> Bool) {
        state = Mutex(State(activeReaders: readers, activeWorkers: workers))
        // Raised from 0, because a semaphore must not end below the value that it began with.
        free = DispatchSemaphore(value: 0)
        for _ in 0..<capacity { free.signal() }
        self.workers = workers
        self.isStopped = isStopped
    }

    /// Ends the run. Only the first reason is kept.
    func fail(_ error: any Error) {
        state.withLock { $0.error = $0.error ?? error }
        free.signal()  // a reader that waits for room sees it, and tells the next
    }

    /// A reader's thread.
    func read(next: () throws -> Block?, makeReader: () throws -> (inout Block) -> Void) {
        do {
            let load = try makeReader()
            while case (let number, var block)? = try take(next) {
                load(&block)
                let filled = block
                state.withLock { $0.loaded.append((number, filled)) }
                loaded.signal()
            }
        } catch {
            fail(error)
        }
        free.signal()  // so that every reader learns of the end
        if state.withLock({ $0.activeReaders -= 1; return $0.activeReaders == 0 }) {
            for _ in 0..<workers { loaded.signal() }
        }
    }

    /// Takes the next block from the source, in order, as soon as one more may be under way.
    private func take(_ next: () throws -> Block?) throws -> (Int, Block)? {
        free.wait()
        return try source.withLock { _ in
            if isStopped() { throw Interrupted() }
            guard !state.withLock({ $0.isSourceAtEnd || $0.error != nil }) else { return nil }
            guard let block = try next() else {
                state.withLock { $0.isSourceAtEnd = true }
                return nil
            }
            return state.withLock { state in
                defer { state.taken += 1 }
                return (state.taken, block)
            }
        }
    }

    /// A worker's thread.
    func work(makeWorker: () throws -> (Block) -> Output) {
        do {
            let work = try makeWorker()
            while let (number, block) = try nextLoaded() {
                let output = work(block)
                state.withLock { $0.outputs[number] = output }
                ready.signal()
            }
        } catch {
            fail(error)
        }
        state.withLock { $0.activeWorkers -= 1 }
        ready.signal()
    }

    /// The next loaded block; `nil` when there will be none.
    private func nextLoaded() throws -> (number: Int, block: Block)? {
        loaded.wait()
        if isStopped() { throw Interrupted() }
        return state.withLock { $0.error != nil || $0.loaded.isEmpty ? nil : $0.loaded.removeFirst() }
    }

    /// The next output in order; `nil` when all are written.
    func nextOutput() throws -> Output? {
        while true {
            let (output, isOver, error) = state.withLock { state in
                let output = state.outputs.removeValue(forKey: state.written)
                if output != nil { state.written += 1 }
                return (output, state.activeWorkers == 0, state.error)
            }
            if let error { throw error }
            if let output {
                free.signal()
                return output
            }
            if isOver { return nil }
            ready.wait()
        }
    }
}
