public import Encodings

/// A member of a payload that this version does not know, or an unknown value of a known member.
public struct UnknownMember: Hashable, Codable, Sendable {
    /// Whether a known value in its place decides money or access.
    public package(set) var isDecisive: Bool
    public let kind: Token.Kind
    /// The path of names, joined by dots; `[]` stands for each element of an array.
    public let member: ExactText
    /// The value, at most 64 bytes of it; `nil` if the member itself is not known.
    public let value: ExactText?

    package init(_ kind: Token.Kind, _ member: ExactText, value: ExactText?, isDecisive: Bool = false) {
        self.kind = kind
        self.member = member.start(octets: Self.maxOctets)
        self.value = value?.start(octets: Self.maxOctets)
        self.isDecisive = isDecisive
    }

    /// The maximum size of a value, and of a member's path, in bytes.
    private static let maxOctets = 64
    /// The maximum number per token. The rest is left out.
    static let maxOfToken = 64
}

extension UnknownMember: Comparable {
    /// Sorts decisive ones first, so that no others can displace them.
    public static func < (a: UnknownMember, b: UnknownMember) -> Bool {
        if a.isDecisive != b.isDecisive { return a.isDecisive }
        if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
        if a.member != b.member { return a.member < b.member }
        guard let value = a.value else { return b.value != nil }
        return b.value.map { value < $0 } ?? false
    }
}

extension Token.Kind: Codable {}

extension UnknownMember: CustomStringConvertible {
    /// `revocationType “X” (transaction)`.
    public var description: String {
        "\(member.text)\(value.map { " " + $0.quoted(upTo: 64) } ?? "") (\(kind.rawValue))"
    }
}

extension ExactText {
    /// Returns at most a number of bytes from its start, without a partial character.
    fileprivate func start(octets max: Int) -> ExactText {
        guard utf8.count > max else { return self }
        var kept = Array(utf8.prefix(max + 1))
        while let last = kept.popLast(), last & 0xc0 == 0x80 {}
        return ExactText(String(decoding: kept, as: UTF8.self))
    }
}
