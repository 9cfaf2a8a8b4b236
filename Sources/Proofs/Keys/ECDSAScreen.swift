private import COpenSSL
import DER
import Encodings

/// Finds invalid ECDSA signatures for one public key on P-384, in a third of the time that OpenSSL 3.0 needs.
///
/// Anybody can fill tokens with their own certificates, different in each, under the name of a genuine authority, and
/// only the authority's signature distinguishes them from its own. The two points of a verification (SEC 1, version
/// 2.0, section 4.1.4; FIPS 186-4, section 6.4), the base point G and the public key Q, are the same each time. With
/// tables of their multiples the sum u1 · G + u2 · Q takes 24 doublings and 96 additions instead of 384 and some 150.
///
/// Nothing is valid because of this computation. A signature that the screen refuses is invalid; for any other, and
/// wherever a step of the computation fails, OpenSSL's `EVP_PKEY_verify` decides, as if there were no screen. A bug in
/// this file could therefore refuse a genuine certificate, which tests would find, but never accept a forged one.
///
/// For one thread at a time. The tables take about 350 KB and 2 ms, as long as three verifications.
final class ECDSAScreen {
    private let base: PointTable
    private let key: PointTable
    private let group: Owned<CurveGroup>
    private let arithmetic: Owned<BigNumberContext>
    private let order: Owned<BigNumber>
    /// The numbers of a signature and of a digest, two that are computed from them, and the sum of points.
    private let r: Owned<BigNumber>
    private let s: Owned<BigNumber>
    private let z: Owned<BigNumber>
    private let inverse: Owned<BigNumber>
    private let number: Owned<BigNumber>
    private let sum: Owned<CurvePoint>
    // Last: nothing may outlive its library.
    private let library: OpenSSLLibrary

    /// The size of the order, and of any smaller number, in octets. All bits of its first octet count, so a longer
    /// digest is truncated to this number of octets.
    private static let octetCount = 48

    /// Makes the tables of a public key; `nil` if OpenSSL fails.
    ///
    /// - Parameter point: the key, encoded as in certificates (SEC 1, section 2.3.3).
    init?(p384 point: [UInt8], library: OpenSSLLibrary) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        self.library = library
        do throws(OpenSSLError) {
            group = try unsafe Owned(
                EC_GROUP_new_by_curve_name_ex(library.context.pointer, nil, NID_secp384r1), orThrow: .allocate)
            arithmetic = try unsafe Owned(BN_CTX_new_ex(library.context.pointer), orThrow: .allocate)
            order = try unsafe Owned(BN_dup(EC_GROUP_get0_order(group.pointer)), orThrow: .allocate)
            r = try unsafe Owned(BN_new(), orThrow: .allocate)
            s = try unsafe Owned(BN_new(), orThrow: .allocate)
            z = try unsafe Owned(BN_new(), orThrow: .allocate)
            inverse = try unsafe Owned(BN_new(), orThrow: .allocate)
            number = try unsafe Owned(BN_new(), orThrow: .allocate)
            sum = try unsafe Owned(EC_POINT_new(group.pointer), orThrow: .allocate)
            // A copy of G, then Q.
            guard unsafe EC_POINT_copy(sum.pointer, EC_GROUP_get0_generator(group.pointer)) == 1 else { return nil }
            base = try PointTable(multiplesOf: sum, group, arithmetic)
            guard
                unsafe EC_POINT_oct2point(group.pointer, sum.pointer, point, point.count, arithmetic.pointer) == 1
            else { return nil }
            key = try PointTable(multiplesOf: sum, group, arithmetic)
        } catch {
            return nil
        }
    }

    /// Whether a signature, an ECDSA-Sig-Value in DER (RFC 3279, section 2.2.3), was certainly not made over this digest
    /// with the private half of the key.
    func refuses(_ signature: Span<UInt8>, of digest: Span<UInt8>) -> Bool {
        ERR_clear_error()
        defer { ERR_clear_error() }
        // OpenSSL refuses other forms, and impossible numbers, before it multiplies.
        guard let numbers = Self.numbers(of: signature), read(numbers.r, into: r), read(numbers.s, into: s),
            isInRange(r), isInRange(s),
            read(digest.extracting(..<min(digest.count, Self.octetCount)).copy(), into: z),
            unsafe BN_mod_inverse(inverse.pointer, s.pointer, order.pointer, arithmetic.pointer) != nil,
            let first = quotient(of: z), let second = quotient(of: r), add(first, second)
        else { return false }
        if unsafe EC_POINT_is_at_infinity(group.pointer, sum.pointer) == 1 { return true }
        // The coordinate x may be slightly greater than the order.
        guard
            unsafe EC_POINT_get_affine_coordinates(
                group.pointer, sum.pointer, number.pointer, nil, arithmetic.pointer) == 1,
            unsafe BN_nnmod(number.pointer, number.pointer, order.pointer, arithmetic.pointer) == 1
        else { return false }
        return unsafe BN_cmp(number.pointer, r.pointer) != 0
    }

    /// The two numbers of a signature, if they are in DER and not negative.
    private static func numbers(of signature: Span<UInt8>) -> (r: [UInt8], s: [UInt8])? {
        do throws(ContainerDeviation) {
            let (r, s) = try StrictReader.read(signature) { reader throws(ContainerDeviation) in
                try reader.inside(.sequence) { numbers throws(ContainerDeviation) in
                    (try numbers.integerOctets().copy(), try numbers.integerOctets().copy())
                }
            }
            guard let first = r.first, let second = s.first, first < 0x80, second < 0x80 else { return nil }
            return (r, s)
        } catch {
            return nil
        }
    }

    private func read(_ octets: [UInt8], into number: borrowing Owned<BigNumber>) -> Bool {
        unsafe BN_bin2bn(octets, CInt(clamping: octets.count), number.pointer) != nil
    }

    /// Whether a number of a signature is between 1 and the order − 1.
    private func isInRange(_ number: borrowing Owned<BigNumber>) -> Bool {
        unsafe BN_is_zero(number.pointer) == 0 && BN_ucmp(number.pointer, order.pointer) < 0
    }

    /// Returns the octets of a factor: a number divided by s, modulo the order.
    private func quotient(of dividend: borrowing Owned<BigNumber>) -> [UInt8]? {
        var octets = [UInt8](repeating: 0, count: Self.octetCount)
        guard
            unsafe BN_mod_mul(
                number.pointer, dividend.pointer, inverse.pointer, order.pointer, arithmetic.pointer) == 1,
            unsafe BN_bn2binpad(number.pointer, &octets, CInt(Self.octetCount)) == CInt(Self.octetCount)
        else { return nil }
        return octets
    }

    /// Computes the sum of both points, each multiplied by its factor, all columns of the factors at once.
    private func add(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        guard unsafe EC_POINT_set_to_infinity(group.pointer, sum.pointer) == 1 else { return false }
        for column in (0..<PointTable.columns).reversed() {
            guard unsafe EC_POINT_dbl(group.pointer, sum.pointer, sum.pointer, arithmetic.pointer) == 1,
                base.add(column, of: first, to: sum, group, arithmetic),
                key.add(column, of: second, to: sum, group, arithmetic)
            else { return false }
        }
        return true
    }
}

/// The multiples of one point of P-384, for multiplying it with a comb (C. H. Lim and P. J. Lee, "More flexible
/// exponentiation with precomputation", CRYPTO '94).
///
/// A factor of 384 bits is written in 16 rows of 24 bits. A column of it has 16 bits, which select from the point, its
/// 2^24-fold, 2^48-fold and so on. The sums for eight rows are in a table of 256 points.
@safe private final class PointTable {
    static let columns = 24
    private static let rows = 16
    private static let rowsOfTable = 8

    /// The sums of the first eight rows, by the bits of a column, and those of the other eight.
    private var points: [OpaquePointer] = unsafe []

    init(
        multiplesOf point: borrowing Owned<CurvePoint>, _ group: borrowing Owned<CurveGroup>,
        _ arithmetic: borrowing Owned<BigNumberContext>
    ) throws(OpenSSLError) {
        unsafe points.reserveCapacity((Self.rows / Self.rowsOfTable) << Self.rowsOfTable)
        let multiple: Owned<CurvePoint> = try unsafe Owned(
            EC_POINT_dup(point.pointer, group.pointer), orThrow: .allocate)
        for row in 0..<Self.rows {
            if row % Self.rowsOfTable == 0 {
                // The sum of none.
                unsafe try append(EC_POINT_new(group.pointer))
            }
            let start = unsafe points.count - (1 << (row % Self.rowsOfTable))
            for index in unsafe start..<points.count {
                let other = unsafe points[index]
                let sum = unsafe try append(EC_POINT_new(group.pointer))
                guard unsafe EC_POINT_add(group.pointer, sum, other, multiple.pointer, arithmetic.pointer) == 1 else {
                    throw OpenSSLError(.allocate)
                }
            }
            for _ in 0..<Self.columns {
                guard unsafe EC_POINT_dbl(group.pointer, multiple.pointer, multiple.pointer, arithmetic.pointer) == 1
                else { throw OpenSSLError(.allocate) }
            }
        }
    }

    deinit { for index in unsafe points.indices { unsafe EC_POINT_free(points[index]) } }

    @discardableResult private func append(_ point: OpaquePointer?) throws(OpenSSLError) -> OpaquePointer {
        guard let point = unsafe point else { throw OpenSSLError(.allocate) }
        unsafe points.append(point)
        return unsafe point
    }

    /// Adds the multiples selected by a column of a factor to a sum.
    ///
    /// - Parameter factor: 48 octets, the most significant first.
    func add(
        _ column: Int, of factor: [UInt8], to sum: borrowing Owned<CurvePoint>, _ group: borrowing Owned<CurveGroup>,
        _ arithmetic: borrowing Owned<BigNumberContext>
    ) -> Bool {
        for first in stride(from: 0, to: Self.rows, by: Self.rowsOfTable) {
            var index = 0
            for row in 0..<Self.rowsOfTable {
                let bit = (first + row) * Self.columns + column
                index |= Int(factor[factor.count - 1 - bit / 8] >> UInt8(bit % 8) & 1) << row
            }
            if index == 0 { continue }
            let point = unsafe points[(first / Self.rowsOfTable) << Self.rowsOfTable | index]
            guard unsafe EC_POINT_add(group.pointer, sum.pointer, sum.pointer, point, arithmetic.pointer) == 1 else {
                return false
            }
        }
        return true
    }
}
