public import Encodings

/// A node of a YAML document, before anybody decides what it means.
///
/// Scalars stay the text that was written. YAML would make `1.10` the number 1.1 and `no` a truth value; here it is for
/// the reader of a key to say what stands behind it.
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

    /// The text, if it is one.
    public var text: ExactText? {
        guard case .text(let text) = content else { return nil }
        return text
    }
}

/// A key and what stands behind it. The keys of a table differ.
public struct YAMLEntry: Sendable {
    public let key: ExactText
    public let place: YAMLFileError.Place
    public let value: YAMLValue
}

/// Why a file is no YAML that we read.
struct YAMLProblem: Error {
    var place: YAMLFileError.Place?
    let message: String

    init(_ place: YAMLFileError.Place?, _ message: String) {
        self.place = place
        self.message = message
    }
}

extension String {
    /// Whether there is nothing to be seen in it.
    public var isBlank: Bool { allSatisfy(\.isWhitespace) }

    /// An untrusted text in quotation marks, safe for a terminal, and cut to a length that a person can read.
    public var quoted: String { TerminalText.escaped(quoted(upTo: 80)) }
}

extension ExactText {
    public var isBlank: Bool { text.isBlank }

    public var quoted: String { text.quoted }
}
