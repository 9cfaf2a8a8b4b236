import Encodings

/// A parsed line of NDJSON: the value of each known key.
///
/// Of two keys for one column the better known one counts (``ExportNames``). The object is reused for the next line, to
/// keep its memory.
struct JSONObject {
    /// The text of each column's key, or a number, written out (``JSONNumber``); empty for null, `nil` if there is no
    /// such key.
    private var values = [JSONText?](repeating: nil, count: Column.count)
    private var ranks = [ExportNames.Rank?](repeating: nil, count: Column.count)
    /// The keys for a proof in the object, and the key of the one with a value.
    private var proofNames: [Int] = []
    private var proofKey: JSONText?
    /// The keys for a device in the object.
    private var deviceNames: [Int] = []
    /// The keys with values that their columns cannot hold, and whether each is a UUID in an unknown order of bytes.
    private var unusable: [(column: Column, key: JSONText, isLegacyUUID: Bool)] = []
    /// The strings with escapes, decoded.
    private var spelled: [UInt8] = []

    /// Reads a whole line.
    mutating func read(
        _ line: Range<Int>, of arena: ByteArena, _ names: ExportNames = ExportNames(), unknown: (String) -> Void
    ) throws(JSONError) {
        let line = arena.span(line)
        for index in values.indices { (values[index], ranks[index]) = (nil, nil) }
        proofNames.removeAll(keepingCapacity: true)
        deviceNames.removeAll(keepingCapacity: true)
        proofKey = nil
        unusable.removeAll(keepingCapacity: true)
        spelled.removeAll(keepingCapacity: true)
        guard (try? UTF8Span(validating: line)) != nil else { throw .notUTF8 }
        var scanner = JSONScanner(line, isLenient: true)
        try scanner.expect("{")
        if !scanner.skip("}") {
            repeat { try readMember(&scanner, of: line, names, unknown) } while scanner.skip(",")
            try scanner.expect("}")
        }
        // The elements of an array may be lines without its brackets.
        _ = scanner.skip(",")
        guard scanner.next() == nil else { throw .leftOver(at: scanner.position) }
    }

    private mutating func readMember(
        _ scanner: inout JSONScanner, of line: Span<UInt8>, _ names: ExportNames, _ unknown: (String) -> Void
    ) throws(JSONError) {
        let key = try scanner.string(spellingInto: &spelled)
        try scanner.expect(":")
        guard let found = names.column(named: bytes(key, of: line)) else {
            unknown(String(repairing: bytes(key, of: line)))
            return try scanner.skipValue(arena: &spelled)
        }
        let (column, rank) = (found.column, found.rank)
        // The value under an alias may be something else.
        if rank == .alias, !column.mayBeUUID, scanner.next() == 0x7b || scanner.next() == 0x5b {
            var ahead = scanner
            try ahead.skipValue(arena: &spelled)
            if OtherValue(line.extracting(scanner.position..<ahead.position), of: column) == nil {
                unusable.append((column, key, false))
                scanner = ahead
                return
            }
        }
        if column == .receiptData, rank != .given, ranks[column.rawValue] != .given {
            return try readProof(&scanner, of: line, key, found, names)
        }
        if column == .deviceID, rank != .given, ranks[column.rawValue] != .given {
            return try readDevice(&scanner, of: line, key, found, names)
        }
        if let known = ranks[column.rawValue] {
            if known == rank, scanner.next() != 0x6e, !isNull(column) { throw .repeated(column.name) }
            if known > rank { return try scanner.skipValue(arena: &spelled) }
            if known < rank { values[column.rawValue] = nil }
        }
        ranks[column.rawValue] = rank
        guard scanner.next() != 0x6e else {
            _ = try scanner.word()
            // A null does not replace the value of another spelling of the key.
            if values[column.rawValue] == nil { values[column.rawValue] = .plain(0..<0) }
            return
        }
        values[column.rawValue] = try readValue(&scanner, of: line, column, key, names)
    }

    /// Reads the value of one of several keys for a device. All count, as alternatives.
    private mutating func readDevice(
        _ scanner: inout JSONScanner, of line: Span<UInt8>, _ key: JSONText, _ found: ExportNames.Known,
        _ names: ExportNames
    ) throws(JSONError) {
        let column = Column.deviceID.rawValue
        let isNull = scanner.next() == 0x6e
        if deviceNames.contains(found.name), !isNull { throw .repeated(Column.deviceID.name) }
        ranks[column] = max(ranks[column] ?? found.rank, found.rank)
        guard !isNull else {
            _ = try scanner.word()
            return
        }
        deviceNames.append(found.name)
        guard let value = try readValue(&scanner, of: line, .deviceID, key, names) else { return }
        guard let first = values[column] else { return values[column] = value }
        let start = spelled.count
        let (one, other) = (bytes(first, of: line).copy(), bytes(value, of: line).copy())
        spelled += one + [Claim.separatorOfDevices] + other
        values[column] = .spelled(start..<spelled.count)
    }

    /// Reads the value of one of several keys for a proof. Only one may have a value.
    private mutating func readProof(
        _ scanner: inout JSONScanner, of line: Span<UInt8>, _ key: JSONText, _ found: ExportNames.Known,
        _ names: ExportNames
    ) throws(JSONError) {
        let column = Column.receiptData.rawValue
        guard scanner.next() != 0x6e else {
            _ = try scanner.word()
            if values[column] == nil { values[column] = .plain(0..<0) }
            return
        }
        // No number or word under an alias is a proof.
        if found.rank == .alias, scanner.next().map({ !Array("\"{[".utf8).contains($0) }) ?? true {
            unusable.append((.receiptData, key, false))
            return try scanner.skipValue(arena: &spelled)
        }
        if proofNames.contains(found.name) { throw .repeated(Column.receiptData.name) }
        proofNames.append(found.name)
        guard let value = try readValue(&scanner, of: line, .receiptData, key, names) else { return }
        guard try readsSecond(values[column], value, key, of: line) else { return }
        values[column] = value
        proofKey = key
    }

    /// Whether the second of two proofs counts, because the first key has no value.
    ///
    /// - Throws: if both have values and differ.
    private func readsSecond(
        _ first: JSONText?, _ second: JSONText, _ key: JSONText, of line: Span<UInt8>
    ) throws(JSONError) -> Bool {
        guard let first, let proofKey, isProof(first, of: line) else {
            return first == nil || bytes(second, of: line).withoutBlanks.count > 0
        }
        let areSame = bytes(first, of: line).withoutBlanks.isSame(as: bytes(second, of: line).withoutBlanks)
        guard isProof(second, of: line), !areSame else { return false }
        throw .differ(String(repairing: bytes(proofKey, of: line)), String(repairing: bytes(key, of: line)))
    }

    /// Whether a text is not a placeholder.
    private func isProof(_ text: JSONText, of line: Span<UInt8>) -> Bool {
        let text = bytes(text, of: line).withoutBlanks
        // A language's placeholder may be a word of JSON.
        let isWord = text.isSame(as: Array("false".utf8).span) || text.isSame(as: Array("true".utf8).span)
        return text.count > 0 && !isWord && !Placeholder.matches(text)
    }

    /// Reads a value that is not null; `nil` if the column cannot hold it, which is then recorded.
    private mutating func readValue(
        _ scanner: inout JSONScanner, of line: Span<UInt8>, _ column: Column, _ key: JSONText, _ names: ExportNames
    ) throws(JSONError) -> JSONText? {
        switch scanner.next() {
        case 0x22:
            let replaced = scanner.replaced
            let text = try scanner.string(spellingInto: &spelled)
            guard scanner.replaced == replaced else {
                unusable.append((column, key, false))
                return nil
            }
            return text
        case 0x7b, 0x5b: return try readOther(&scanner, of: line, column, key, names)
        case 0x74, 0x66:
            let word = try scanner.word()
            // Receipts of any type are checked.
            guard column != .file, column != .receiptData, column != .presentedAt else { return .plain(word) }
            unusable.append((column, key, false))
            return nil
        default: return number(.plain(try scanner.word()), of: line, column)
        }
    }

    /// Reads an object or an array in the place of a text.
    ///
    /// - Returns: the text; for any other value under a date the whole value, which is then an unreadable date, and
    ///   `nil` under other columns.
    private mutating func readOther(
        _ scanner: inout JSONScanner, of line: Span<UInt8>, _ column: Column, _ key: JSONText, _ names: ExportNames
    ) throws(JSONError) -> JSONText? {
        let start = scanner.position
        try scanner.skipValue(arena: &spelled)
        let value = start..<scanner.position
        let begin = spelled.count
        switch OtherValue(line.extracting(value), of: column, legacy: names.legacyUUID(in: column)) {
        case .text(let text):
            spelled += text
            return .spelled(begin..<spelled.count)
        case .number(let text):
            spelled += text
            return number(.spelled(begin..<spelled.count), of: line, column)
        case .unordered:
            unusable.append((column, key, true))
            return nil
        case nil: break
        }
        switch column {
        case .file, .receiptData: throw .unexpected(at: start, wanted: "text for \(column.name)")
        case .presentedAt: return .plain(value)
        default:
            unusable.append((column, key, false))
            return nil
        }
    }

    /// Returns the canonical text of a number. The version of an app is not a number: 1.10 is not 1.1.
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
        // Another key for the same column may have a usable value.
        for (column, key, isLegacyUUID) in unusable where self[column] == nil {
            claim.leaveOut(column, key: ExactText(repairing: bytes(key, of: line)), isLegacyUUID: isLegacyUUID)
        }
        if claim.file.isEmpty, self[.receiptData] == nil {
            throw InputFault(.rowMalformed, "names neither a file nor a receipt")
        }
    }

    /// Whether the object has a receipt that is not blank.
    func hasReceipt(in arena: ByteArena, _ line: Range<Int>) -> Bool {
        guard let text = self[.receiptData] else { return false }
        return bytes(text, of: arena.span(line)).withoutBlanks.count > 0
    }

    /// Calls a body with the bytes of the object's receipt, as in its value; none without one.
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
    /// Whether a JSON number has only digits, like nearly all.
    fileprivate var isWrittenOut: Bool {
        for index in indices where !(0x30...0x39).contains(self[index]) { return false }
        return true
    }
}
