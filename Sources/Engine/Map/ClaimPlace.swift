package import Encodings
package import Rules

/// The place of a claim in an audit: its input, and its line there. It names the claim between map and reduce, and
/// defines the order of claims.
package struct ClaimPlace: Hashable, Sendable {
    /// The number of the input, from 0.
    package let input: Int
    package let line: Int

    private static let lineBits = 40

    /// The claim's number, which sorts like the place.
    package var number: ClaimNumber {
        ClaimNumber(rawValue: UInt64(input) << UInt64(Self.lineBits) | UInt64(line))
    }

    /// The maximum number of inputs, and of lines in one.
    package static let maxInputs = 1 << 20
    package static let maxLines = 1 << lineBits - 1

    package init(input: Int, line: Int) {
        self.input = max(0, min(input, Self.maxInputs - 1))
        self.line = max(0, min(line, Self.maxLines))
    }

    package init(number: ClaimNumber) {
        let number = number.rawValue
        self.init(
            input: Int(number >> UInt64(Self.lineBits)), line: Int(number & UInt64(Self.maxLines)))
    }
}

/// A claim's source in lines: without the line number if the place implies it.
package struct SourceName {
    package var text: ExactText
    package var isNamedByLine: Bool

    package init(_ source: ExactText, _ place: ClaimPlace) {
        let suffix: ExactText = ":\(place.line)"
        let octets = source.utf8.span
        let start = octets.count - suffix.utf8.count
        isNamedByLine = start > 0 && octets.extracting(start...).isSame(as: suffix.utf8.span)
        text = isNamedByLine ? ExactText(String(repairing: octets.extracting(..<start))) : source
    }

    package func source(at place: ClaimPlace) -> ExactText { isNamedByLine ? "\(text):\(place.line)" : text }
}
