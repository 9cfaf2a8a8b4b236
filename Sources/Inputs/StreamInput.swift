import Encodings
import Files

/// Claims on standard input that are part of a larger input: some lines of a file, a whole table, a list of files.
/// Their names are given, so that a claim has the same name however its file is split.
package final class StreamInput: ClaimSource {
    /// The form of the input.
    package enum Form: String, CaseIterable, Sendable {
        /// NDJSON: one claim per line.
        case ndjson
        /// A table with its header and cells separated by a comma, a semicolon or a tab.
        case csv
        /// Paths of receipt files, one per line, relative to the root folder.
        case paths
    }

    private let source: any ClaimSource
    private let unknownKeys = UnknownKeys()
    private let names: ExportNames
    private var examined = Omissions()

    /// - Parameters:
    ///   - form: the form of the input, which may be compressed with gzip; `nil` if its first bytes show whether it is
    ///     a table or JSON.
    ///   - name: the name before the line in a claim's source, unless it is a path.
    ///   - firstLine: the number of the first line. If there are others before it, the input is NDJSON unless it is a
    ///     list.
    ///   - rootFolder: the folder with the files that claims name.
    ///   - names: the names of the columns.
    package init(
        _ form: Form?, name: String, firstLine: Int, rootFolder: String, names: ExportNames = ExportNames()
    ) throws(InputError) {
        self.names = names
        examined.columnSearch = ColumnSearch(names)
        let stream = PeekedStream(
            try FileStream(standardInput: ()).decompressedIfNeeded("-"), atMost: InputContent.prefix)
        let folder = try ReceiptFolder(input: rootFolder)
        let pool = BufferPool()
        let origin = ClaimOrigin(table: name, folder: folder, unknownKeys: unknownKeys, names: names)
        let lines = { LineSource(stream, origin: origin, firstLine: firstLine, pool: pool) }
        source =
            switch form {
            case .ndjson: lines()
            case .csv: InputContent.table.source(stream, origin, names, pool)
            case .paths: PathSource(lines(), origin, pool)
            case nil where firstLine > 1: lines()
            case nil:
                try InputContent(
                    standardInput: stream, named: name, names,
                    remedy: "for a list of receipt files, one per line, use --format paths"
                ).source(stream, origin, names, pool)
            }
    }

    package func next() throws(InputError) -> ClaimBlock? {
        let block = try source.next()
        if let block { examined.examine(block) }
        return block
    }

    package var fraction: Double? { nil }

    package var omissions: Omissions {
        var omissions = source.omissions
        omissions.columnSearch.add(examined.columnSearch)
        return omissions
    }

    /// The unknown keys of JSON objects, the first hundred in byte order.
    package var unknownKeyNames: [String] { unknownKeys.names }
}

/// A list of receipt files, one path per line.
private final class PathSource: ClaimSource {
    private let lines: LineSource
    private let origin: ClaimOrigin
    private let pool: BufferPool

    init(_ lines: LineSource, _ origin: ClaimOrigin, _ pool: BufferPool) {
        self.lines = lines
        self.origin = origin
        self.pool = pool
    }

    private(set) var omissions = Omissions()
    var fraction: Double? { lines.fraction }

    func next() -> ClaimBlock? {
        guard var list = lines.next() else { return nil }
        defer { pool.reclaim(&list) }
        let block = ClaimBlock(.files, from: origin, pool: pool)
        for item in list.items {
            let start = block.text.count
            let text = list.text
            if case .inText = item.receipt, let kind = LeftoverFile.kind(of: text.span(item.text)) {
                omissions.skipped.add(leftover: kind)
                continue
            }
            block.text.append(item.text, of: list.text)
            let path = start..<block.text.count
            if case .fault = item.receipt {
                block.items.append(ClaimBlock.Item(line: item.line, text: path, identity: path, receipt: item.receipt))
            } else if let objection = block.text.objection(toPath: path) {
                block.items.append(
                    ClaimBlock.Item(line: item.line, text: path, identity: path, receipt: .fault(objection)))
            } else {
                let name = RelativePath.normalise(path, in: &block.text)
                block.text.cut(at: name.upperBound)
                block.text.append(0)
                block.items.append(
                    ClaimBlock.Item(line: item.line, text: name, path: name, identity: name, receipt: .inFile))
            }
        }
        return block
    }
}

/// The lines of standard input or another stream, one at a time, in memory for the longest of them.
package struct InputLines {
    private static let chunk = 256 << 10

    private let stream: any ByteStream
    private var arena = ByteArena()
    /// The range that has been read and not yet returned.
    private var rest = 0..<0
    private var hasEnded = false
    private var range = 0..<0
    /// The number of the line, from 1.
    package private(set) var number = 0

    package init() throws(InputError) { self.init(try FileStream(standardInput: ())) }

    init(_ stream: any ByteStream) { self.stream = stream }

    /// Moves to the next line; false at the end.
    package mutating func next() throws(InputError) -> Bool {
        number += 1
        var searched = rest.lowerBound
        while true {
            if let end = arena.firstIndex(of: 0x0a, from: searched) {
                range = rest.lowerBound..<end
                rest = end + 1..<rest.upperBound
                return true
            }
            searched = rest.count
            guard try refill() else { break }
        }
        range = rest
        rest = rest.upperBound..<rest.upperBound
        return !range.isEmpty
    }

    /// The line, without its line feed.
    package var line: Span<UInt8> {
        @_lifetime(borrow self) get { arena.span(range) }
    }

    /// Moves the rest to the front, and reads more after it.
    private mutating func refill() throws(InputError) -> Bool {
        guard !hasEnded else { return false }
        arena.removeFirst(rest.lowerBound)
        let count: Int
        do throws(StreamDamage) {
            count = try stream.read(into: &arena, atMost: max(Self.chunk, rest.count))
        } catch {
            throw .unreadable(path: "-", reason: error.reason)
        }
        rest = 0..<arena.count
        hasEnded = count == 0
        return !hasEnded
    }
}
