import FoundationEssentials

/// Encodes values of `Codable` types as JSON in a single form: members sorted by name, without blanks.
///
/// It is used for fields of records whose types have too many fields to declare twice: the state of a rule over a part
/// of a group, and a part of the summary.
public enum CanonicalJSON {
    /// Returns the value as JSON.
    public static func text(of value: some Encodable) throws -> ExactText {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ExactText(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Reads a value.
    ///
    /// - Throws: ``OtherText`` or a `DecodingError` unless ``text(of:)`` returns the text for the value. So text of
    ///   another version, or with unknown members, is refused.
    public static func value<Value: Codable>(of text: ExactText) throws -> Value {
        let value = try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        guard try self.text(of: value) == text else { throw OtherText() }
        return value
    }

    /// The text has a form that the encoder never writes.
    public struct OtherText: Error {}
}
