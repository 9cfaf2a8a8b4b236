import Encodings

/// A node of a YAML document, before anybody decides what it means.
///
/// Scalars stay the text that was written. YAML would make `1.10` the number 1.1 and `no` a truth value; here it is for
/// the reader of a key to say what stands behind it.
struct YAMLValue {
    let place: PolicyError.Place
    let content: Content

    enum Content {
        case text(String)
        /// Nothing, `~` or `null`, without quotes.
        case empty
        case list([YAMLValue])
        case table([YAMLEntry])
    }

    var text: String? {
        guard case .text(let text) = content else { return nil }
        return text
    }
}

/// A key and what stands behind it. The keys of a table differ.
struct YAMLEntry {
    let key: String
    let place: PolicyError.Place
    let value: YAMLValue
}

/// Why a file is no YAML that we read.
struct YAMLProblem: Error {
    var place: PolicyError.Place?
    let message: String

    init(_ place: PolicyError.Place?, _ message: String) {
        self.place = place
        self.message = message
    }
}

extension String {
    /// A stranger's text in quotation marks, cut to a length that a person can read.
    var quoted: String {
        let most = 80
        let start = String(String.UnicodeScalarView(unicodeScalars.prefix(most)))
        return "“" + TerminalText.escaped(start) + (unicodeScalars.count > most ? "…" : "") + "”"
    }
}
