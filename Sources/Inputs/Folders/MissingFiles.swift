import Encodings

/// The rows of a manifest that name no file of its folder, and the files probably meant: with the same name elsewhere.
struct MissingFiles {
    /// The number of rows.
    private(set) var count = 0
    private var rows = NameSample()
    private var files = NameSample()

    /// Adds a row that names no file.
    mutating func add(row path: Span<UInt8>) {
        count += 1
        rows.add(path)
    }

    /// Adds a file that no row names.
    mutating func add(file path: Span<UInt8>) { files.add(path) }

    /// The paths of some rows.
    var paths: [[UInt8]] { rows.entries.map(\.path) }

    /// A file that no row names.
    var file: String? { files.entries.first.map { String(decoding: $0.path, as: UTF8.self) } }

    /// A row and a file that differ only in their folders, or in case.
    var example: (row: String, file: String)? {
        for row in rows.entries {
            if let file = files.entries.first(where: { $0.name == row.name }) {
                return (String(decoding: row.path, as: UTF8.self), String(decoding: file.path, as: UTF8.self))
            }
        }
        return nil
    }
}

/// A sample of many paths: those whose names have the smallest hashes, so that two lists of the same names give the
/// same sample.
private struct NameSample {
    struct Entry {
        let hash: UInt64
        /// The last component, in lower case.
        let name: [UInt8]
        let path: [UInt8]
    }

    private(set) var entries: [Entry] = []
    private static let count = 32

    mutating func add(_ path: Span<UInt8>) {
        var start = 0
        for index in path.indices where path[index] == 0x2f || path[index] == 0x5c { start = index + 1 }
        var name = path.extracting(start...).copy()
        for index in name.indices where (0x41...0x5a).contains(name[index]) { name[index] |= 0x20 }
        let hash = name.span.stableHash
        if entries.count == Self.count, let last = entries.last, hash >= last.hash { return }
        let place = entries.firstIndex { $0.hash > hash } ?? entries.count
        entries.insert(Entry(hash: hash, name: name, path: path.copy()), at: place)
        if entries.count > Self.count { entries.removeLast() }
    }
}
