import Encodings
internal import Files
internal import Sorting

/// The receipt files of a folder that no row of its manifest names, in byte order of their paths.
///
/// There may be millions of files and of rows, in any order. Mostly both are the same, which is found out without comparing
/// them; else they are sorted by a hash of the path, in bounded memory, when all are known.
final class UnnamedFiles {
    /// Until they are compared.
    private var files: RecordLog?
    private var rows: RecordLog?
    private let unnamed: RecordSorter
    private let sorter: () -> RecordSorter
    private let hasManifest: Bool
    private var balance = PathBalance()
    /// Why something could not be sorted.
    private var failure: FileError?
    /// What is handed out, once all files and rows are known.
    private var result: RunMerge?

    /// How many files there are, as far as they are known.
    private(set) var count = 0
    /// How many rows name a file.
    private(set) var named = 0

    /// - Parameter budget: beyond so many bytes a sorter writes to a temporary file; what is only noted, beyond a quarter.
    init(hasManifest: Bool, temporaryFolder: String, budget: Int = 4 << 20) {
        self.hasManifest = hasManifest
        // Mostly nobody reads them again.
        files = RecordLog(budget: budget / 4, folder: temporaryFolder)
        rows = RecordLog(budget: budget / 4, folder: temporaryFolder)
        sorter = { RecordSorter(budget: budget, folder: temporaryFolder) }
        unnamed = sorter()
    }

    /// Notes a file of the folder.
    func note(file path: Span<UInt8>) {
        count += 1
        keep { () throws(FileError) in
            if hasManifest {
                balance.add(path)
                try files?.append(path)
            } else {
                try unnamed.add(Self.order(of: path), path)
            }
        }
    }

    /// Notes that a row names this file, whether it is there or not.
    func note(rowOf path: Span<UInt8>) {
        named += 1
        balance.remove(path)
        keep { () throws(FileError) in try rows?.append(path) }
    }

    /// Appends the path of the next file that no row names, with a NUL behind it, and returns the range of the path; `nil`
    /// if there are no more. All files and rows must be known.
    func next(into arena: inout ByteArena) throws(FileError) -> Range<Int>? {
        if let failure { throw failure }
        if result == nil {
            if hasManifest { try compare() }
            result = try RunMerge(try unnamed.finish())
        }
        guard result?.isAtEnd == false, let range = result?.withRecord({ arena.append($0) }) else { return nil }
        arena.append(0)
        try result?.advance()
        return range
    }

    /// Finds the files that have no row.
    private func compare() throws(FileError) {
        defer { (files, rows) = (nil, nil) }
        if balance.isEven { return }
        var files = try sorted(&files)
        var rows = try sorted(&rows)
        while !files.isAtEnd {
            let order = rows.isAtEnd ? -1 : files.order(to: rows)
            if order > 0 {
                try rows.advance()
                continue
            }
            if order < 0 {
                files.withRecord { path in
                    keep { () throws(FileError) in try unnamed.add(Self.order(of: path), path) }
                }
            }
            try files.advance()
        }
        if let failure { throw failure }
    }

    private func sorted(_ paths: inout RecordLog?) throws(FileError) -> RunMerge {
        let sorter = sorter()
        while let piece = try paths?.nextPiece() {
            piece.forEach { path in keep { () throws(FileError) in try sorter.add(path.stableHash, path) } }
        }
        return try RunMerge(sorter.finish())
    }

    private func keep(_ body: () throws(FileError) -> Void) {
        do throws(FileError) { try body() } catch { failure = failure ?? error }
    }

    /// The path's first eight octets: by them, and then by the rest, paths are in byte order.
    private static func order(of path: Span<UInt8>) -> UInt64 {
        var order: UInt64 = 0
        for index in 0..<8 { order = order << 8 | (index < path.count ? UInt64(path[index]) : 0) }
        return order
    }
}
