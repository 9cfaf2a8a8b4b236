import Encodings

/// The content of an INPUT, recognized by its first bytes. Its name decides only if they are ambiguous.
enum InputContent: Equatable {
    /// JSON objects, one per line.
    case lines
    /// JSON objects in an array, or consecutive ones, over any number of lines.
    case objects
    /// A table whose cells are separated by a comma, semicolon or tab.
    case table
    /// One receipt or token.
    case proof
    /// A recognized but unsupported format: its name, and how to convert it.
    case unsupported(kind: String, remedy: String)

    /// The number of examined bytes.
    static let prefix = 64 << 10

    /// - Parameters:
    ///   - bytes: the first bytes, decompressed; all of them if there are fewer than ``prefix``.
    ///   - path: for the name of the file, and for commands.
    ///   - names: the possible names of columns, and the form if the bytes do not decide.
    init(_ bytes: Span<UInt8>, _ path: String, _ names: ExportNames = ExportNames()) {
        let text = bytes.extracting(bytes.byteOrderMark...)
        let isSeen = bytes.count < Self.prefix
        if let format = names.format {
            self.init(format)
        } else if let known = ForeignBytes(bytes, path) {
            self = .unsupported(kind: known.kind, remedy: known.remedy)
        } else if let start = text.firstUnblank {
            switch text[start] {
            case UInt8(ascii: "{"): self = Self.objects(text.extracting(start...), isSeen, path, names)
            case UInt8(ascii: "["): self = Self.array(text.extracting(start...), path, names)
            default: self = Self.text(text, isSeen, path, names)
            }
        } else {
            self = Self.isNamedTable(path) ? .table : .lines
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

    /// Recognizes consecutive objects. If they begin on separate lines they are lines, even if the first is damaged.
    ///
    /// - Parameter isSeen: whether these are all bytes.
    private static func objects(
        _ text: Span<UInt8>, _ isSeen: Bool, _ path: String, _ names: ExportNames
    ) -> InputContent {
        let shape = JSONShape(text, names)
        let isOne = shape.values == 1 && (shape.hasEnded || shape.isInside)
        if isOne, shape.isByColumns {
            let program = ". as $t | (to_entries[0].value | keys_unsorted[]) as $i | $t | map_values(.[$i])"
            return .unsupported(
                kind: "JSON with all cells of a column together", remedy: ShellText.jq(program, path))
        }
        if isOne, !shape.hasColumns, shape.proofsUnderOtherNames > 1 {
            return .unsupported(
                kind: "JSON with each proof under a name of its own",
                remedy: ShellText.jq("to_entries[] | {device_id: .key, receipt_data: .value}", path))
        }
        if let refused = envelope(text, shape, path, names) { return refused }
        if isOne, !shape.hasColumns, let program = shape.program {
            return .unsupported(kind: inside, remedy: ShellText.jq(program, path))
        }
        if !shape.hasColumns, shape.values == 1, shape.hasEnded, isSeen {
            // Property lists of old transaction receipts also have braces.
            guard shape.hasMembers || text.count < 8 else { return .proof }
            return .unsupported(kind: "a JSON object without a claim", remedy: claimsOfJSON)
        }
        guard let end = text.firstIndex(of: 0x0a) else { return shape.values > 1 ? .objects : .lines }
        var values = JSONValueScanner()
        for index in 0..<end { values.scan(text[index]) }
        if !values.isInside { return .lines }
        let next = text.extracting(end...)
        guard let start = next.firstUnblank else { return .lines }
        return next[start] == UInt8(ascii: "{") && next[start - 1] == 0x0a ? .lines : .objects
    }

    /// Refuses JSON that wraps claims in other objects; `nil` if it wraps none.
    private static func envelope(
        _ text: Span<UInt8>, _ shape: JSONShape, _ path: String, _ names: ExportNames
    ) -> InputContent? {
        guard !shape.namesProof else { return nil }
        let search = ClaimSearch(text, names)
        if let key = search.otherKey, let program = search.program(withOuter: true) {
            // A name that is already known is further inside.
            let isKnown = ([Column.receiptData.name] + Column.receiptData.aliases).contains("\(key)")
            let columns = "--columns \(ShellText.argument("receipt_data=\(key)")) reads it, or "
            return .unsupported(
                kind: "JSON with proofs under the key “\(key)”",
                remedy: (isKnown ? "" : columns) + ShellText.jq(program, path))
        }
        if search.place != nil {
            let program = search.program(withOuter: shape.hasColumns)
            return .unsupported(kind: inside, remedy: program.map { ShellText.jq($0, path) } ?? claimsOfJSON)
        }
        guard search.isEvidence else { return nil }
        return .unsupported(
            kind: "JSON with notifications or answers of Apple's server inside",
            remedy: "they are evidence: name it with --evidence, beside the claims")
    }

    private static let inside = "JSON with claims inside of another object or array"

    private static let claimsOfJSON = """
        a claim is an object with the key receipt_data or file, one a line or in one array; --columns receipt_data=KEY \
        names another key
        """

    /// In a file of lines, an array of something else is a damaged line.
    private static func array(_ text: Span<UInt8>, _ path: String, _ names: ExportNames) -> InputContent {
        let shape = JSONShape(text, names)
        if shape.namesProof { return .objects }
        let rest = text.extracting(1...)
        guard let start = rest.firstUnblank else { return .objects }
        if rest[start] == UInt8(ascii: "\"") {
            let holdsObjects = start + 1 < rest.count && rest[start + 1] == UInt8(ascii: "{")
            return .unsupported(
                kind: "a JSON array of texts",
                remedy: ShellText.jq(holdsObjects ? ".[] | fromjson" : ".[] | {receipt_data: .}", path))
        }
        if let refused = envelope(text, shape, path, names) { return refused }
        switch rest[start] {
        case UInt8(ascii: "{"): return .objects
        case _ where isNamedLines(path): return .lines
        case UInt8(ascii: "]"): return .objects
        default: return .unsupported(kind: "a JSON array without objects", remedy: claimsOfJSON)
        }
    }

    private static func text(
        _ text: Span<UInt8>, _ isSeen: Bool, _ path: String, _ names: ExportNames
    ) -> InputContent {
        let isDrawn = ForeignText.isDrawn(text)
        if !isDrawn, TableHeader.separator(in: text, names) != nil { return .table }
        let isDER = text[0] == 0x30 && text.count > 1 && text[1] > 0x7e
        if !isDER, let known = ForeignText(text, path, names) {
            return .unsupported(kind: known.kind, remedy: known.remedy)
        }
        if isNamedTable(path) { return .table }
        if isNamedLines(path) {
            guard text[0] == UInt8(ascii: "\""), Lines(text).proofs > 1 else { return .lines }
            return .unsupported(kind: "JSON strings, one a line", remedy: ShellText.jq("{receipt_data: .}", path))
        }
        // A certificate or base64 in armour, and DER begin with other bytes than the cells of a table.
        guard !isDER, !text.starts(with: Array("-----".utf8), at: 0) else { return .proof }
        let lines = Lines(text)
        if lines.proofs > 1 {
            return .unsupported(
                kind: lines.tokens == lines.proofs ? "several tokens, one a line" : "several receipts, one a line",
                remedy: "sed '1i receipt_data' \(ShellText.word(path)) > \(ShellText.output(for: path, "csv"))")
        }
        if lines.objects > 0 { return .lines }
        if lines.isTable {
            return .unsupported(
                kind: "a table whose header names no known column",
                remedy: "name the columns in the first row, or with --columns receipt_data=COLUMN")
        }
        // Small content may be a damaged proof, or something that was sent instead of one.
        if isSeen || mayBeProof(text) { return .proof }
        return .unsupported(
            kind: "neither a receipt nor a token, a table or JSON", remedy: "audit inspect shows what it looks like")
    }

    /// Whether the known part of a long text is base64, hexadecimal or a token.
    private static func mayBeProof(_ text: Span<UInt8>) -> Bool {
        let start = text.extracting(..<min(text.count, 4096)).withoutBlanks
        let marks = Array(".:;,\\".utf8)
        return text[0] == 0x30
            || start.indices.allSatisfy { index in
                start[index] != 0x20 && ProofStart.isDigit(start[index]) || marks.contains(start[index])
            }
    }

    /// Whether more bytes would distinguish one receipt from several, one per line: the first line is incomplete.
    static func mayBeLines(_ bytes: Span<UInt8>) -> Bool {
        bytes.count == prefix && ProofStart.beginsReceipt(bytes.withoutBlanks) && bytes.firstIndex(of: 0x0a) == nil
    }

    static func isNamedTable(_ path: String) -> Bool { path.isNamed(tableEndings) }
    static func isNamedLines(_ path: String) -> Bool { path.isNamed(lineEndings) }

    private static let tableEndings = [".csv", ".tsv"]
    private static let lineEndings = [".ndjson", ".jsonl"]

    /// Whether a file in a folder is named like a table or JSON.
    static func isNamedExport(_ name: String) -> Bool { name.isNamed(tableEndings + lineEndings + [".json"]) }

    /// The looks of the first whole lines.
    private struct Lines {
        private(set) var tokens = 0
        /// The number of receipts and tokens.
        private(set) var proofs = 0
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
                let cell = line[0] == 0x22 ? line.extracting(1...) : line
                if Self.isToken(cell) { tokens += 1 }
                if Self.isToken(cell) || ProofStart.beginsReceipt(cell) { proofs += 1 }
                for (index, separator) in TableHeader.separators.enumerated() {
                    cells[index].append(line.indices.count { line[$0] == separator })
                }
            }
        }

        /// Whether the first two lines have the same number of cells, and more than one.
        var isTable: Bool { cells.contains { $0.count > 1 && $0[0] > 0 && $0[0] == $0[1] } }

        /// The compact serialization of a JWS begins with base64url of `{"`.
        private static func isToken(_ line: Span<UInt8>) -> Bool {
            line.starts(with: Array("eyJ".utf8), at: 0) && line.indices.count { line[$0] == UInt8(ascii: ".") } == 2
        }
    }
}

extension Span<UInt8> {
    /// The index of the first byte that is not a blank.
    var firstUnblank: Int? { indices.first { !self[$0].isBlank } }
}

extension String {
    /// Whether the name ends like one of these, perhaps with `.gz` after it.
    fileprivate func isNamed(_ endings: [String]) -> Bool {
        endings.contains { hasExtension($0) || hasExtension($0 + ".gz") }
    }
}
