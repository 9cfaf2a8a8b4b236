public import Encodings

/// The number of a claim in a run. Numbers sort in the order of claims.
///
/// | what | bits |
/// |---|---|
/// | a claim of this run | the number of its block, then 16 bits for its index in the block |
/// | a line of `audit map` | the number of its input, then that of the line (``ClaimPlace`` in `Engine/Map`) |
/// | a token of evidence | bit 62, after all claims of this run; the number of its block, then 20 bits for its index |
/// | a claim of an earlier run | bit 63, after all others; 32 bits for the second of that run, then 31 of the claim's id |
public struct ClaimNumber: Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    private static let indexBits: UInt64 = 16
    private static let evidenceIndexBits: UInt64 = 20
    private static let evidenceMark: UInt64 = 1 << 62
    private static let earlierMark: UInt64 = 1 << 63

    /// The greatest number, for things that have no row.
    public static let last = ClaimNumber(rawValue: .max)

    /// Makes the number of a claim of this run.
    ///
    /// - Parameter index: its index in the block, which has fewer than 65,536 claims.
    public init(block: UInt64, index: Int) {
        rawValue = block << Self.indexBits | UInt64(truncatingIfNeeded: index) & (1 << Self.indexBits - 1)
    }

    /// The number of the block, for a claim of this run.
    public var block: UInt64 { rawValue >> Self.indexBits }

    /// The index in the block, for a claim of this run.
    public var index: Int { Int(rawValue & (1 << Self.indexBits - 1)) }

    /// The first token of a block of evidence.
    public static func firstEvidence(ofBlock block: UInt64) -> ClaimNumber {
        ClaimNumber(rawValue: evidenceMark | block << evidenceIndexBits)
    }

    /// The number after this one.
    public var next: ClaimNumber { ClaimNumber(rawValue: rawValue &+ 1) }

    /// Makes the number of a claim of an earlier run. Such numbers sort by when the claim was first seen, then by its
    /// id.
    ///
    /// - Parameters:
    ///   - seenAt: the reference time of that run.
    ///   - identity: the first 64 bits of the claim's id.
    public init(seenAt: Instant, identity: UInt64) {
        let seconds = UInt64(min(max(seenAt.seconds, 0), Int64(UInt32.max)))
        rawValue = Self.earlierMark | seconds << 31 | identity >> 33
    }

    /// Whether it is a claim of an earlier run, which has no row in this one.
    public var isEarlier: Bool { rawValue & Self.earlierMark != 0 }
}

extension ClaimNumber: Comparable {
    public static func < (a: ClaimNumber, b: ClaimNumber) -> Bool { a.rawValue < b.rawValue }
}

extension ClaimNumber: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: UInt64) { self.init(rawValue: value) }
}
