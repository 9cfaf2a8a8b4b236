internal import Glibc

/// The receipt files of a folder, in byte order of their paths, and which of them a row has named.
///
/// A million of them must fit: one arena of bytes, one offset and one bit for each path.
final class FolderListing {
    /// The paths, each with a NUL behind it.
    private var paths: [UInt8] = []
    private var offsets: [Int] = []
    private var hasRow: [UInt64] = []
    /// Where the path is that was asked for last: manifests are often in order.
    private var last = -1

    var count: Int { offsets.count }
    /// How many have a row.
    private(set) var marked = 0

    func append(_ folder: [UInt8], _ name: UnsafeRawBufferPointer) {
        offsets.append(paths.count)
        paths.append(contentsOf: folder)
        unsafe paths.append(contentsOf: name)
        paths.append(0)
    }

    /// Puts the paths in order; only then can they be found.
    func sort() {
        unsafe paths.withUnsafeBytes { bytes in
            guard let base = unsafe bytes.bindMemory(to: CChar.self).baseAddress else { return }
            offsets.sort { unsafe strcmp(base + $0, base + $1) < 0 }
        }
        hasRow = Array(repeating: 0, count: (count + 63) / 64)
    }

    /// Appends the path of a file and the NUL behind it, and returns the range of the path.
    func append(_ index: Int, to arena: inout ByteArena) -> Range<Int> {
        let paths = paths
        var end = offsets[index]
        while paths[end] != 0 { end += 1 }
        let range = arena.append(paths.span.extracting(offsets[index]...end))
        return range.lowerBound..<(range.upperBound - 1)
    }

    func isMarked(_ index: Int) -> Bool { hasRow[index >> 6] >> UInt64(index & 63) & 1 != 0 }

    /// Notes that a row names this file, if it is there.
    func mark(_ path: Range<Int>, in arena: ByteArena) {
        guard let index = find(arena.span(path)) else { return }
        last = index
        if !isMarked(index) { marked += 1 }
        hasRow[index >> 6] |= 1 << UInt64(index & 63)
    }

    private func find(_ path: Span<UInt8>) -> Int? {
        if last + 1 < count, compare(path, last + 1) == 0 { return last + 1 }
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            let order = compare(path, middle)
            if order == 0 { return middle }
            if order < 0 { high = middle } else { low = middle + 1 }
        }
        return nil
    }

    /// Below, at or above zero, as `path` is before, at or after the file in byte order.
    private func compare(_ path: Span<UInt8>, _ index: Int) -> Int {
        let start = offsets[index]
        for position in path.indices {
            // The NUL at the end of a path is below every byte of a name.
            let order = Int(path[position]) - Int(paths[start + position])
            if order != 0 { return order }
        }
        return -Int(paths[start + path.count])
    }
}
