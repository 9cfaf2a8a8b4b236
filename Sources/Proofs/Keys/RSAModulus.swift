private import CMontgomery
private import COpenSSL
import DER
import Encodings

/// Computes powers modulo one RSA modulus. For one thread at a time.
protocol RSAModulus: AnyObject {
    /// Whether the power of a base (RFC 8017, section 5.2.2: RSAVP1) is this number.
    ///
    /// Also false if the base is not smaller than the modulus.
    ///
    /// - Parameters:
    ///   - base: a number with as many octets as the modulus, the most significant first.
    ///   - exponent: odd, and at least 3.
    ///   - head: the number, with arbitrary octets in the place of the last ones.
    ///   - tail: the last octets of the number.
    func power(of base: Span<UInt8>, to exponent: UInt32, is head: [UInt8], endingIn tail: Span<UInt8>) -> Bool
}

extension Span<UInt8> {
    /// Whether these are the octets of `head`, with the last ones replaced by `tail`.
    func equals(_ head: [UInt8], endingIn tail: Span<UInt8>) -> Bool {
        guard head.count == count, tail.count <= count else { return false }
        let start = count - tail.count
        return extracting(..<start).isSame(as: head.span.extracting(..<start)) && extracting(start...).isSame(as: tail)
    }
}

/// The implementation of 2,048-bit multiplication for RSA on this machine.
public enum RSAMultiplication {
    public static var inUse: String { VectorModulus.isSupported ? "AVX-512 IFMA" : "OpenSSL" }
}

/// Computes powers modulo a number of any size, with OpenSSL's Montgomery multiplication.
final class OpenSSLModulus: RSAModulus {
    private let modulus: Owned<BigNumber>
    private let montgomery: Owned<MontgomeryContext>
    private let arithmetic: Owned<BigNumberContext>
    /// The base as a number, the same in Montgomery's form, and the power that is being computed.
    private let base: Owned<BigNumber>
    private let form: Owned<BigNumber>
    private let power: Owned<BigNumber>
    private let octetCount: Int
    /// The expected power.
    private var expected: [UInt8] = []

    /// Returns `nil` if the number is even or empty.
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
        octetCount = number.count
    }

    func power(of base: Span<UInt8>, to exponent: UInt32, is head: [UInt8], endingIn tail: Span<UInt8>) -> Bool {
        ERR_clear_error()
        guard base.count == octetCount, head.count == octetCount, tail.count <= octetCount,
            exponent >= 3, exponent & 1 == 1, read(base, into: self.base), raise(exponent)
        else { return false }
        expected.removeAll(keepingCapacity: true)
        expected.append(copying: head.span.extracting(..<(octetCount - tail.count)))
        expected.append(copying: tail)
        // Numbers with the same number of octets are equal if the octets are. Writing the power would take longer than
        // reading this.
        guard read(expected.span, into: form) else { return false }
        return unsafe BN_ucmp(power.pointer, form.pointer) == 0
    }

    /// Reads octets as a number (RFC 8017, section 4.2: OS2IP).
    private func read(_ octets: Span<UInt8>, into number: borrowing Owned<BigNumber>) -> Bool {
        unsafe octets.withUnsafeBufferPointer { octets in
            unsafe BN_bin2bn(octets.baseAddress, CInt(clamping: octets.count), number.pointer) != nil
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
        // The last bit of an odd exponent is 1, and its unconverted factor takes the power out of Montgomery's form.
        return multiply(by: power) && multiply(by: base)
    }

    private func multiply(by factor: borrowing Owned<BigNumber>) -> Bool {
        unsafe BN_mod_mul_montgomery(
            power.pointer, power.pointer, factor.pointer, montgomery.pointer, arithmetic.pointer) == 1
    }
}

/// Computes powers modulo a number of 2,048 bits, with the multiply-add instructions of AVX-512 (IFMA), in a third of
/// the time.
final class VectorModulus: RSAModulus {
    private var modulus = audit_modulus()
    private var octets = [UInt8](repeating: 0, count: octetCount)

    private static let octetCount = Int(AUDIT_MODULUS_OCTETS)

    /// Whether this processor has the instructions, and computes the same results with them as OpenSSL.
    static let isSupported = audit_modulus_is_supported() && agreesWithOpenSSL()

    /// Returns `nil` if the processor lacks the instructions, or the number is even or does not have 256 octets.
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

    /// Computes one power in both ways.
    private static func agreesWithOpenSSL() -> Bool {
        let number = (0..<octetCount).map { 0xff &- UInt8(truncatingIfNeeded: $0 &* 2) }
        let base = [UInt8](repeating: 0, count: octetCount - 1) + [251]
        guard let modulus = unsafe VectorModulus(number, arithmetic: nil),
            let power = unsafe power(of: 251, to: 65537, modulo: number, nil)
        else { return false }
        let last = power[power.count - 1]
        return modulus.power(of: base.span, to: 65537, is: power, endingIn: [last].span)
    }

    /// Returns the power of a small base, computed by OpenSSL.
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
