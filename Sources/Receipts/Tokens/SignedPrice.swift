public import Encodings

/// A price in a transaction token, with its signing date.
public struct SignedPrice: Equatable, Codable, Sendable {
    /// In millionths of the currency's unit: `4.99` is 4,990,000.
    public var millionths: Int64
    /// A code of ISO 4217.
    public var currency: ExactText
    public var signedAt: Instant

    public init(millionths: Int64, currency: ExactText, signedAt: Instant) {
        self.millionths = millionths
        self.currency = currency
        self.signedAt = signedAt
    }

    /// Returns whether this price takes precedence over another of one transaction: the one signed last; for equal
    /// dates the one with the smaller currency, then the smaller amount.
    public func counts(before other: SignedPrice) -> Bool {
        if signedAt != other.signedAt { return signedAt > other.signedAt }
        return (currency, millionths) < (other.currency, other.millionths)
    }

    /// Returns the price that takes precedence.
    package static func newest(_ a: SignedPrice?, _ b: SignedPrice?) -> SignedPrice? {
        guard let a, let b else { return a ?? b }
        return b.counts(before: a) ? b : a
    }
}
