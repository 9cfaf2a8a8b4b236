import Encodings

/// What programs write into JSON as an object or an array in the place of a text or a number:
///
/// - values of MongoDB: `{"$oid":"…"}`, `{"$date":{"$numberLong":"…"}}`, and bytes and UUIDs as
///   `{"$binary":{"base64":"…","subType":"00"}}` or the older `{"$binary":"…","$type":"00"}`;
/// - bytes as numbers: `[48,130]`, with signs (Java) or without, `{"type":"Buffer","data":[48,130]}` (Node.js), and
///   `{"0":48,"1":130}` (typed arrays of JavaScript);
/// - an id with nothing else beside it: `{"id":"…"}`, `{"S":"…"}` of DynamoDB, `{"string":"…"}` of Avro, `["…"]`.
enum OtherValue {
    case text([UInt8])
    case number([UInt8])
    /// A UUID in an order of bytes that is not known.
    case unordered

    /// - Parameters:
    ///   - json: a whole value.
    ///   - legacy: the writer of UUIDs of subtype 03; `nil` if it is not known.
    /// - Returns: `nil` if the column cannot hold the value.
    init?(_ json: Span<UInt8>, of column: Column, legacy: LegacyUUID? = nil) {
        // First, because a receipt has thousands of octets.
        let isReceipt = column == .receiptData
        if isReceipt || column.mayBeUUID, let octets = Self.octets(json), isReceipt || octets.count == 16 {
            self = .text(isReceipt ? octets : Array(Hex.string(octets.span).utf8))
            return
        }
        guard let value = SeenJSON.values(json, atMost: 1, decodesStrings: false).values.first else {
            return nil
        }
        if let found = Self.extended(value, isReceipt ? ["$binary"] : Self.names) {
            self = found
        } else if column.mayBeUUID, let found = Self.uuid(value, legacy) {
            self = found
        } else if column.mayBeUUID, let id = Self.only(value, column) {
            self = .text(id)
        } else {
            return nil
        }
    }

    private static let names = [
        "$date", "$oid", "$uuid", "$numberLong", "$numberInt", "$numberDecimal", "$numberDouble",
    ]

    /// Returns the value of an object whose first member has one of these names.
    private static func extended(_ value: SeenJSON, _ names: [String]) -> OtherValue? {
        guard case .object(let members) = value, let first = members.first else { return nil }
        let name = String(repairing: first.name.span)
        guard names.contains(name) else { return nil }
        switch first.value {
        case .text(let text): return name.hasPrefix("$number") ? .number(text) : .text(text)
        case .word(let milliseconds) where name == "$date": return .text(milliseconds)
        case .object(let inner) where name == "$date" || name == "$binary":
            guard let inner = inner.first, case .text(let text) = inner.value,
                ["base64", "$numberLong"].contains(String(repairing: inner.name.span))
            else { return nil }
            return .text(text)
        default: return nil
        }
    }

    /// Returns the text of a UUID in BSON, in lower case with its hyphens.
    private static func uuid(_ value: SeenJSON, _ legacy: LegacyUUID?) -> OtherValue? {
        guard let binary = value["$binary"], case .text(let text) = binary["base64"] ?? binary,
            case .text(let type)? = binary["subType"] ?? value["$type"]
        else { return nil }
        var octets: [UInt8] = []
        guard Base64.decode(text.span, into: &octets), octets.count == 16 else { return nil }
        switch String(repairing: type.span) {
        case "04", "4": break
        case "03", "3":
            guard let legacy else { return .unordered }
            octets = legacy.ordered(octets)
        default: return nil
        }
        return .text(DeviceIdentifiers.uuid(octets.span))
    }

    /// Returns the bytes that a list of numbers, or an object with one, holds.
    private static func octets(_ json: Span<UInt8>) -> [UInt8]? {
        var reader = LooseJSON(json.copy())
        if reader.next() == UInt8(ascii: "[") { return reader.octets() }
        var octets: [UInt8] = []
        reader.skip()
        while reader.next() == UInt8(ascii: "\"") {
            let name = reader.string()
            guard reader.next() == UInt8(ascii: ":") else { return nil }
            reader.skip()
            switch (String(repairing: name.span), reader.next()) {
            case ("data", UInt8(ascii: "[")):
                guard let list = reader.octets() else { return nil }
                octets += list
            case ("type", UInt8(ascii: "\"")): _ = reader.string()
            case (String(octets.count), _):
                guard let octet = reader.octet() else { return nil }
                octets.append(octet)
            default: return nil
            }
            if reader.next() == UInt8(ascii: ",") { reader.skip() }
        }
        return octets.isEmpty ? nil : octets
    }

    /// Returns the text or number in an object or array with nothing else, empty for null; the texts of an array as
    /// alternatives, if they are devices.
    private static func only(_ value: SeenJSON, _ column: Column) -> [UInt8]? {
        switch value {
        case .object(let members)
        where members.count == 1 && members[0].name.first != UInt8(ascii: "$"):
            return members[0].name.elementsEqual("NULL".utf8) ? [] : id(members[0].value)
        case .array(let elements) where elements.count <= 1 || column == .deviceID:
            let ids = elements.compactMap(id)
            return ids.count < elements.count ? nil : Array(ids.joined(separator: [UInt8(ascii: "|")]))
        default: return nil
        }
    }

    private static func id(_ value: SeenJSON) -> [UInt8]? {
        switch value {
        case .text(let text): return text
        case .word(let word) where word.elementsEqual("null".utf8): return []
        case .word(let word) where (word.first.map { (0x30...0x39).contains($0) }) ?? false:
            var number: [UInt8] = []
            return JSONNumber.append(word.span, to: &number) ? number : nil
        default: return nil
        }
    }

    /// Whether an object that begins with a member may hold bytes: as numbers, or in MongoDB's form.
    static func mayBeOctets(_ member: SeenJSON.Member) -> Bool {
        let name = String(repairing: member.name.span)
        let isNumber = if case .word = member.value { true } else { false }
        return name.hasPrefix("$") || name == "0" && isNumber
            || name == "type" && member.value == .text(Array("Buffer".utf8))
    }
}

/// The MongoDB drivers that wrote UUIDs as BSON of subtype 03, each in its own byte order, which the value does not
/// show.
enum LegacyUUID: String, CaseIterable, Sendable {
    /// Bytes in the order of the text, as in subtype 04.
    case python
    /// Each half reversed.
    case java
    /// The first three groups of the text, each reversed.
    case csharp

    /// Returns the 16 bytes of a UUID in the order of its text.
    fileprivate func ordered(_ octets: [UInt8]) -> [UInt8] {
        switch self {
        case .python: octets
        case .java: octets[..<8].reversed() + octets[8...].reversed()
        case .csharp:
            octets[..<4].reversed() + octets[4..<6].reversed() + octets[6..<8].reversed() + octets[8...]
        }
    }
}
