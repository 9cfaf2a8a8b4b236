public import Encodings

/// A stranger's text that is compared octet by octet.
///
/// Swift takes two spellings of `é` for equal; which of them a set then keeps depends on which came first.
public struct ExactText: Hashable, Comparable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }

    public static func == (a: ExactText, b: ExactText) -> Bool {
        a.text.utf8.count == b.text.utf8.count && a.text.utf8.elementsEqual(b.text.utf8)
    }

    public static func < (a: ExactText, b: ExactText) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

    /// What is equal octet by octet is equal to Swift.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
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

extension Distinct<ExactText> {
    /// `2 accounts: ann, bob`, the first ten of them.
    var accountsText: String {
        "\(countText) \(isMore(than: 1) ? "accounts" : "account"): \(sorted.listed(of: countText) { $0.text })"
    }
}
