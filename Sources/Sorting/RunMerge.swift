import Files

/// Merges sorted runs: a heap of their readers, the one with the least record on top.
final class RunMerge {
    private var heap: [SortedRun.Reader] = []

    init(_ runs: [SortedRun], budget: Int) throws(FileError) {
        let bufferSize = max(16 << 10, min(1 << 20, budget / (2 * max(1, runs.count))))
        for run in runs {
            var reader = SortedRun.Reader(run, bufferSize: bufferSize)
            if try reader.next() { heap.append(reader) }
        }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
    }

    func next() throws(FileError) -> [UInt8]? {
        guard !heap.isEmpty else { return nil }
        let record = heap[0].record
        if try !heap[0].next() {
            heap.swapAt(0, heap.count - 1)
            heap.removeLast()
        }
        sink(0)
        return record
    }

    private func sink(_ start: Int) {
        var index = start
        while case let left = 2 * index + 1, left < heap.count {
            let right = left + 1
            let least = right < heap.count && isLess(right, left) ? right : left
            guard isLess(least, index) else { return }
            heap.swapAt(index, least)
            index = least
        }
    }

    private func isLess(_ first: Int, _ second: Int) -> Bool {
        let (first, second) = (heap[first].record, heap[second].record)
        return precedes(first.span, second.span)
    }
}
