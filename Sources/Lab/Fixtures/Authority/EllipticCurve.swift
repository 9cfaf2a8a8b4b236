private import COpenSSL

/// The curves of the App Store's keys for tokens (FIPS 186-5; SEC 2, sections 2.4.2 and 2.5.1).
public enum EllipticCurve: Sendable {
    /// secp256r1: leaves and intermediates.
    case p256
    /// secp384r1: roots.
    case p384

    /// The size of a coordinate, of a private key, and of either half of a signature.
    public var octetCount: Int { order.count }

    /// n, the order of the base point, the most significant byte first.
    public var order: [UInt8] {
        switch self {
        case .p256: Self.order256
        case .p384: Self.order384
        }
    }

    /// The digest that is as long as the order, which JWS prescribes (RFC 7518, section 3.4).
    public var digest: SampleDigest {
        switch self {
        case .p256: .sha256
        case .p384: .sha384
        }
    }

    private static let order256: [UInt8] =
        [0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00] + [UInt8](repeating: 0xff, count: 8)
        + [0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51]
    private static let order384: [UInt8] =
        [UInt8](repeating: 0xff, count: 24) + [
            0xc7, 0x63, 0x4d, 0x81, 0xf4, 0x37, 0x2d, 0xdf, 0x58, 0x1a, 0x0d, 0xb2, 0x48, 0xb0, 0xa7, 0x7a,
            0xec, 0xec, 0x19, 0x6a, 0xcc, 0xc5, 0x29, 0x73,
        ]
}

extension EllipticCurve {
    /// Returns the ECDSA signature over a message, always the same for the same message (RFC 6979, section 3.2).
    ///
    /// - Parameter privateKey: a number in 1…n−1, as long as the order.
    func signature(
        over message: [UInt8], privateKey: [UInt8], digest: SampleDigest
    ) throws(SigningError) -> ECDSASignature {
        let hash = digest.hash(message)
        var nonces = DeterministicNonces(of: hash, privateKey: privateKey, curve: self, digest: digest)
        let arithmetic = self == .p256 ? CurveArithmetic.p256 : CurveArithmetic.p384
        guard let arithmetic else { throw .notSigned }
        return try arithmetic.signature(
            of: Array(hash.prefix(octetCount)), privateKey: privateKey, nonce: nonces.next(), on: self)
    }
}

/// The arithmetic of one curve, done by OpenSSL.
///
/// OpenSSL 3.0 has no ECDSA with nonces from the caller. `Sendable`, because nothing changes the `EC_GROUP` after
/// `init`, and every call has its own numbers.
@safe private final class CurveArithmetic: @unchecked Sendable {
    static let p256 = CurveArithmetic(NID_X9_62_prime256v1)
    static let p384 = CurveArithmetic(NID_secp384r1)

    private let group: OpaquePointer
    /// Belongs to the group.
    private let order: OpaquePointer

    /// `EC_GROUP_new_by_curve_name_ex`; `nil` if it fails.
    private init?(_ curve: Int32) {
        guard let group = unsafe EC_GROUP_new_by_curve_name_ex(LibraryContext.shared.pointer, nil, curve) else {
            return nil
        }
        guard let order = unsafe EC_GROUP_get0_order(group) else {
            unsafe EC_GROUP_free(group)
            return nil
        }
        unsafe (self.group, self.order) = (group, order)
    }

    deinit { unsafe EC_GROUP_free(group) }

    /// r = (k · G).x mod n and s = (z + r · d) / k mod n (FIPS 186-5, section 6.4.1).
    func signature(
        of hash: [UInt8], privateKey: [UInt8], nonce: [UInt8], on curve: EllipticCurve
    ) throws(SigningError) -> ECDSASignature {
        // The context owns the numbers, and frees them with itself.
        guard let numbers = unsafe BN_CTX_new_ex(LibraryContext.shared.pointer) else { throw .notSigned }
        defer { unsafe BN_CTX_free(numbers) }
        unsafe BN_CTX_start(numbers)
        defer { unsafe BN_CTX_end(numbers) }
        guard let point = unsafe EC_POINT_new(group) else { throw .notSigned }
        defer { unsafe EC_POINT_free(point) }
        // BN_CTX_get fails for good once it has failed.
        guard let z = unsafe BN_CTX_get(numbers), let d = unsafe BN_CTX_get(numbers),
            let k = unsafe BN_CTX_get(numbers), let r = unsafe BN_CTX_get(numbers), let s = unsafe BN_CTX_get(numbers),
            unsafe BN_bin2bn(hash, Int32(hash.count), z) != nil,
            unsafe BN_bin2bn(privateKey, Int32(privateKey.count), d) != nil,
            unsafe BN_bin2bn(nonce, Int32(nonce.count), k) != nil,
            unsafe EC_POINT_mul(group, point, k, nil, nil, numbers) == 1,
            unsafe EC_POINT_get_affine_coordinates(group, point, r, nil, numbers) == 1,
            unsafe BN_nnmod(r, r, order, numbers) == 1,
            unsafe BN_mod_mul(s, r, d, order, numbers) == 1,
            unsafe BN_mod_add(s, s, z, order, numbers) == 1,
            unsafe BN_mod_inverse(k, k, order, numbers) != nil,
            unsafe BN_mod_mul(s, s, k, order, numbers) == 1,
            // Happens for one in 2^256 messages: never.
            unsafe BN_is_zero(r) == 0 && BN_is_zero(s) == 0
        else { throw .notSigned }
        return unsafe ECDSASignature(
            r: octets(of: r, curve.octetCount), s: octets(of: s, curve.octetCount), curve: curve)
    }

    private func octets(of number: OpaquePointer, _ count: Int) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: count)
        _ = unsafe BN_bn2binpad(number, &octets, Int32(count))
        return octets
    }
}
