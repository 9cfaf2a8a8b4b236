private import CMontgomery
private import COpenSSL

/// A modulus of 2,048 bits, whose powers are computed with the multiply-add instructions of AVX-512 (IFMA): in a third of
/// the time.
final class VectorModulus: RSAModulus {
    private var modulus = audit_modulus()
    private var octets = [UInt8](repeating: 0, count: octetCount)

    private static let octetCount = Int(AUDIT_MODULUS_OCTETS)

    /// Whether this processor has the instructions, and what is computed with them is what OpenSSL says it is.
    static let isSupported = audit_modulus_is_supported() && isRight()

    /// `nil` if the processor lacks the instructions, or the number is even or not of 256 octets.
    ///
    /// - Parameter number: most significant octet first.
    convenience init?(_ number: [UInt8], library: OpenSSLLibrary) {
        guard Self.isSupported else { return nil }
        unsafe self.init(number, arithmetic: library.context.pointer)
    }

    private init?(_ number: [UInt8], arithmetic context: OpaquePointer?) {
        guard number.count == Self.octetCount, let last = number.last, last & 1 == 1,
            let square = unsafe Self.power(of: 2, to: 4160, modulo: number, context)
        else { return nil }
        unsafe audit_modulus_set(&modulus, number, square)
    }

    func power(of base: Span<UInt8>, to exponent: UInt32, is head: [UInt8], endingIn tail: Span<UInt8>) -> Bool {
        guard base.count == Self.octetCount, exponent >= 3, exponent & 1 == 1 else { return false }
        let isBelow = unsafe base.withUnsafeBufferPointer { base in
            unsafe audit_modulus_raise(&modulus, base.baseAddress, exponent, &octets)
        }
        guard isBelow else { return false }
        let found = octets
        return found.span.equals(head, endingIn: tail)
    }

    /// Computes a power in both ways, once in a process.
    private static func isRight() -> Bool {
        let number = (0..<octetCount).map { 0xff &- UInt8(truncatingIfNeeded: $0 &* 2) }
        let base = [UInt8](repeating: 0, count: octetCount - 1) + [251]
        guard let modulus = unsafe VectorModulus(number, arithmetic: nil),
            let power = unsafe power(of: 251, to: 65537, modulo: number, nil)
        else { return false }
        let last = power[power.count - 1]
        return modulus.power(of: base.span, to: 65537, is: power, endingIn: [last].span)
    }

    /// The power of a small base, computed by OpenSSL.
    private static func power(
        of base: UInt, to exponent: UInt, modulo number: [UInt8], _ context: OpaquePointer?
    ) -> [UInt8]? {
        ERR_clear_error()
        defer { ERR_clear_error() }
        do throws(OpenSSLError) {
            let arithmetic = try unsafe Owned<BigNumberContext>(BN_CTX_new_ex(context), orThrow: .allocate)
            let modulus = try unsafe Owned<BigNumber>(
                BN_bin2bn(number, CInt(clamping: number.count), nil), orThrow: .allocate)
            let times = try unsafe Owned<BigNumber>(BN_new(), orThrow: .allocate)
            let power = try unsafe Owned<BigNumber>(BN_new(), orThrow: .allocate)
            var octets = [UInt8](repeating: 0, count: octetCount)
            guard unsafe BN_set_word(times.pointer, exponent) == 1,
                unsafe BN_mod_exp_mont_word(
                    power.pointer, base, times.pointer, modulus.pointer, arithmetic.pointer, nil) == 1,
                unsafe BN_bn2binpad(power.pointer, &octets, CInt(octetCount)) == CInt(octetCount)
            else { return nil }
            return octets
        } catch {
            return nil
        }
    }
}
