private import COpenSSL

@testable import Proofs

/// The arithmetic of P-384, and OpenSSL's own word on whether a signature holds: an oracle for tests, never part of the
/// product. Numbers are bytes, the most significant first; points are encoded as in certificates (SEC 1, section
/// 2.3.3).
@safe final class P384Oracle {
    private let group: Owned<CurveGroup>
    private let arithmetic: Owned<BigNumberContext>
    /// The order n of the curve.
    let order: [UInt8]

    init() throws {
        group = try unsafe Owned(EC_GROUP_new_by_curve_name(NID_secp384r1), orThrow: .allocate)
        arithmetic = try unsafe Owned(BN_CTX_new(), orThrow: .allocate)
        order = try unsafe Self.octets(EC_GROUP_get0_order(group.pointer))
    }

    private static func octets(_ number: OpaquePointer?) throws -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: 48)
        guard unsafe BN_bn2binpad(number, &octets, 48) == 48 else { throw OpenSSLError(.allocate) }
        return octets
    }

    private func number(_ octets: [UInt8]) throws -> Owned<BigNumber> {
        try unsafe Owned(BN_bin2bn(octets, CInt(octets.count), nil), orThrow: .allocate)
    }

    private func modulo(
        _ a: [UInt8], _ b: [UInt8],
        _ operation: (OpaquePointer, OpaquePointer, OpaquePointer, OpaquePointer, OpaquePointer) -> CInt
    ) throws -> [UInt8] {
        let result = try number([UInt8]())
        let first = try number(a)
        let second = try number(b)
        let modulus = try number(order)
        guard
            unsafe operation(result.pointer, first.pointer, second.pointer, modulus.pointer, arithmetic.pointer) == 1
        else { throw OpenSSLError(.allocate) }
        return try unsafe Self.octets(result.pointer)
    }

    /// Modulo the order, as the others.
    func sum(_ a: [UInt8], _ b: [UInt8]) throws -> [UInt8] {
        try unsafe modulo(a, b) { unsafe BN_mod_add($0, $1, $2, $3, $4) }
    }

    func difference(_ a: [UInt8], _ b: [UInt8]) throws -> [UInt8] {
        try unsafe modulo(a, b) { unsafe BN_mod_sub($0, $1, $2, $3, $4) }
    }

    func product(_ a: [UInt8], _ b: [UInt8]) throws -> [UInt8] {
        try unsafe modulo(a, b) { unsafe BN_mod_mul($0, $1, $2, $3, $4) }
    }

    func quotient(_ a: [UInt8], _ b: [UInt8]) throws -> [UInt8] {
        let divisor = try number(b)
        let modulus = try number(order)
        let inverse: Owned<BigNumber> = try unsafe Owned(
            BN_mod_inverse(nil, divisor.pointer, modulus.pointer, arithmetic.pointer), orThrow: .allocate)
        return try product(a, unsafe Self.octets(inverse.pointer))
    }

    /// A small number, or the order less one.
    func number(_ small: Int) throws -> [UInt8] {
        let octets = (0..<8).map { UInt8(truncatingIfNeeded: small.magnitude >> (56 - 8 * $0)) }
        return small < 0 ? try difference([0], octets) : try sum([0], octets)
    }

    /// The number 2^exponent, below the order.
    func power(_ exponent: Int) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: 48)
        octets[47 - exponent / 8] = 1 << UInt8(exponent % 8)
        return octets
    }

    /// The multiple of the base point.
    func point(_ factor: [UInt8]) throws -> [UInt8] { try point(factor, plus: [0], times: nil) }

    /// The sum of multiples of the base point and of another.
    func point(_ factor: [UInt8], plus other: [UInt8], times point: [UInt8]?) throws -> [UInt8] {
        let first = try number(factor)
        let second = try number(other)
        let sum = try decode(point)
        let isMade =
            unsafe point == nil
            ? EC_POINT_mul(group.pointer, sum.pointer, first.pointer, nil, nil, arithmetic.pointer)
            : EC_POINT_mul(group.pointer, sum.pointer, first.pointer, sum.pointer, second.pointer, arithmetic.pointer)
        guard isMade == 1 else { throw OpenSSLError(.allocate) }
        var octets = [UInt8](repeating: 0, count: 97)
        guard
            unsafe EC_POINT_point2oct(
                group.pointer, sum.pointer, POINT_CONVERSION_UNCOMPRESSED, &octets, octets.count, arithmetic.pointer)
                == octets.count
        else { throw OpenSSLError(.allocate) }
        return octets
    }

    /// The point with this coordinate x, and an even y; `nil` if there is none.
    func point(x: [UInt8]) -> [UInt8]? {
        try? point([0], plus: [1], times: [2] + x)
    }

    private func decode(_ point: [UInt8]?) throws -> Owned<CurvePoint> {
        let made: Owned<CurvePoint> = try unsafe Owned(EC_POINT_new(group.pointer), orThrow: .allocate)
        guard let point else { return made }
        guard unsafe EC_POINT_oct2point(group.pointer, made.pointer, point, point.count, arithmetic.pointer) == 1 else {
            throw OpenSSLError(.readKey)
        }
        return made
    }

    /// The coordinate x of a point, modulo the order.
    func x(_ point: [UInt8]) throws -> [UInt8] { try sum([0], Array(point[1...48])) }

    /// The number that a digest represents: its first 384 bits.
    func number(ofDigest digest: [UInt8]) throws -> [UInt8] { try sum([0], Array(digest.prefix(48))) }

    /// The signature over a digest, with a private key and the number that is to be used once (SEC 1, section 4.1.3).
    func sign(_ digest: [UInt8], privateKey: [UInt8], once: [UInt8]) throws -> P384Signature {
        let r = try x(point(once))
        let s = try quotient(sum(number(ofDigest: digest), product(r, privateKey)), once)
        return P384Signature(r: r, s: s)
    }

    /// What `EVP_PKEY_verify` says.
    func accepts(_ signature: [UInt8], of digest: [UInt8], key point: [UInt8]) -> Bool {
        // SubjectPublicKeyInfo of RFC 5480.
        let head: [UInt8] = [
            0x30, 0x76, 0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x05, 0x2b, 0x81, 0x04,
            0x00, 0x22, 0x03, 0x62, 0x00,
        ]
        let info = head + point
        let key = unsafe info.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return unsafe d2i_PUBKEY(nil, &position, bytes.count)
        }
        guard let key = unsafe key, let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return false }
        defer {
            unsafe EVP_PKEY_CTX_free(context)
            unsafe EVP_PKEY_free(key)
            ERR_clear_error()
        }
        return unsafe EVP_PKEY_verify_init(context) == 1
            && EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
    }
}

/// The two numbers of a signature.
struct P384Signature {
    var r: [UInt8]
    var s: [UInt8]

    /// ECDSA-Sig-Value in DER (RFC 3279, section 2.2.3).
    var der: [UInt8] {
        let numbers = Self.integer(r) + Self.integer(s)
        return [0x30, UInt8(numbers.count)] + numbers
    }

    /// A number that is not negative, in its shortest form.
    static func integer(_ octets: [UInt8]) -> [UInt8] {
        var digits = Array(octets.drop { $0 == 0 })
        if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
        return [0x02, UInt8(digits.count)] + digits
    }
}
