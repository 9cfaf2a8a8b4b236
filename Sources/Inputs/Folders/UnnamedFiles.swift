import Encodings
import Files
import Sorting

/// The receipt files of a folder that no row of its manifest names, in byte order of their paths.
///
/// There may be millions of files and of rows, in any order. They are sorted by a hash of the path, in bounded memory.
final class UnnamedFiles {
    /// The paths of files and rows until they are compared.
    private let files: RecordSorter
    private let rows: RecordSorter
    private let unnamed: RecordSorter
    private let sorter: () -> RecordSorter
    /// The folder; `nil` without a manifest.
    private let folder: ReceiptFolder?
    /// The first error of a sorter.
    private var failure: FileError?
    /// The files without a row, once all files and rows are known.
    private var result: RunMerge?

    /// The number of files so far.
    private(set) var count = 0
    /// The number of files without a row, once all are known.
    private(set) var unnamedCount = 0
    /// The number of rows so far that name a file.
    private(set) var named = 0
    /// The rows that name no file of the folder, once all are known.
    private(set) var missing = MissingFiles()

    /// - Parameter budget: the number of bytes beyond which a sorter writes to a temporary file.
    init(manifestOf folder: ReceiptFolder?, temporaryFolder: String, budget: Int = 4 << 20) {
        self.folder = folder
        sorter = { RecordSorter(budget: budget, folder: temporaryFolder) }
        files = sorter()
        rows = sorter()
        unnamed = sorter()
    }

    /// Adds a file of the folder.
    func add(file path: Span<UInt8>) {
        count += 1
        if folder != nil { add(path, to: files) } else { add(path, to: unnamed, Self.order(of: path)) }
    }

    /// Adds a file that a row names, whether it exists or not.
    func add(rowOf path: Span<UInt8>) {
        named += 1
        add(path, to: rows)
    }

    /// Adds a row whose path is refused.
    func add(refused path: Span<UInt8>) {
        named += 1
        missing.add(row: path)
    }

    /// Appends the path of the next file that no row names, with a trailing NUL, and returns the range of the path;
    /// `nil` if there are no more. All files and rows must be known.
    func next(into arena: inout ByteArena) throws(FileError) -> Range<Int>? {
        if let failure { throw failure }
        if result == nil {
            if let folder { try compare(folder) }
            result = try RunMerge(try unnamed.finish())
        }
        guard result?.isAtEnd == false, let range = result?.withRecord({ arena.append($0) }) else { return nil }
        arena.append(0)
        try result?.advance()
        return range
    }

    /// Finds the files without a row: first by the bytes of their paths, then the rest by other spellings.
    private func compare(_ folder: ReceiptFolder) throws(FileError) {
        let (otherFiles, otherRows) = (sorter(), sorter())
        try compare(files, rows) { path in
            add(path, to: otherFiles)
        } onRow: { path in
            guard let file = try? folder.file(named: path) else { return missing.add(row: path) }
            add(file.span, to: otherRows)
        }
        try compare(otherFiles, otherRows, onFile: addUnnamed) { _ in }
    }

    private func addUnnamed(_ path: Span<UInt8>) {
        missing.add(file: path)
        unnamedCount += 1
        add(path, to: unnamed, Self.order(of: path))
    }

    /// Calls one of two bodies for each file without a row, and for each row without a file.
    private func compare(
        _ files: RecordSorter, _ rows: RecordSorter, onFile: (Span<UInt8>) -> Void, onRow: (Span<UInt8>) -> Void
    ) throws(FileError) {
        var files = try RunMerge(files.finish())
        var rows = try RunMerge(rows.finish())
        var isNamed = false
        while !files.isAtEnd || !rows.isAtEnd {
            let order = files.isAtEnd ? 1 : rows.isAtEnd ? -1 : files.order(to: rows)
            if order < 0 {
                if !isNamed { files.withRecord(onFile) }
                isNamed = false
                try files.advance()
            } else {
                if order == 0 { isNamed = true } else { rows.withRecord(onRow) }
                try rows.advance()
            }
        }
        if let failure { throw failure }
    }

    /// Adds a path, which is sorted by a prefix, by default its hash. Does nothing after a failure: a sorter that cannot
    /// write would sort everything again for each path.
    private func add(_ path: Span<UInt8>, to sorter: RecordSorter, _ prefix: UInt64? = nil) {
        guard failure == nil else { return }
        do throws(FileError) { try sorter.add(prefix ?? path.stableHash, path) } catch { failure = error }
    }

    /// Returns the path's first eight bytes, as a sort prefix for byte order.
    private static func order(of path: Span<UInt8>) -> UInt64 {
        var order: UInt64 = 0
        for index in 0..<8 { order = order << 8 | (index < path.count ? UInt64(path[index]) : 0) }
        return order
    }
}
