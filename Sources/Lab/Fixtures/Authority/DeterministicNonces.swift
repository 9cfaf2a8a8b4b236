/// The nonces for signing a message, always the same ones (RFC 6979, section 3.2). Usually the first one suffices.
///
/// The names are those of the RFC. The orders of the curves here have whole octets, so truncating a number to the
/// length of the order means truncating octets.
struct DeterministicNonces {
    private let curve: EllipticCurve
    private let digest: SampleDigest
    private var k: [UInt8]
    private var v: [UInt8]
    private var isFirst = true

    /// Steps a to g, for the digest of a message.
    init(of hash: [UInt8], privateKey: [UInt8], curve: EllipticCurve, digest: SampleDigest) {
        self.curve = curve
        self.digest = digest
        k = [UInt8](repeating: 0, count: hash.count)
        v = [UInt8](repeating: 1, count: hash.count)
        let seed = privateKey + Self.reduced(hash, curve)
        for separator: UInt8 in [0, 1] {
            k = digest.hmac(v + [separator] + seed, key: k)
            v = digest.hmac(v, key: k)
        }
    }

    /// Step h: the next number in 1…n−1.
    mutating func next() -> [UInt8] {
        while true {
            if !isFirst {
                k = digest.hmac(v + [0], key: k)
                v = digest.hmac(v, key: k)
            }
            isFirst = false
            var t: [UInt8] = []
            while t.count < curve.octetCount {
                v = digest.hmac(v, key: k)
                t += v
            }
            let number = Array(t.prefix(curve.octetCount))
            if number.lexicographicallyPrecedes(curve.order), number.contains(where: { $0 != 0 }) { return number }
        }
    }

    /// `bits2octets`: the leftmost octets as a number modulo n, which is less than 2n (section 2.3.4).
    private static func reduced(_ hash: [UInt8], _ curve: EllipticCurve) -> [UInt8] {
        let number = hash.prefix(curve.octetCount)
        let padded = [UInt8](repeating: 0, count: curve.octetCount - number.count) + number
        return padded.lexicographicallyPrecedes(curve.order) ? padded : padded.subtracting(curve.order)
    }
}

extension [UInt8] {
    /// Returns the difference of two numbers with the same number of octets, the most significant first. The second
    /// must not be the larger one.
    func subtracting(_ other: [UInt8]) -> [UInt8] {
        var difference = self
        var borrow = 0
        for index in difference.indices.reversed() {
            let digit = Int(self[index]) - Int(other[index]) - borrow
            borrow = digit < 0 ? 1 : 0
            difference[index] = UInt8(truncatingIfNeeded: digit)
        }
        return difference
    }
}
