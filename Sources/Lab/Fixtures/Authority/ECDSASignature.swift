import DER

/// An ECDSA signature: two numbers, usually both in 1…n−1 (FIPS 186-5, section 6.4).
public struct ECDSASignature: Sendable, Equatable, Changeable {
    /// The first number, the most significant byte first.
    public var r: [UInt8]
    /// The second number, the most significant byte first.
    public var s: [UInt8]
    /// The curve of the key that made it.
    public let curve: EllipticCurve

    /// Makes a signature from two numbers, each as long as the order of the curve.
    public init(r: [UInt8], s: [UInt8], curve: EllipticCurve) {
        self.r = r
        self.s = s
        self.curve = curve
    }

    /// Reads the concatenation of r and s, which have the same length.
    public init(octets: [UInt8], curve: EllipticCurve) {
        self.init(
            r: Array(octets.prefix(octets.count / 2)), s: Array(octets.dropFirst(octets.count / 2)), curve: curve)
    }

    /// The concatenation of r and s: the form in tokens (RFC 7518, section 3.4).
    public var octets: [UInt8] { r + s }

    /// The `ECDSA-Sig-Value` in DER, the form in certificates (RFC 3279, section 2.2.3).
    public var der: [UInt8] { DERWriter.element(.sequence, Self.integer(r), Self.integer(s)) }

    /// Whether s is above n / 2, as in about half of the App Store's tokens.
    public var hasHighS: Bool { curve.order.subtracting(s).lexicographicallyPrecedes(s) }

    /// The other valid signature for the same message: (r, n − s).
    public var complement: ECDSASignature { with { $0.s = curve.order.subtracting(s) } }

    /// This signature or its complement: the one whose s is at most n / 2.
    public var withLowS: ECDSASignature { hasHighS ? complement : self }

    /// This signature or its complement: the one whose s is above n / 2.
    public var withHighS: ECDSASignature { hasHighS ? self : complement }

    /// Returns a natural number as an INTEGER in its shortest form.
    private static func integer(_ number: [UInt8]) -> [UInt8] {
        let digits = Array(number.drop { $0 == 0 })
        return DERWriter.element(.integer, (digits.first ?? 0x80) >= 0x80 ? [0] + digits : digits)
    }
}
