import Encodings

/// A parsed line of NDJSON: the value of each known key.
///
/// Of two keys for one column the better known counts (``ExportNames``). The object is used again for the next line, for
/// its memory.
struct JSONObject {
    /// The text of each column's key, or a number, written out (``JSONNumber``); empty for null, `nil` if there is no such key.
    private var values = [JSONText?](repeating: nil, count: Column.count)
    private var ranks = [ExportNames.Rank?](repeating: nil, count: Column.count)
    /// The strings with escapes, decoded.
    private var spelled: [UInt8] = []

    /// Reads a whole line.
    mutating func read(
        _ line: Range<Int>, of arena: ByteArena, _ names: ExportNames = ExportNames(), unknown: (String) -> Void
    ) throws(JSONError) {
        let line = arena.span(line)
        for index in values.indices { (values[index], ranks[index]) = (nil, nil) }
        spelled.removeAll(keepingCapacity: true)
        guard (try? UTF8Span(validating: line)) != nil else { throw .notUTF8 }
        var scanner = JSONScanner(line)
        try scanner.expect("{")
        if !scanner.skip("}") {
            repeat { try readMember(&scanner, of: line, names, unknown) } while scanner.skip(",")
            try scanner.expect("}")
        }
        guard scanner.next() == nil else { throw .leftOver(at: scanner.position) }
    }

    private mutating func readMember(
        _ scanner: inout JSONScanner, of line: Span<UInt8>, _ names: ExportNames, _ unknown: (String) -> Void
    ) throws(JSONError) {
        let key = try scanner.string(spellingInto: &spelled)
        try scanner.expect(":")
        guard let (column, rank) = names.column(named: bytes(key, of: line)),
            // What is under an alias may be something else.
            rank != .alias || scanner.next() != 0x7b && scanner.next() != 0x5b || scanner.isExtended
        else {
            unknown(String(repairing: bytes(key, of: line)))
            return try scanner.skipValue(arena: &spelled)
        }
        if let known = ranks[column.rawValue] {
            if known == rank, scanner.next() != 0x6e, !isNull(column) { throw .repeated(column.name) }
            if known > rank { return try scanner.skipValue(arena: &spelled) }
            if known < rank { values[column.rawValue] = nil }
        }
        ranks[column.rawValue] = rank
        switch scanner.next() {
        case 0x22: values[column.rawValue] = try scanner.string(spellingInto: &spelled)
        case 0x7b, 0x5b:
            values[column.rawValue] = try readOther(&scanner, of: line, column, key, unknown)
        case 0x74, 0x66:
            let word = try scanner.word()
            // Of receipts, anything is judged.
            guard column != .file, column != .receiptData, column != .presentedAt else {
                return values[column.rawValue] = .plain(word)
            }
            unknown(String(repairing: bytes(key, of: line)))
        case 0x6e:
            _ = try scanner.word()
            // null does not replace the value of another spelling of the key.
            if values[column.rawValue] == nil { values[column.rawValue] = .plain(0..<0) }
        default: values[column.rawValue] = number(.plain(try scanner.word()), of: line, column)
        }
    }

    /// Reads an object or an array in the place of a text: what MongoDB writes for octets, dates and ids.
    ///
    /// - Returns: the text; for another value under a date the whole value, which is then a date that cannot be read, and
    ///   `nil` under other columns, which are then recorded as unknown.
    private mutating func readOther(
        _ scanner: inout JSONScanner, of line: Span<UInt8>, _ column: Column, _ key: JSONText,
        _ unknown: (String) -> Void
    ) throws(JSONError) -> JSONText? {
        let start = scanner.position
        var other = scanner
        let isReceipt = column == .receiptData
        let found = ExtendedJSON.text(&other, isReceipt: isReceipt, spellingInto: &spelled)
        try scanner.skipValue(arena: &spelled)
        if let found { return found.isNumber ? number(found.text, of: line, column) : found.text }
        switch column {
        case .file, .receiptData: throw .unexpected(at: start, wanted: "text for \(column.name)")
        case .presentedAt: return .plain(start..<scanner.position)
        default:
            unknown(String(repairing: bytes(key, of: line)))
            return nil
        }
    }

    /// Returns the text of a number, which is the same however it is written. The version of an app is no number: 1.10 is
    /// not 1.1.
    private mutating func number(_ text: JSONText, of line: Span<UInt8>, _ column: Column) -> JSONText {
        switch column {
        case .file, .receiptData, .appVersion: return text
        default: break
        }
        if case .plain(let range) = text, line.extracting(range).isWrittenOut { return text }
        let written = bytes(text, of: line).copy()
        let start = spelled.count
        return JSONNumber.append(written.span, to: &spelled) ? .spelled(start..<spelled.count) : text
    }

    private func isNull(_ column: Column) -> Bool {
        if case .plain(let range)? = self[column] { range.isEmpty && range.lowerBound == 0 } else { false }
    }

    /// Sets the fields of a claim.
    ///
    /// - Throws: if a value cannot be read, or the object has no key for a receipt.
    func fill(_ claim: inout Claim, from arena: ByteArena, _ line: Range<Int>) throws(InputFault) {
        let line = arena.span(line)
        for column in Column.allCases {
            if let text = self[column] { claim.set(column, bytes(text, of: line)) }
        }
        if claim.file.isEmpty, self[.receiptData] == nil {
            throw InputFault(.rowMalformed, "names neither a file nor a receipt")
        }
    }

    /// The columns that the object has under names that a user gave.
    var givenColumns: [Column] { Column.allCases.filter { ranks[$0.rawValue] == .given } }

    /// Whether the object holds more of a receipt than blanks.
    func hasReceipt(in arena: ByteArena, _ line: Range<Int>) -> Bool {
        guard let text = self[.receiptData] else { return false }
        return bytes(text, of: arena.span(line)).withoutBlanks.count > 0
    }

    /// Calls a body with the bytes of the receipt that the object holds, as its value gives them; none without one.
    func withReceipt<Failure>(
        in arena: ByteArena, _ line: Range<Int>, _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        try body(bytes(self[.receiptData] ?? .plain(0..<0), of: arena.span(line)))
    }

    private subscript(column: Column) -> JSONText? { values[column.rawValue] }

    /// Returns the bytes of a text.
    @_lifetime(borrow self, copy line)
    private func bytes(_ text: JSONText, of line: Span<UInt8>) -> Span<UInt8> {
        switch text {
        case .plain(let range): line.extracting(range)
        case .spelled(let range): spelled.span.extracting(range)
        }
    }
}

extension Span<UInt8> {
    /// Whether a number of JSON has nothing but digits, as nearly all have.
    fileprivate var isWrittenOut: Bool {
        for index in indices where !(0x30...0x39).contains(self[index]) { return false }
        return true
    }
}
