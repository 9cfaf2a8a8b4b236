import Encodings

/// The content of an INPUT, recognized by its first bytes. Its name decides only if they are ambiguous.
enum InputContent: Equatable {
    /// JSON objects, one per line.
    case lines
    /// JSON objects in an array, or consecutive ones, over any number of lines.
    case objects
    /// A table whose cells are separated by one of ``TableHeader/separators``.
    case table
    /// One receipt or token.
    case proof
    /// A recognized but unsupported format.
    case unsupported(FileShape)

    /// The number of examined bytes.
    static let prefix = 64 << 10

    /// - Parameters:
    ///   - bytes: the first bytes, decompressed; all of them if there are fewer than ``prefix``.
    ///   - path: for the name of the file, and for commands.
    ///   - names: the possible names of columns, and the form if the bytes do not decide.
    init(_ bytes: Span<UInt8>, _ path: String, _ names: ExportNames = ExportNames()) {
        let text = bytes.extracting(bytes.byteOrderMarks...)
        let isSeen = bytes.count < Self.prefix
        if let format = names.format {
            self.init(format)
        } else if let known = FileShape(bytes, path) {
            self = .unsupported(known)
        } else if let start = text.firstUnblank {
            switch text[start] {
            case UInt8(ascii: "[") where TableHeader.separator(in: text, names) != nil: self = .table
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                self = Self.json(text.extracting(start...), isSeen: isSeen, path, names)
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

    /// Recognizes JSON: claims as lines or in an array, or claims in something else.
    ///
    /// - Parameter isSeen: whether these are all bytes.
    private static func json(
        _ text: Span<UInt8>, isSeen: Bool, _ path: String, _ names: ExportNames
    ) -> InputContent {
        if isPrinted(text) {
            return .unsupported(
                FileShape(
                    "what Python or mongosh prints of its objects, which is no JSON",
                    "write them with json.dumps, or EJSON.stringify in mongosh, one object a line"))
        }
        let (values, isWhole) = SeenJSON.values(text)
        // Objects after an array are lines, and the first line is damaged.
        let hasMore = values.dropFirst().contains { $0.members != nil }
        let isArray = text[0] == UInt8(ascii: "[") && !hasMore
        if ClaimObjects.areAmong(values, names) { return isArray ? .objects : layout(text, values.count) }
        // Property lists of old transaction receipts also have braces.
        if case .object(let members)? = values.first, members.isEmpty, isWhole, text.count >= 8 { return .proof }
        if let refused = ClaimObjects.refusal(values, isWhole: isWhole && isSeen, path, names) {
            return .unsupported(refused)
        }
        guard isArray else {
            // One object is no list of claims; of several, others may be claims.
            guard values.count == 1, isSeen, isWhole || !ClaimObjects.nameColumns(values, names) else {
                return layout(text, values.count)
            }
            return ClaimObjects.nameColumns(values, names)
                ? layout(text, 1) : .unsupported(FileShape("a JSON object without a claim", ClaimObjects.advice))
        }
        guard case .array(let elements)? = values.first else { return .objects }
        if elements.isEmpty || elements.contains(where: { $0.members != nil }) { return .objects }
        // In a file of lines, an array of something else is a damaged line.
        return isNamedLines(path)
            ? .lines : .unsupported(FileShape("a JSON array without objects", ClaimObjects.advice))
    }

    /// Whether the first key is in single quotes or none, as Python and JavaScript print it, and no other is in quotes.
    private static func isPrinted(_ text: Span<UInt8>) -> Bool {
        guard text.firstIndex(of: Array("\":".utf8), from: 0) == nil else { return false }
        var reader = LooseJSON(text.extracting(first: 4096).copy())
        while let byte = reader.next(), Array("[{".utf8).contains(byte) { reader.skip() }
        guard let byte = reader.next() else { return false }
        return byte == UInt8(ascii: "'")
            || byte != UInt8(ascii: "\"") && UnknownValues.isPlain(reader.word()) && reader.next() == UInt8(ascii: ":")
    }

    /// Recognizes how objects lie. If they begin on separate lines they are lines, even if the first is damaged.
    private static func layout(_ text: Span<UInt8>, _ count: Int) -> InputContent {
        guard let end = text.firstIndex(of: 0x0a) else { return count > 1 ? .objects : .lines }
        var scanner = JSONValueScanner()
        for index in 0..<end { scanner.scan(text[index]) }
        if !scanner.isInside { return .lines }
        let next = text.extracting(end...)
        guard let start = next.firstUnblank else { return .lines }
        return next[start] == UInt8(ascii: "{") && next[start - 1] == 0x0a ? .lines : .objects
    }

    private static func text(
        _ text: Span<UInt8>, _ isSeen: Bool, _ path: String, _ names: ExportNames
    ) -> InputContent {
        let lines = FirstLines(text)
        if !lines.areDrawn, TableHeader.separator(in: text, names) != nil { return .table }
        let isDER = text[0] == 0x30 && text.count > 1 && text[1] > 0x7e
        if !isDER, let known = FileShape(text: text, path) { return .unsupported(known) }
        if isNamedTable(path) { return .table }
        let (tokens, proofs, objects) = lines.counts
        if isNamedLines(path) {
            guard text[0] == UInt8(ascii: "\""), proofs > 1 else { return .lines }
            return .unsupported(FileShape("JSON strings, one a line", ShellText.jq("{receipt_data: .}", path)))
        }
        // A certificate or base64 in armour, and DER begin with other bytes than the cells of a table.
        guard !isDER, !text.starts(with: Array("-----".utf8), at: 0) else { return .proof }
        if proofs > 1 {
            let kind = tokens == proofs ? "several tokens, one a line" : "several receipts, one a line"
            return .unsupported(FileShape(kind, "sed '1i receipt_data' FILE > export.csv", path))
        }
        if objects > 0 { return .lines }
        if lines.areTable {
            return .unsupported(
                FileShape(
                    "a table whose header names no known column",
                    "name the columns in the first row, or with --columns receipt_data=COLUMN"))
        }
        // Small content may be a damaged proof, or something that was sent instead of one.
        if isSeen || mayBeProof(text) { return .proof }
        let seen = SeenValue(text)?.noun ?? "nothing"
        return .unsupported(
            FileShape(
                "neither a receipt nor a token, a table or JSON, but \(seen)", "audit inspect shows its first bytes"))
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
