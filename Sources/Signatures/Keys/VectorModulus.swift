private import CMontgomery
private import COpenSSL
import DER

/// Powers modulo a number of 2,048 bits, computed with the multiply-add instructions of AVX-512 (IFMA).
///
/// For keys with which many signatures are verified, such as Apple's: to prepare one takes OpenSSL longer than some
/// signatures. Not to be shared between threads.
final class VectorModulus {
    private var modulus = audit_modulus()
    private var power = [UInt8](repeating: 0, count: octetCount)

    private static let octetCount = Int(AUDIT_MODULUS_OCTETS)

    /// Whether this processor has the instructions.
    static let isSupported = audit_modulus_is_supported()

    /// `nil` if the processor lacks the instructions, the modulus is even or not of 2,048 bits, or a power of 3 is not what
    /// OpenSSL says it is.
    ///
    /// - Parameter octets: the modulus, most significant octet first.
    init?(_ octets: [UInt8], library: OpenSSLLibrary) {
        guard Self.isSupported, octets.count == Self.octetCount, octets[0] >= 0x80, octets[octets.count - 1] & 1 == 1,
            let square = Self.power(of: 2, to: 4160, modulo: octets, library),
            let proof = Self.power(of: 3, to: 65537, modulo: octets, library)
        else { return nil }
        unsafe audit_modulus_set(&modulus, octets, square)
        var three = [UInt8](repeating: 0, count: Self.octetCount)
        three[Self.octetCount - 1] = 3
        guard raise(three.span, to: 65537), power.span.equals(proof) else { return nil }
    }

    /// Whether the power of a base of 256 octets is this number of as many.
    ///
    /// - Parameters:
    ///   - exponent: odd, and at least 3.
    ///   - head: the number, with any octets in the place of the last ones.
    ///   - tail: the last ones.
    func power(of base: Span<UInt8>, to exponent: UInt32, is head: [UInt8], endingIn tail: Span<UInt8>) -> Bool {
        guard head.count == Self.octetCount, tail.count <= head.count, raise(base, to: exponent) else { return false }
        let start = head.count - tail.count
        let found = power
        let octets = found.span
        return octets.extracting(..<start).equals(head.span.extracting(..<start))
            && octets.extracting(start...).equals(tail)
    }

    /// Computes a power; false if the base is not below the modulus.
    private func raise(_ base: Span<UInt8>, to exponent: UInt32) -> Bool {
        guard base.count == Self.octetCount, exponent >= 3, exponent & 1 == 1 else { return false }
        return unsafe base.withUnsafeBufferPointer { base in
            unsafe audit_modulus_raise(&modulus, base.baseAddress, exponent, &power)
        }
    }

    /// The same for a small base, computed by OpenSSL.
    private static func power(
        of base: UInt, to exponent: UInt, modulo octets: [UInt8], _ library: OpenSSLLibrary
    ) -> [UInt8]? {
        do throws(OpenSSLError) {
            let arithmetic: Owned<BigNumberContext> = try unsafe Owned(
                BN_CTX_new_ex(library.context.pointer), orThrow: .allocate)
            let modulus: Owned<BigNumber> = try unsafe Owned(
                BN_bin2bn(octets, CInt(octets.count), nil), orThrow: .allocate)
            let times: Owned<BigNumber> = try unsafe Owned(BN_new(), orThrow: .allocate)
            let power: Owned<BigNumber> = try unsafe Owned(BN_new(), orThrow: .allocate)
            var result = [UInt8](repeating: 0, count: octetCount)
            guard unsafe BN_set_word(times.pointer, exponent) == 1,
                unsafe BN_mod_exp_mont_word(
                    power.pointer, base, times.pointer, modulus.pointer, arithmetic.pointer, nil) == 1,
                unsafe BN_bn2binpad(power.pointer, &result, CInt(octetCount)) == CInt(octetCount)
            else { return nil }
            return result
        } catch {
            return nil
        }
    }
}
