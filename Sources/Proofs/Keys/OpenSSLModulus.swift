private import COpenSSL

/// A modulus of any size, whose powers are computed with OpenSSL's Montgomery multiplication.
final class OpenSSLModulus: RSAModulus {
    private let modulus: Owned<BigNumber>
    private let montgomery: Owned<MontgomeryContext>
    private let arithmetic: Owned<BigNumberContext>
    /// The base as a number, the same in Montgomery's form, and the power that is being computed.
    private let base: Owned<BigNumber>
    private let form: Owned<BigNumber>
    private let power: Owned<BigNumber>
    private var octets: [UInt8]

    /// `nil` if the number is even, or none.
    init?(_ number: [UInt8], library: OpenSSLLibrary) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let last = number.last, last & 1 == 1 else { return nil }
        do throws(OpenSSLError) {
            modulus = try unsafe Owned(BN_bin2bn(number, CInt(clamping: number.count), nil), orThrow: .allocate)
            montgomery = try unsafe Owned(BN_MONT_CTX_new(), orThrow: .allocate)
            arithmetic = try unsafe Owned(BN_CTX_new_ex(library.context.pointer), orThrow: .allocate)
            base = try unsafe Owned(BN_new(), orThrow: .allocate)
            form = try unsafe Owned(BN_new(), orThrow: .allocate)
            power = try unsafe Owned(BN_new(), orThrow: .allocate)
        } catch {
            return nil
        }
        guard unsafe BN_MONT_CTX_set(montgomery.pointer, modulus.pointer, arithmetic.pointer) == 1 else { return nil }
        octets = [UInt8](repeating: 0, count: number.count)
    }

    func power(of base: Span<UInt8>, to exponent: UInt32, is head: [UInt8], endingIn tail: Span<UInt8>) -> Bool {
        ERR_clear_error()
        guard base.count == octets.count, exponent >= 3, exponent & 1 == 1, read(base), raise(exponent) else {
            return false
        }
        let count = CInt(clamping: octets.count)
        guard unsafe BN_bn2binpad(power.pointer, &octets, count) == count else { return false }
        let found = octets
        return found.span.equals(head, endingIn: tail)
    }

    /// Takes octets for a number (RFC 8017, section 4.2: OS2IP).
    private func read(_ octets: Span<UInt8>) -> Bool {
        unsafe octets.withUnsafeBufferPointer { octets in
            unsafe BN_bin2bn(octets.baseAddress, CInt(clamping: octets.count), base.pointer) != nil
        }
    }

    private func raise(_ exponent: UInt32) -> Bool {
        guard unsafe BN_ucmp(base.pointer, modulus.pointer) < 0,
            unsafe BN_to_montgomery(form.pointer, base.pointer, montgomery.pointer, arithmetic.pointer) == 1,
            unsafe BN_copy(power.pointer, form.pointer) != nil
        else { return false }
        // Bit after bit of the exponent, from the second highest on.
        var bit = UInt32(1) << (31 - exponent.leadingZeroBitCount)
        while bit > 2 {
            bit >>= 1
            guard multiply(by: power), exponent & bit == 0 || multiply(by: form) else { return false }
        }
        // The last bit of an odd exponent is 1, and its factor, left as it is, takes the power out of Montgomery's form.
        return multiply(by: power) && multiply(by: base)
    }

    private func multiply(by factor: borrowing Owned<BigNumber>) -> Bool {
        unsafe BN_mod_mul_montgomery(
            power.pointer, power.pointer, factor.pointer, montgomery.pointer, arithmetic.pointer) == 1
    }
}
