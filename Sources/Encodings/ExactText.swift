/// Text of a proof, an export or a policy. Two texts are equal only if they have the same bytes in UTF-8.
///
/// Swift compares `String`s by canonical equivalence: the Kelvin sign (U+212A) equals `K`, and `é` equals `e` with a
/// combining accent (U+0301). Anybody who can choose an identifier could pass for somebody else. So all code that
/// compares, orders, hashes or looks up such texts uses this type, and a `String` is converted to it only explicitly.
@frozen
public struct ExactText: Sendable {
    /// The same text as a `String`, for output; never for comparisons.
    public let text: String

    @inlinable
    public init(_ text: String) { self.text = text }

    /// Makes a text from bytes, with U+FFFD instead of invalid UTF-8.
    package init(repairing octets: Span<UInt8>) { self.init(String(repairing: octets)) }

    @inlinable public var isEmpty: Bool { text.isEmpty }

    /// Its bytes.
    @inlinable public var utf8: String.UTF8View { text.utf8 }

    /// The same text with `a` to `z` instead of `A` to `Z`, otherwise unchanged.
    public var lowercasedASCII: ExactText {
        ExactText(String(decoding: utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self))
    }

    /// Whether it begins with the bytes of another text.
    public func hasPrefix(_ prefix: ExactText) -> Bool { utf8.starts(with: prefix.utf8) }

    /// Returns the text after a prefix, or `nil` if it does not begin with the prefix.
    public func rest(behind prefix: ExactText) -> ExactText? {
        guard hasPrefix(prefix) else { return nil }
        return ExactText(String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    }
}

extension ExactText: Hashable {
    @inlinable
    public static func == (a: ExactText, b: ExactText) -> Bool { a.text.hasSameBytes(as: b.text) }

    /// Hashes the bytes: Swift's own hash is the same for all canonically equivalent texts, so anybody can produce
    /// collisions at will.
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(octets: utf8.span) }
}

extension ExactText: Comparable {
    /// Orders texts by their bytes, which is the order of their Unicode scalars.
    public static func < (a: ExactText, b: ExactText) -> Bool { a.utf8.span.precedes(b.utf8.span) }
}

extension String {
    /// Whether two texts have the same bytes in UTF-8, rather than being only canonically equivalent.
    @inlinable
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.span.isSame(as: other.utf8.span)
    }

    /// Returns at most a number of Unicode scalars from its start: one character may be any number of them.
    package func start(_ max: Int) -> String { String(String.UnicodeScalarView(unicodeScalars.prefix(max))) }

    /// Returns an untrusted text in quotation marks, truncated to a number of Unicode scalars.
    package func quoted(upTo max: Int) -> String {
        let start = start(max)
        return "“\(start)\(start.utf8.count < utf8.count ? "…" : "")”"
    }
}

extension ExactText {
    /// Returns an untrusted text in quotation marks, truncated to a number of Unicode scalars.
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

extension Array where Element: Comparable {
    /// Inserts an element into its place in the order, unless it is there, and keeps the smallest ones.
    package mutating func insertSmallest(_ element: Element, atMost count: Int) {
        let place = firstIndex { $0 >= element } ?? self.count
        guard place == self.count || self[place] != element else { return }
        insert(element, at: place)
        if self.count > count { removeLast() }
    }
}
