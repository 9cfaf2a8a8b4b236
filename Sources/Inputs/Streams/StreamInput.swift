/// Claims that come in on standard input as a part of something larger: some lines of a file, a whole table, a list
/// of files. What they are called is told from outside, so that a claim has one name however its file is split.
package final class StreamInput: ClaimSource {
    /// What the input is.
    package enum Form: String, CaseIterable, Sendable {
        /// NDJSON: one claim a line.
        case ndjson
        /// A table with its header.
        case csv
        /// The path of a receipt file a line, relative to the root folder.
        case paths
    }

    private let source: any ClaimSource
    private let unknownKeys = UnknownKeys()

    /// - Parameters:
    ///   - name: what stands before the line in a claim's source, unless it is a path.
    ///   - firstLine: the number of the first line.
    ///   - isCompressed: whether it is compressed with gzip.
    ///   - rootFolder: the folder that holds the files that claims name.
    package init(_ form: Form, name: String, firstLine: Int, isCompressed: Bool, rootFolder: String) throws(InputError)
    {
        var stream: any ByteStream = try FileStream(standardInput: ())
        if isCompressed {
            guard let decompressed = GzipStream(stream) else { throw .unreadable(path: name, reason: "out of memory") }
            stream = decompressed
        }
        let folder = try ConfinedDirectory(input: rootFolder)
        let pool = BufferPool()
        let origin = ClaimOrigin(table: name, folder: folder, unknownKeys: unknownKeys)
        source =
            switch form {
            case .ndjson: LineSource(stream, origin: origin, firstLine: firstLine, pool: pool)
            case .csv: TableSource(stream, table: name, folder: folder, pool: pool)
            case .paths:
                PathSource(LineSource(stream, origin: origin, firstLine: firstLine, pool: pool), origin, pool)
            }
    }

    package func next() throws(InputError) -> ClaimBlock? { try source.next() }

    package var fraction: Double? { nil }

    package var omissions: Omissions { source.omissions }

    /// The keys of JSON objects that nobody asked for: of all there were, the first in order.
    package var unknownKeyNames: [String] { unknownKeys.names }
}

/// A list of receipt files, one path a line.
private final class PathSource: ClaimSource {
    private let lines: LineSource
    private let origin: ClaimOrigin
    private let pool: BufferPool

    init(_ lines: LineSource, _ origin: ClaimOrigin, _ pool: BufferPool) {
        self.lines = lines
        self.origin = origin
        self.pool = pool
    }

    let omissions = Omissions()
    var fraction: Double? { lines.fraction }

    func next() -> ClaimBlock? {
        guard var list = lines.next() else { return nil }
        defer { pool.reclaim(&list) }
        let block = ClaimBlock(.files, from: origin, pool: pool)
        for item in list.items {
            let start = block.text.count
            block.text.append(item.text, of: list.text)
            let path = start..<block.text.count
            if case .fault = item.receipt {
                block.items.append(ClaimBlock.Item(line: item.line, text: path, receipt: item.receipt))
            } else if let objection = block.text.objection(toPath: path) {
                block.items.append(ClaimBlock.Item(line: item.line, text: path, receipt: .fault(objection)))
            } else {
                let name = RelativePath.normalise(path, in: &block.text)
                block.text.cut(at: name.upperBound)
                block.text.append(0)
                block.items.append(ClaimBlock.Item(line: item.line, text: name, path: name, receipt: .inFile))
            }
        }
        return block
    }
}
