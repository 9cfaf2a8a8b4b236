import Dispatch
import Synchronization

/// Work on all cores, with results in the order of the input.
///
///     next ─▶ load ─▶ work ─▶ write, in order
///
/// A worker takes a block, loads it and works on it while it is in the core's cache. Only if loading makes it wait,
/// because files are not in memory, do separate readers take over. There are more readers than cores, so that the disk
/// is kept busy. Work is divided into blocks, so that threads meet at a lock once a block. The number of blocks in
/// flight is limited: a slow writer holds up the others, and memory stays bounded.
///
/// This is the only file that uses Dispatch.
public struct OrderedPipeline: Sendable {
    /// The possible numbers of workers. Dispatch has some 255 threads: if workers occupied all of them and each waited
    /// for a reader, no reader could begin. And a worker's number is a byte in ``WorkerClaimID``.
    public static let workerRange = 1...128

    public let workers: Int
    /// The number of readers that take over when loading waits. Eight read a cold disk three times as fast as one.
    public let readers: Int

    /// - Parameters:
    ///   - workers: the number of worker threads, clamped to ``workerRange``.
    ///   - readers: the number of readers, if they are needed; 64 at most.
    public init(workers: Int, readers: Int = 8) {
        self.workers = min(max(workers, Self.workerRange.lowerBound), Self.workerRange.upperBound)
        self.readers = min(max(1, readers), 64)
    }

    /// Returns one worker for each core, up to the maximum.
    public static func workers(forCores cores: Int) -> Int { OrderedPipeline(workers: cores).workers }

    /// Runs until there is no next block, something throws, or the run is stopped.
    ///
    /// - Parameters:
    ///   - isStopped: whether to end the run; called once a block.
    ///   - next: returns the next block; called by one thread at a time.
    ///   - makeLoader: called once on each thread; returns a function that completes a block and returns whether it had
    ///     to wait.
    ///   - makeWorker: called once on each worker's thread; returns a function that works on a block.
    ///   - write: receives the results in order, on the calling thread.
    public func run<Block: Sendable, Output: Sendable>(
        isStopped: @escaping @Sendable () -> Bool,
        next: @escaping @Sendable () throws -> Block?,
        makeLoader: @escaping @Sendable () -> (inout Block) -> Bool,
        makeWorker: @escaping @Sendable () throws -> (inout Block) throws -> Output,
        write: (Output) throws -> Void
    ) throws {
        let threads = DispatchGroup()
        let belt = BlockQueue<Block, Output>(
            workers: workers, readers: readers, isStopped: isStopped, next: next, makeLoader: makeLoader,
            startReader: { body in DispatchQueue(label: "reader").async(group: threads, execute: body) })
        for index in 0..<workers {
            DispatchQueue(label: "worker \(index)").async(group: threads) { belt.work(makeWorker: makeWorker) }
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

/// The run was stopped.
public struct Interrupted: Error {
    package init() {}
}

/// The blocks in flight between the threads of one run.
private final class BlockQueue<Block: Sendable, Output: Sendable>: Sendable {
    private struct State {
        var taken = 0
        var isSourceAtEnd = false
        var loaded: [(number: Int, block: Block)] = []
        var outputs: [Int: Output] = [:]
        var written = 0
        var haveReaders = false
        var activeReaders = 0
        var activeWorkers: Int
        var error: (any Error)?
    }

    /// The number of outputs that wakes the writing thread: at most half of the blocks in flight, because otherwise
    /// everything would stop.
    private var minOutputs: Int { min(8, workers + readers) }

    private let state: Mutex<State>
    /// Held while a block is taken. Not a `Mutex`: its waiters spin, and here they wait as long as taking a block
    /// takes.
    private let source = DispatchSemaphore(value: 1)
    private let workers: Int
    private let readers: Int
    private let isStopped: @Sendable () -> Bool
    private let next: @Sendable () throws -> Block?
    private let makeLoader: @Sendable () -> (inout Block) -> Bool
    private let startReader: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// The number of blocks that may still be taken.
    private let free: DispatchSemaphore
    /// Signalled for each block that a reader has loaded, and for each worker when there are no more.
    private let loaded = DispatchSemaphore(value: 0)
    /// Signalled when there are ``minOutputs`` including the next one to write, and for each worker that ends.
    private let ready = DispatchSemaphore(value: 0)

    init(
        workers: Int, readers: Int, isStopped: @escaping @Sendable () -> Bool,
        next: @escaping @Sendable () throws -> Block?,
        makeLoader: @escaping @Sendable () -> (inout Block) -> Bool,
        startReader: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.workers = workers
        self.readers = readers
        self.isStopped = isStopped
        self.next = next
        self.makeLoader = makeLoader
        self.startReader = startReader
        state = Mutex(State(activeWorkers: workers))
        // Raised from 0, because a semaphore must not end below its initial value.
        free = DispatchSemaphore(value: 0)
        for _ in 0..<2 * (workers + readers) { free.signal() }
    }

    /// Ends the run, and keeps only the first error.
    func fail(_ error: any Error) {
        state.withLock { $0.error = $0.error ?? error }
        free.signal()  // a thread that waits for a free block sees it, and wakes the next
    }

    /// Runs a worker's thread.
    func work(makeWorker: () throws -> (inout Block) throws -> Output) {
        do {
            let work = try makeWorker()
            let load = makeLoader()
            while case (let number, var block)? = try nextBlock(load) {
                let output = try work(&block)
                let areReady = state.withLock { state in
                    state.outputs[number] = output
                    return state.outputs.count >= minOutputs && state.outputs[state.written] != nil
                }
                if areReady { ready.signal() }
            }
        } catch {
            fail(error)
        }
        state.withLock { $0.activeWorkers -= 1 }
        ready.signal()
    }

    /// Returns a block to work on: one that the worker loads itself, or one from the readers, if there are any.
    private func nextBlock(_ load: (inout Block) -> Bool) throws -> (number: Int, block: Block)? {
        if state.withLock({ $0.haveReaders }) {
            loaded.wait()
            if isStopped() { throw Interrupted() }
            return state.withLock { $0.error != nil || $0.loaded.isEmpty ? nil : $0.loaded.removeFirst() }
        }
        guard case (let number, var block)? = try take() else { return nil }
        if load(&block) { startReaders() }
        return (number, block)
    }

    private func startReaders() {
        let isFirst = state.withLock { state in
            defer { state.haveReaders = true }
            if !state.haveReaders { state.activeReaders = readers }
            return !state.haveReaders
        }
        guard isFirst else { return }
        for _ in 0..<readers { startReader { self.read() } }
    }

    /// Runs a reader's thread.
    private func read() {
        do {
            let load = makeLoader()
            while case (let number, var block)? = try take() {
                _ = load(&block)
                let filled = block
                state.withLock { $0.loaded.append((number, filled)) }
                loaded.signal()
            }
        } catch {
            fail(error)
        }
        let isLast = state.withLock { state in
            state.activeReaders -= 1
            return state.activeReaders == 0
        }
        if isLast { for _ in 0..<workers { loaded.signal() } }
    }

    /// Takes the next block from the source, in order, as soon as another may be in flight.
    private func take() throws -> (number: Int, block: Block)? {
        free.wait()
        let taken = try takeFromSource()
        if taken == nil { free.signal() }  // so that every other thread learns of the end
        return taken
    }

    private func takeFromSource() throws -> (number: Int, block: Block)? {
        source.wait()
        defer { source.signal() }
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

    /// Returns the next output in order; `nil` after the last.
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

extension OrderedPipeline {
    /// Runs pieces of work on all cores, each worker one after the other.
    func inParallel<Output: Sendable>(
        _ count: Int, isStopped: @escaping @Sendable () -> Bool,
        makeWorker: @escaping @Sendable () throws -> (Int) throws -> Output, write: (Output) -> Void
    ) throws {
        let next = Mutex(0)
        try run(
            isStopped: isStopped,
            next: {
                next.withLock { next in
                    defer { next += 1 }
                    return next < count ? next : nil
                }
            },
            makeLoader: { { (_: inout Int) in false } },
            makeWorker: {
                let work = try makeWorker()
                return { (piece: inout Int) in try work(piece) }
            },
            write: write)
    }
}

extension OrderedPipeline {
    /// Runs two functions at once, the first on a separate thread and the second on the calling one, and waits for
    /// both.
    ///
    /// - Parameter first: receives a function that returns whether the second has failed, so that it can stop early.
    static func atOnce<Value>(
        _ first: @escaping @Sendable (_ hasFailed: @escaping @Sendable () -> Bool) throws -> Void,
        _ second: () throws -> Value
    ) throws -> Value {
        let (firstError, hasFailed) = (Box<(any Error)?>(nil), Box(false))
        let threads = DispatchGroup()
        DispatchQueue(label: "beside").async(group: threads) {
            do { try first { hasFailed.value.withLock { $0 } } } catch { firstError.value.withLock { $0 = error } }
        }
        let result = Result { try second() }
        if case .failure = result { hasFailed.value.withLock { $0 = true } }
        threads.wait()
        let value = try result.get()
        if let error = firstError.value.withLock({ $0 }) { throw error }
        return value
    }

    /// A value that two threads share.
    private final class Box<Value: Sendable>: Sendable {
        let value: Mutex<Value>

        init(_ value: Value) { self.value = Mutex(value) }
    }
}

/// Makes values that are each used by one thread at a time shareable.
struct Shared<Value>: @unchecked Sendable {
    var value: Value
}
