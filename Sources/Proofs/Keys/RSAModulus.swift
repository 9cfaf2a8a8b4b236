import DER

/// The modulus of an RSA key, with the arithmetic that verifying takes. Not to be shared between threads.
protocol RSAModulus: AnyObject {
    /// Whether the power of a base (RFC 8017, section 5.2.2: RSAVP1) is this number.
    ///
    /// False, too, if the base is not below the modulus.
    ///
    /// - Parameters:
    ///   - base: a number of as many octets as the modulus, the most significant first.
    ///   - exponent: odd, and at least 3.
    ///   - head: the other number, with any octets in the place of the last ones.
    ///   - tail: the last ones.
    func power(of base: Span<UInt8>, to exponent: UInt32, is head: [UInt8], endingIn tail: Span<UInt8>) -> Bool
}

extension Span<UInt8> {
    /// Whether these are the octets of `head`, the last ones replaced by those of `tail`.
    func equals(_ head: [UInt8], endingIn tail: Span<UInt8>) -> Bool {
        guard head.count == count, tail.count <= count else { return false }
        let start = count - tail.count
        return extracting(..<start).equals(head.span.extracting(..<start)) && extracting(start...).equals(tail)
    }
}
