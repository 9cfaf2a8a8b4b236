extension String {
    /// So many Unicode scalars from its start: one character may be any number of them.
    package func start(_ most: Int) -> String { String(String.UnicodeScalarView(unicodeScalars.prefix(most))) }

    /// An untrusted text in quotation marks, cut to so many Unicode scalars.
    package func quoted(upTo most: Int) -> String {
        let start = start(most)
        return "“\(start)\(start.utf8.count < utf8.count ? "…" : "")”"
    }
}

extension ExactText {
    /// An untrusted text in quotation marks, cut to so many Unicode scalars.
    package func quoted(upTo most: Int) -> String { text.quoted(upTo: most) }
}

/// A number with its noun: `1 byte`, `2 bytes`.
///
/// - Parameter digits: how the number is written.
package func counted(_ number: Int, _ noun: String, _ digits: (Int) -> String = { String($0) }) -> String {
    "\(digits(number)) \(noun)\(number == 1 ? "" : "s")"
}
