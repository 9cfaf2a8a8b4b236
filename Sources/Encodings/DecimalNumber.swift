/// A number with up to six decimals, which converts to text without loss.
public struct DecimalNumber: Hashable, Sendable {
    public let millionths: Int128

    public init(millionths: Int128) { self.millionths = millionths }

    public init(_ number: Int) { millionths = Int128(number) * 1_000_000 }

    /// Makes a share, rounded to the nearest millionth, halves away from 0.
    ///
    /// - Returns: `nil` if the whole is 0.
    public init?(_ part: Int, of whole: Int) {
        guard whole > 0 else { return nil }
        let magnitude = (Int128(part.magnitude) * 2_000_000 + Int128(whole)) / (2 * Int128(whole))
        millionths = part < 0 ? -magnitude : magnitude
    }
}

extension DecimalNumber: CustomStringConvertible {
    /// `-0.25`, `7`: with a decimal point in every locale, and without trailing zeros.
    public var description: String {
        let (whole, rest) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        var text = (millionths < 0 ? "-" : "") + String(whole)
        guard rest > 0 else { return text }
        var digits = String(rest)
        digits = String(repeating: "0", count: 6 - digits.utf8.count) + digits
        while digits.last == "0" { digits.removeLast() }
        text += "." + digits
        return text
    }
}
