/// A stranger's text that is compared octet by octet.
///
/// Swift takes two spellings of `é` for equal; which of them a set then keeps depends on which came first.
public struct ExactText: Hashable, Comparable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }

    public static func == (a: ExactText, b: ExactText) -> Bool { a.text.isSpelled(b.text) }

    public static func < (a: ExactText, b: ExactText) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

    /// Eight octets at a time. Swift's own hash of a text is the same for all spellings, of which a stranger can make many.
    public func hash(into hasher: inout Hasher) {
        let octets = text.utf8.span
        var word: UInt64 = 0
        for index in octets.indices {
            word = word << 8 | UInt64(octets[index])
            if index & 7 == 7 { hasher.combine(word) }
        }
        hasher.combine(word)
        hasher.combine(octets.count)
    }
}

extension String {
    /// Whether it is another text octet by octet, and not only in another spelling of its letters.
    package func isSpelled(_ other: String) -> Bool {
        let (octets, others) = (utf8.span, other.utf8.span)
        guard octets.count == others.count else { return false }
        for index in octets.indices where octets[index] != others[index] { return false }
        return true
    }
}

extension ExactText: StablyHashable {
    public var stableHash: UInt64 { text.stableHash }
}

extension ExactText: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension ExactText: CustomStringConvertible {
    public var description: String { text }
}
