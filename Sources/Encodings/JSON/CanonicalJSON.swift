import FoundationEssentials

/// Values of `Codable` types as JSON that has one form: members sorted by name, without blanks.
///
/// A field of a record is in it where its type has too many fields of its own to declare them twice: what a rule has
/// read of a part of a group, and a part of the summary.
public enum CanonicalJSON {
    /// Returns the value as JSON.
    public static func text(of value: some Encodable) throws -> ExactText {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ExactText(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Reads a value.
    ///
    /// - Throws: ``OtherText`` or a `DecodingError` unless ``text(of:)`` returns the text for the value: what is of
    ///   another version, or has members that nobody asked for, is refused.
    public static func value<Value: Codable>(of text: ExactText) throws -> Value {
        let value = try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        guard try self.text(of: value) == text else { throw OtherText() }
        return value
    }

    /// The text has a form in which no value is written.
    public struct OtherText: Error {}
}
