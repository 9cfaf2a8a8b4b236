import Encodings
import Files
import Sorting

/// The receipt files of a folder that no row of its manifest names, in byte order of their paths.
///
/// There may be millions of files and of rows, in any order. Mostly both are equal, which a sum of hashes shows.
/// Otherwise they are sorted by a hash of the path, in bounded memory, when all are known.
final class UnnamedFiles {
    /// The paths of files and rows until they are compared.
    private var files: RecordLog?
    private var rows: RecordLog?
    private let unnamed: RecordSorter
    private let sorter: () -> RecordSorter
    /// The folder; `nil` without a manifest.
    private let folder: ReceiptFolder?
    private var difference = MultisetDifference()
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

    /// - Parameter budget: the number of bytes beyond which a sorter writes to a temporary file; for a log it is a
    ///   quarter.
    init(manifestOf folder: ReceiptFolder?, temporaryFolder: String, budget: Int = 4 << 20) {
        self.folder = folder
        // Mostly they are not read again.
        files = RecordLog(budget: budget / 4, folder: temporaryFolder)
        rows = RecordLog(budget: budget / 4, folder: temporaryFolder)
        sorter = { RecordSorter(budget: budget, folder: temporaryFolder) }
        unnamed = sorter()
    }

    /// Adds a file of the folder.
    func add(file path: Span<UInt8>) {
        count += 1
        recordFailure { () throws(FileError) in
            if folder != nil {
                difference.add(path)
                try files?.append(path)
            } else {
                try unnamed.add(Self.order(of: path), path)
            }
        }
    }

    /// Adds a file that a row names, whether it exists or not.
    func add(rowOf path: Span<UInt8>) {
        named += 1
        difference.remove(path)
        recordFailure { () throws(FileError) in try rows?.append(path) }
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
        defer { (files, rows) = (nil, nil) }
        if difference.isEmpty { return }
        let (otherFiles, otherRows) = (sorter(), sorter())
        var files = try sorted(&files)
        var rows = try sorted(&rows)
        try Self.compare(&files, &rows) { path in
            recordFailure { () throws(FileError) in try otherFiles.add(path.stableHash, path) }
        } onRow: { path in
            guard let file = try? folder.file(named: path) else { return missing.add(row: path) }
            recordFailure { () throws(FileError) in try otherRows.add(file.span.stableHash, file.span) }
        }
        if let failure { throw failure }
        files = try RunMerge(otherFiles.finish())
        rows = try RunMerge(otherRows.finish())
        try Self.compare(&files, &rows, onFile: addUnnamed) { _ in }
        if let failure { throw failure }
    }

    private func addUnnamed(_ path: Span<UInt8>) {
        missing.add(file: path)
        unnamedCount += 1
        recordFailure { () throws(FileError) in try unnamed.add(Self.order(of: path), path) }
    }

    /// Calls one of two bodies for each file without a row, and for each row without a file.
    private static func compare(
        _ files: inout RunMerge, _ rows: inout RunMerge, onFile: (Span<UInt8>) -> Void, onRow: (Span<UInt8>) -> Void
    ) throws(FileError) {
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
    }

    private func sorted(_ paths: inout RecordLog?) throws(FileError) -> RunMerge {
        let sorter = sorter()
        while let piece = try paths?.nextPiece() {
            piece.forEach { path in recordFailure { () throws(FileError) in try sorter.add(path.stableHash, path) } }
        }
        return try RunMerge(sorter.finish())
    }

    /// Does nothing after a failure: a sorter that cannot write would sort everything again for each path.
    private func recordFailure(_ body: () throws(FileError) -> Void) {
        guard failure == nil else { return }
        do throws(FileError) { try body() } catch { failure = error }
    }

    /// Returns the path's first eight bytes, as a sort prefix for byte order.
    private static func order(of path: Span<UInt8>) -> UInt64 {
        var order: UInt64 = 0
        for index in 0..<8 { order = order << 8 | (index < path.count ? UInt64(path[index]) : 0) }
        return order
    }
}

/// Compares two multisets of paths without sorting them.
///
/// It is the sum of a keyed hash over one list minus that over the other. The hash is the standard library's `Hasher`
/// with a random key per process, so that nobody can choose paths that make different lists compare equal.
private struct MultisetDifference {
    private var sum: UInt64 = 0

    /// Whether exactly the added paths were removed.
    var isEmpty: Bool { sum == 0 }

    mutating func add(_ path: Span<UInt8>) { sum &+= hash(path) }

    mutating func remove(_ path: Span<UInt8>) { sum &-= hash(path) }

    private func hash(_ path: Span<UInt8>) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(octets: path)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
