public import Encodings

/// A node of a YAML document, without an interpretation.
///
/// Scalars keep their written text: YAML would read `1.10` as the number 1.1 and `no` as false. Here the reader of a
/// key decides the meaning of its value.
public struct YAMLValue: Sendable {
    public let place: YAMLFileError.Place
    public let content: Content

    public enum Content: Sendable {
        case text(ExactText)
        /// Nothing, `~` or `null`, without quotes.
        case empty
        case list([YAMLValue])
        case table([YAMLEntry])
    }

    public init(place: YAMLFileError.Place, content: Content) {
        self.place = place
        self.content = content
    }

    /// The text, if the value is one.
    public var text: ExactText? {
        guard case .text(let text) = content else { return nil }
        return text
    }
}

/// A key and its value. The keys of a table are distinct.
public struct YAMLEntry: Sendable {
    public let key: ExactText
    public let place: YAMLFileError.Place
    public let value: YAMLValue
}

extension String {
    /// Whether it has no visible characters.
    public var isBlank: Bool { allSatisfy(\.isWhitespace) }

    /// An untrusted text in quotation marks, safe for a terminal, truncated to a readable length.
    public var quoted: String { TerminalText.escaped(quoted(upTo: 80)) }
}

extension ExactText {
    public var isBlank: Bool { text.isBlank }

    public var quoted: String { text.quoted }
}
