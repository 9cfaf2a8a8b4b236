public import Encodings
public import Proofs

/// The first 96 bits of a SHA-256 hash, written as 24 lower-case hexadecimal digits.
///
/// It names a claim or a finding by what it says, so that the name is the same in every run.
public struct IdentityHash: Hashable, Comparable, Sendable {
    /// The first eight octets, the most significant first.
    public let high: UInt64
    /// The four octets after them.
    public let low: UInt32

    /// Stands for something that has no name yet.
    public static let none = IdentityHash(high: 0, low: 0)

    public init(high: UInt64, low: UInt32) { (self.high, self.low) = (high, low) }

    /// Takes the first twelve octets of a digest.
    public init(_ digest: Digest) {
        let octets = digest.octets
        let high = (0..<8).reduce(UInt64(0)) { $0 << 8 | UInt64(octets[$1]) }
        self.init(high: high, low: (8..<12).reduce(UInt32(0)) { $0 << 8 | UInt32(octets[$1]) })
    }

    /// Reads 24 lower-case hexadecimal digits; `nil` for any other text.
    public init?(_ text: ExactText) {
        guard text.utf8.count == 24 else { return nil }
        var (high, low): (UInt64, UInt32) = (0, 0)
        for (index, character) in text.utf8.enumerated() {
            guard let digit = Hex.value(character), !(0x41...0x46).contains(character) else { return nil }
            if index < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt32(digit) }
        }
        self.init(high: high, low: low)
    }

    public static func < (a: IdentityHash, b: IdentityHash) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

extension IdentityHash: CustomStringConvertible {
    public var description: String {
        var octets: [UInt8] = []
        octets.append(bigEndian: high)
        for shift in [24, 16, 8, 0] { octets.append(UInt8(truncatingIfNeeded: low >> UInt32(shift))) }
        return Hex.string(octets.span)
    }
}

extension IdentityHash: StablyHashable {
    public var stableHash: UInt64 { stableMix(high ^ UInt64(low)) }
}

extension IdentityHash: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let hash = IdentityHash(try container.decode(ExactText.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "it is no identity")
        }
        self = hash
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Names what a claim says: who presents which proof and asks for what (column `claim_id`).
///
/// Rows that say the same have the same id, wherever they stand and in which run.
public typealias ClaimID = IdentityHash

/// Names a rule's finding about a subject (column `finding_id`).
public typealias FindingID = IdentityHash
