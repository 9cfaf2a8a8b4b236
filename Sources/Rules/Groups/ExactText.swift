import Encodings

/// A stranger's text that is compared octet by octet.
///
/// Swift takes two spellings of `é` for equal; which of them a set then keeps depends on which came first.
struct ExactText: Hashable, Comparable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (a: ExactText, b: ExactText) -> Bool {
        a.text.utf8.count == b.text.utf8.count && a.text.utf8.elementsEqual(b.text.utf8)
    }

    static func < (a: ExactText, b: ExactText) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

    /// What is equal octet by octet is equal to Swift.
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension ExactText: StablyHashable {
    var stableHash: UInt64 { text.stableHash }
}

extension ExactText: CustomStringConvertible {
    var description: String { text }
}

extension Distinct<ExactText> {
    /// `2 accounts: ann, bob`, the first ten of them.
    var accountsText: String {
        "\(countText) \(isMore(than: 1) ? "accounts" : "account"): \(sorted.listed(of: countText) { $0.text })"
    }
}
