/// Text of a proof, an export or a policy: two are the same only if they have the same bytes in UTF-8.
///
/// Swift compares `String`s by canonical equivalence: the Kelvin sign (U+212A) is `K`, and `é` is `e` with an accent
/// (U+0301) after it. Whoever may choose an identifier could pass for another. So whatever compares, orders, hashes or
/// looks up such a text has this type, into which a `String` is made only by name.
@frozen
public struct ExactText: Sendable {
    /// The same as a `String`, to be written and shown; never to be compared.
    public let text: String

    @inlinable
    public init(_ text: String) { self.text = text }

    /// Makes a text of bytes, with U+FFFD instead of what is not UTF-8.
    package init(repairing octets: Span<UInt8>) { self.init(String(repairing: octets)) }

    @inlinable public var isEmpty: Bool { text.isEmpty }

    /// Its bytes.
    @inlinable public var utf8: String.UTF8View { text.utf8 }

    /// The same with `a` to `z` instead of `A` to `Z`, and all else as it is.
    public var lowercasedASCII: ExactText {
        ExactText(String(decoding: utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self))
    }

    /// Whether its first bytes are those of another text.
    public func hasPrefix(_ prefix: ExactText) -> Bool { utf8.starts(with: prefix.utf8) }

    /// Returns the text after a prefix, or `nil` if it does not start with that.
    public func rest(behind prefix: ExactText) -> ExactText? {
        guard hasPrefix(prefix) else { return nil }
        return ExactText(String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    }
}

extension ExactText: Hashable {
    @inlinable
    public static func == (a: ExactText, b: ExactText) -> Bool { a.text.hasSameBytes(as: b.text) }

    /// By its bytes: Swift's own hash is the same for all canonically equivalent texts, of which anybody can make
    /// many.
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(octets: utf8.span) }
}

extension ExactText: Comparable {
    /// Orders texts by their bytes, which is the order of their Unicode scalars.
    public static func < (a: ExactText, b: ExactText) -> Bool { a.utf8.span.precedes(b.utf8.span) }
}

extension String {
    /// Whether two texts have the same bytes in UTF-8, and are not merely canonically equivalent.
    @inlinable
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.span.isSame(as: other.utf8.span)
    }

    /// Returns at most a number of Unicode scalars from its start: one character may be any number of them.
    package func start(_ max: Int) -> String { String(String.UnicodeScalarView(unicodeScalars.prefix(max))) }

    /// Returns an untrusted text in quotation marks, cut to a number of Unicode scalars.
    package func quoted(upTo max: Int) -> String {
        let start = start(max)
        return "“\(start)\(start.utf8.count < utf8.count ? "…" : "")”"
    }
}

extension ExactText {
    /// Returns an untrusted text in quotation marks, cut to a number of Unicode scalars.
    package func quoted(upTo max: Int) -> String { text.quoted(upTo: max) }
}

extension ExactText: ExpressibleByStringInterpolation {
    @inlinable
    public init(stringLiteral text: String) { self.text = text }
}

extension ExactText: CustomStringConvertible {
    @inlinable public var description: String { text }
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
