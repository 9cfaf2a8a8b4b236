@_spi(_Unicode) import Swift

/// What is left of an account id without its form: equal for ids that differ only in case, in canonically equivalent
/// characters (UAX #15), in invisible characters, in surrounding white space, and in what a spreadsheet writes before
/// or around text (`'ann`, `="ann"`).
///
/// Ids of one spelling are still different accounts, because users may choose them: whoever adds a zero-width space to
/// another's id must not become that person. But nobody can read them apart, and exports change them by accident.
public struct AccountSpelling: Hashable, Sendable {
    /// The text in lower case and NFC.
    public let folded: ExactText

    public init(_ account: ExactText) {
        var scalars = account.text.unicodeScalars.filter { !HiddenScalar.contains($0) }[...].trimmed
        if let quoted = scalars.quotedFormula {
            scalars = quoted.trimmed
        } else if scalars.first == "'" {
            scalars = scalars.dropFirst().trimmed
        }
        // Upper case first: ß and SS, σ and ς are one.
        let lower = String(scalars).uppercased().lowercased()
        folded = ExactText(lower.utf8.allSatisfy { $0 < 0x80 } ? lower : lower.inNFC)
    }
}

extension Substring.UnicodeScalarView {
    /// The text without surrounding white space.
    fileprivate var trimmed: Self {
        guard let first = firstIndex(where: { !HiddenScalar.isBlank($0) }),
            let last = lastIndex(where: { !HiddenScalar.isBlank($0) })
        else { return self[endIndex...] }
        return self[first...last]
    }

    /// The text in `="…"`; `nil` if it has another form.
    fileprivate var quotedFormula: Self? {
        let (start, end) = ("=\"".unicodeScalars, "\"".unicodeScalars)
        guard count > start.count, starts(with: start), last == end.first else { return nil }
        return dropFirst(start.count).dropLast()
    }
}

extension String {
    /// The text in normalization form C.
    fileprivate var inNFC: String {
        var scalars = UnicodeScalarView()
        scalars.append(contentsOf: _nfc)
        return String(scalars)
    }
}
