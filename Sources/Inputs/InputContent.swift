import Encodings

/// What an INPUT holds, by its first bytes. Its name decides only where they say nothing.
enum InputContent: Equatable {
    /// JSON objects, one a line.
    case lines
    /// JSON objects in an array, or one after the other, over any number of lines.
    case objects
    /// A table whose cells are separated by a comma, semicolon or tab.
    case table
    /// One receipt or token.
    case proof
    /// What is recognised and not read: what it is, and what makes something of it that is.
    case unsupported(kind: String, remedy: String)

    /// How many bytes are looked at.
    static let prefix = 64 << 10

    /// - Parameters:
    ///   - bytes: the first, decompressed; all of them if there are fewer than ``prefix``.
    ///   - path: for the name of the file, and for commands.
    ///   - names: how the columns of a table may be named, and the form if the bytes do not decide.
    init(_ bytes: Span<UInt8>, _ path: String, _ names: ExportNames = ExportNames()) {
        let text = bytes.extracting(bytes.byteOrderMark...)
        if let format = names.format {
            self.init(format)
        } else if let found = Self.archive(bytes, path) {
            self = found
        } else if let start = text.firstUnblank {
            switch text[start] {
            case UInt8(ascii: "{"): self = Self.objects(text.extracting(start...), path, names)
            case UInt8(ascii: "["): self = Self.array(text.extracting((start + 1)...), path)
            default: self = Self.text(text, path, names)
            }
        } else {
            self = Self.isNamedTable(path) ? .table : Self.isNamedLines(path) ? .lines : .proof
        }
    }

    private init(_ format: InputFormat) {
        switch format {
        case .csv, .tsv: self = .table
        case .ndjson: self = .lines
        case .json: self = .objects
        case .proof: self = .proof
        }
    }

    /// Objects that begin with lines of their own are lines, also if the first is damaged.
    private static func objects(_ text: Span<UInt8>, _ path: String, _ names: ExportNames) -> InputContent {
        if let wrapper = ClaimWrapper(text, names) {
            return .unsupported(
                kind: "one JSON object with claims in an array",
                remedy: "jq -c '\(wrapper.program)' \(path) > export.ndjson")
        }
        guard let end = text.firstIndex(of: 0x0a) else { return .lines }
        var values = JSONValueScanner()
        if values.scan(text.extracting(..<end)) { return .lines }
        let next = text.extracting(end...)
        guard let start = next.firstUnblank else { return .lines }
        return next[start] == UInt8(ascii: "{") && next[start - 1] == 0x0a ? .lines : .objects
    }

    /// An array of something else in a file of lines is a damaged line.
    private static func array(_ rest: Span<UInt8>, _ path: String) -> InputContent {
        let isOfObjects = rest.firstUnblank.map { rest[$0] == UInt8(ascii: "{") } ?? true
        return isNamedLines(path) && !isOfObjects ? .lines : .objects
    }

    private static func text(_ text: Span<UInt8>, _ path: String, _ names: ExportNames) -> InputContent {
        if TableHeader.separator(in: text, names) != nil || isNamedTable(path) { return .table }
        if isNamedLines(path) { return .lines }
        // A certificate or base64 in armour, markup, and DER begin with other bytes than the cells of a table.
        let first = text[0]
        guard first != 0x30, first != UInt8(ascii: "-"), first != UInt8(ascii: "<") else { return .proof }
        let lines = Lines(text)
        if lines.tokens > 1 {
            return .unsupported(
                kind: "several tokens, one per line",
                remedy: "(echo receipt_data; cat \(path)) > tokens.csv")
        }
        if lines.objects > 0 { return .lines }
        if lines.isTable {
            return .unsupported(
                kind: "a table without a header that names a known column",
                remedy: "name the columns in the first row, or with --columns receipt_data=COLUMN")
        }
        return .proof
    }

    private static func isNamedTable(_ path: String) -> Bool { isNamed(path, [".csv", ".tsv"]) }
    static func isNamedLines(_ path: String) -> Bool { isNamed(path, [".ndjson", ".jsonl"]) }

    private static func isNamed(_ path: String, _ suffixes: [String]) -> Bool {
        suffixes.contains { path.hasExtension($0) || path.hasExtension($0 + ".gz") }
    }

    /// Whether a file in a folder is named like a table or JSON.
    static func isNamedExport(_ name: String) -> Bool { isNamed(name, [".csv", ".tsv", ".ndjson", ".jsonl", ".json"]) }

    /// Archives, databases and encodings that are known by their first bytes.
    private static func archive(_ bytes: Span<UInt8>, _ path: String) -> InputContent? {
        func begins(_ mark: [UInt8], at index: Int = 0) -> Bool { bytes.starts(with: mark, at: index) }
        let (kind, remedy): (String, String)
        if begins(Array("PK\u{3}\u{4}".utf8)) {
            let isWorkbook = bytes.firstIndex(of: Array("[Content_Types].xml".utf8), from: 0) != nil
            (kind, remedy) = isWorkbook ? ("a workbook", "save the sheet as CSV") : ("a zip archive", "unzip \(path)")
        } else if begins(Array("BZh".utf8)) {
            (kind, remedy) = ("compressed with bzip2", "bunzip2 --keep \(path)")
        } else if begins([0xfd] + Array("7zXZ\0".utf8)) {
            (kind, remedy) = ("compressed with xz", "unxz --keep \(path)")
        } else if begins([0x28, 0xb5, 0x2f, 0xfd]) {
            (kind, remedy) = ("compressed with zstd", "unzstd \(path)")
        } else if begins(Array("ustar".utf8), at: 257) {
            (kind, remedy) = ("a tar archive", "tar -xf \(path)")
        } else if begins(Array("PAR1".utf8)) {
            (kind, remedy) = ("a Parquet file", "duckdb -c \"COPY (FROM '\(path)') TO 'export.csv'\"")
        } else if begins(Array("SQLite format 3\0".utf8)) {
            (kind, remedy) = ("a database", "sqlite3 -csv -header \(path) 'SELECT ...' > export.csv")
        } else if begins([0xff, 0xfe]) || begins([0xfe, 0xff]) || isWide(bytes) {
            (kind, remedy) = ("text in UTF-16", "iconv -f UTF-16 -t UTF-8 \(path) > export.csv")
        } else {
            return nil
        }
        return .unsupported(kind: kind, remedy: remedy)
    }

    /// Whether every other byte is 0, and the others are ASCII.
    private static func isWide(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 8 else { return false }
        let zeros = (0..<8).map { bytes[$0] == 0 }
        let text = (0..<8).allSatisfy { zeros[$0] || (0x09..<0x7f).contains(bytes[$0]) }
        return text && (0..<7).allSatisfy { zeros[$0] != zeros[$0 + 1] }
    }

    /// What the first whole lines look like.
    private struct Lines {
        private(set) var tokens = 0
        private(set) var objects = 0
        private var cells: [[Int]] = [[], [], []]

        init(_ text: Span<UInt8>) {
            var start = 0
            for _ in 0..<4 {
                guard start < text.count else { break }
                let end = text.firstIndex(of: 0x0a, from: start) ?? text.count
                let line = text.extracting(start..<end).withoutBlanks
                start = end + 1
                guard line.count > 0 else { continue }
                if line[0] == UInt8(ascii: "{") { objects += 1 }
                if Self.isToken(line) { tokens += 1 }
                for (index, separator) in TableHeader.separators.enumerated() {
                    cells[index].append(line.indices.count { line[$0] == separator })
                }
            }
        }

        /// Whether the first two lines have as many cells, and more than one.
        var isTable: Bool { cells.contains { $0.count > 1 && $0[0] > 0 && $0[0] == $0[1] } }

        /// The compact serialization of a JWS begins with base64url of `{"`.
        private static func isToken(_ line: Span<UInt8>) -> Bool {
            line.starts(with: Array("eyJ".utf8), at: 0) && line.indices.count { line[$0] == UInt8(ascii: ".") } == 2
        }
    }
}

/// Finds the ends of JSON objects and arrays without reading their members.
struct JSONValueScanner {
    /// How many objects and arrays have begun and not ended.
    private(set) var depth = 0
    private var isInString = false
    private var isEscaped = false

    /// Whether a string, object or array has begun and not ended.
    var isInside: Bool { depth > 0 || isInString }

    /// Whether the next byte is one of a string, and no escaped one.
    var isInPlainText: Bool { isInString && !isEscaped }

    /// Scans the next bytes.
    ///
    /// - Returns: whether they end where nothing has begun that has not ended.
    mutating func scan(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices { scan(bytes[index]) }
        return !isInside
    }

    /// Scans the next byte.
    mutating func scan(_ byte: UInt8) {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth = max(0, depth - 1)
        default: break
        }
    }
}

extension Span<UInt8> {
    /// The index of the first byte that is no blank.
    var firstUnblank: Int? { indices.first { !self[$0].isBlank } }
}
