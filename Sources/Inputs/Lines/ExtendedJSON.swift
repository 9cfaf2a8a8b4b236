import Encodings

/// The values that MongoDB writes as objects: `{"$oid":"…"}`, `{"$date":"…"}`, `{"$date":{"$numberLong":"…"}}`, and
/// bytes and UUIDs as `{"$binary":{"base64":"…","subType":"00"}}` (MongoDB Extended JSON, version 2 and the older
/// `{"$binary":"…"}`).
enum ExtendedJSON {
    /// Reads an object of this kind.
    ///
    /// - Parameters:
    ///   - isReceipt: whether to read bytes, in base64, and no other value.
    ///   - arena: the memory for strings with escapes.
    /// - Returns: the text in it, and whether it is a number; `nil` if it is another object or an array.
    static func text(
        _ scanner: inout JSONScanner, isReceipt: Bool, spellingInto arena: inout [UInt8]
    ) -> (text: JSONText, isNumber: Bool)? {
        do throws(JSONError) {
            return try read(&scanner, isReceipt ? octets : values, arena: &arena)
        } catch {
            return nil
        }
    }

    private static let octets = ["$binary"]
    private static let values = [
        "$date", "$oid", "$uuid", "$numberLong", "$numberInt", "$numberDecimal", "$numberDouble",
    ]
    /// The names of members of the object under one of these names.
    private static let inner = ["base64", "$numberLong"]

    private static func read(
        _ scanner: inout JSONScanner, _ names: [String], arena: inout [UInt8], isInner: Bool = false
    ) throws(JSONError) -> (text: JSONText, isNumber: Bool)? {
        try scanner.expect("{")
        guard let name = try name(&scanner, among: names, arena: &arena) else { return nil }
        let text: JSONText
        switch scanner.next() {
        case 0x22: text = try scanner.string(spellingInto: &arena)
        case 0x7b:
            guard !isInner, name == "$date" || name == "$binary",
                let found = try read(&scanner, inner, arena: &arena, isInner: true)
            else { return nil }
            text = found.text
        default:
            // Milliseconds.
            guard name == "$date" else { return nil }
            text = .plain(try scanner.word())
        }
        while scanner.skip(",") {
            _ = try scanner.string(spellingInto: &arena)
            try scanner.expect(":")
            try scanner.skipValue(arena: &arena)
        }
        try scanner.expect("}")
        return (text, name.hasPrefix("$number"))
    }

    /// Reads the bytes of a UUID: `{"$binary":{"base64":"…","subType":"04"}}`, or `{"$binary":"…","$type":"04"}`.
    ///
    /// - Parameters:
    ///   - legacy: the writer of UUIDs of subtype 03; `nil` if it is not known, and they are not read.
    ///   - arena: receives the text of the UUID, in lower case with its hyphens.
    /// - Returns: `nil` if it is anything else.
    static func uuid(
        _ scanner: inout JSONScanner, of line: Span<UInt8>, legacy: LegacyUUID?, spellingInto arena: inout [UInt8]
    ) -> JSONText? {
        var binary = Binary()
        do throws(JSONError) {
            try read(&scanner, into: &binary, isInner: false, arena: &arena)
        } catch {
            return nil
        }
        guard let text = binary.base64, let type = binary.type else { return nil }
        var octets: [UInt8] = []
        guard Base64.decode(text.bytes(of: line, arena), into: &octets), octets.count == 16 else { return nil }
        switch String(repairing: type.bytes(of: line, arena)) {
        case "04", "4": break
        case "03", "3":
            guard let legacy else { return nil }
            octets = legacy.ordered(octets)
        default: return nil
        }
        let start = arena.count
        for index in octets.indices {
            if [4, 6, 8, 10].contains(index) { arena.append(UInt8(ascii: "-")) }
            Hex.append(octets.span.extracting(index...index), to: &arena)
        }
        return .spelled(start..<arena.count)
    }

    private struct Binary {
        var base64: JSONText?
        var type: JSONText?
    }

    private static func read(
        _ scanner: inout JSONScanner, into binary: inout Binary, isInner: Bool, arena: inout [UInt8]
    ) throws(JSONError) {
        try scanner.expect("{")
        repeat {
            let isOctets = scanner.isNext(isInner ? "base64" : "$binary")
            let isType = scanner.isNext(isInner ? "subType" : "$type")
            _ = try scanner.string(spellingInto: &arena)
            try scanner.expect(":")
            if isOctets, !isInner, scanner.next() == 0x7b {
                try read(&scanner, into: &binary, isInner: true, arena: &arena)
            } else if isOctets || isType, scanner.next() == 0x22 {
                let text = try scanner.string(spellingInto: &arena)
                if isOctets { binary.base64 = text } else { binary.type = text }
            } else {
                try scanner.skipValue(arena: &arena)
            }
        } while scanner.skip(",")
        try scanner.expect("}")
    }

    /// Reads the first name in an object, and the colon after it; `nil` if it is not one of these names.
    private static func name(
        _ scanner: inout JSONScanner, among names: [String], arena: inout [UInt8]
    ) throws(JSONError) -> String? {
        for name in names where scanner.isNext(name) {
            _ = try scanner.string(spellingInto: &arena)
            try scanner.expect(":")
            return name
        }
        return nil
    }
}

extension JSONText {
    /// Returns the bytes of a text of a line, or of the arena.
    @_lifetime(copy line, borrow arena)
    fileprivate func bytes(of line: Span<UInt8>, _ arena: borrowing [UInt8]) -> Span<UInt8> {
        switch self {
        case .plain(let range): line.extracting(range)
        case .spelled(let range): arena.span.extracting(range)
        }
    }
}
