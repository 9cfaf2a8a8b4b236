import Encodings

/// The id in an object or array that holds nothing else: `{"id":"…"}`, `{"S":"…"}` of DynamoDB, `{"string":"…"}` of
/// Avro, `["…"]`.
enum OnlyValue {
    /// Returns the text or number in it, empty for null; the texts of an array as alternatives, if they are devices.
    /// `nil` if it holds anything else.
    static func read(_ json: Span<UInt8>, of column: Column) -> [UInt8]? {
        guard let value = SeenJSON.values(json, atMost: 1).values.first else { return nil }
        switch value {
        case .object(let members) where members.count == 1 && members[0].name.first != UInt8(ascii: "$"):
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
}
