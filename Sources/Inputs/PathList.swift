/// Paths in byte order, with a mark for those that have been met.
///
/// They stand one after the other in one buffer, so that a million of them cost little more than their letters.
struct PathList: Sendable {
    private var letters: [UInt8] = []
    /// Where each path begins and ends.
    private var ranges: [Range<Int32>] = []
    private var marks: [UInt64] = []

    var count: Int { ranges.count }

    /// Adds a path; false if there is no room for it.
    mutating func append(_ path: String) -> Bool {
        let start = letters.count
        letters.append(contentsOf: path.utf8)
        guard let end = Int32(exactly: letters.count) else {
            letters.removeLast(letters.count - start)
            return false
        }
        ranges.append(Int32(start)..<end)
        return true
    }

    /// Brings the paths into byte order. Called once, after the last has been added.
    mutating func sort() {
        let letters = letters
        ranges.sort { Self.precedes(letters.span, $0, $1) }
        marks = [UInt64](repeating: 0, count: (ranges.count + 63) / 64)
    }

    subscript(index: Int) -> String {
        String(decoding: letters[Int(ranges[index].lowerBound)..<Int(ranges[index].upperBound)], as: UTF8.self)
    }

    func isMarked(_ index: Int) -> Bool { marks[index / 64] & (1 << UInt64(index % 64)) != 0 }

    /// Marks a path, if it is in the list.
    mutating func mark(_ path: String) {
        let wanted = path.utf8.span
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if compare(middle, to: wanted) { low = middle + 1 } else { high = middle }
        }
        guard low < ranges.count, self[low] == path else { return }
        marks[low / 64] |= 1 << UInt64(low % 64)
    }

    /// Whether the path at an index comes before another one.
    private func compare(_ index: Int, to wanted: Span<UInt8>) -> Bool {
        Self.precedes(letters.span.extracting(Self.bounds(ranges[index])), wanted)
    }

    private static func precedes(_ letters: Span<UInt8>, _ first: Range<Int32>, _ second: Range<Int32>) -> Bool {
        precedes(letters.extracting(bounds(first)), letters.extracting(bounds(second)))
    }

    private static func precedes(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
        for index in 0..<min(first.count, second.count) where first[index] != second[index] {
            return first[index] < second[index]
        }
        return first.count < second.count
    }

    private static func bounds(_ range: Range<Int32>) -> Range<Int> { Int(range.lowerBound)..<Int(range.upperBound) }
}
