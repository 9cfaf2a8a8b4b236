private import COpenSSL
import DER

/// An RSA public key, ready to verify signatures (RFC 8017, section 8.2.2: RSASSA-PKCS1-v1_5).
///
/// The number under a signature is computed with OpenSSL's Montgomery multiplication, and compared with the one number
/// that encodes the digest, as the RFC has it: nothing of a signature is ever parsed. `EVP_PKEY_verify` does the same
/// multiplications and three more, and copies and wipes numbers for each signature, a fifth of its time; but nothing
/// here is secret. Where the processor can do more (``VectorModulus``), the multiplications are ours, in less than half the
/// time. Tests hold the answers of both equal to OpenSSL's.
final class RSAKey {
    private let modulus: Owned<BigNumber>
    private let montgomery: Owned<MontgomeryContext>
    private let arithmetic: Owned<BigNumberContext>
    /// The signature as a number, the same in Montgomery's form, and the power that is being computed.
    private let signature: Owned<BigNumber>
    private let base: Owned<BigNumber>
    private let power: Owned<BigNumber>
    /// The number that a signature must stand for.
    private let expected: Owned<BigNumber>
    /// The same without the digest; 0 if the modulus has no room for an encoding.
    private let sha1Head: Owned<BigNumber>
    private let sha256Head: Owned<BigNumber>
    private let exponent: UInt32
    /// How many octets the modulus has, and each signature.
    private let octetCount: Int
    /// What multiplies faster than OpenSSL, and the heads as octets.
    private let vectors: VectorModulus?
    private let encodings: (sha1: [UInt8], sha256: [UInt8])

    /// `nil` if the numbers are no key of RSA's (RFC 8017, section 3.1), or the exponent has more than 32 bits.
    ///
    /// - Parameter isForMany: whether many signatures are to be verified, so that preparing for it is worth while.
    init?(_ numbers: RSANumbers, isForMany: Bool = true, library: OpenSSLLibrary) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let last = numbers.modulus.last, last & 1 == 1, numbers.exponent.count <= 4 else { return nil }
        let exponent = numbers.exponent.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        guard exponent >= 3, exponent & 1 == 1 else { return nil }
        let count = numbers.modulus.count
        encodings = (DigestAlgorithm.sha1.encodingHead(of: count), DigestAlgorithm.sha256.encodingHead(of: count))
        do throws(OpenSSLError) {
            modulus = try Self.number(numbers.modulus)
            montgomery = try unsafe Owned(BN_MONT_CTX_new(), orThrow: .allocate)
            arithmetic = try unsafe Owned(BN_CTX_new_ex(library.context.pointer), orThrow: .allocate)
            signature = try unsafe Owned(BN_new(), orThrow: .allocate)
            base = try unsafe Owned(BN_new(), orThrow: .allocate)
            power = try unsafe Owned(BN_new(), orThrow: .allocate)
            expected = try unsafe Owned(BN_new(), orThrow: .allocate)
            sha1Head = try Self.number(encodings.sha1)
            sha256Head = try Self.number(encodings.sha256)
        } catch {
            return nil
        }
        guard unsafe BN_MONT_CTX_set(montgomery.pointer, modulus.pointer, arithmetic.pointer) == 1 else { return nil }
        self.exponent = exponent
        octetCount = count
        vectors = isForMany ? VectorModulus(numbers.modulus, library: library) : nil
    }

    private static func number(_ octets: [UInt8]) throws(OpenSSLError) -> Owned<BigNumber> {
        try unsafe Owned(BN_bin2bn(octets, CInt(clamping: octets.count), nil), orThrow: .allocate)
    }

    /// Whether `signature` was made over this digest with the private half of the key.
    func verifies(_ signature: Span<UInt8>, of digest: borrowing Digest, _ algorithm: DigestAlgorithm) -> Bool {
        ERR_clear_error()
        guard signature.count == octetCount, digest.octets.count == algorithm.octetCount else { return false }
        let octets = digest.octets
        if let vectors {
            let encoding = algorithm == .sha1 ? encodings.sha1 : encodings.sha256
            return vectors.power(of: signature, to: exponent, is: encoding, endingIn: octets)
        }
        guard read(signature, into: self.signature), read(octets, into: power) else { return false }
        // OS2IP is additive: the number of an encoding is that of its head, and the digest's.
        let head = unsafe algorithm == .sha1 ? sha1Head.pointer : sha256Head.pointer
        guard unsafe BN_is_zero(head) == 0, unsafe BN_add(expected.pointer, head, power.pointer) == 1, raise() else {
            return false
        }
        return unsafe BN_cmp(power.pointer, expected.pointer) == 0
    }

    /// Takes octets for a number (RFC 8017, section 4.2: OS2IP).
    private func read(_ octets: Span<UInt8>, into number: borrowing Owned<BigNumber>) -> Bool {
        unsafe octets.withUnsafeBufferPointer { octets in
            unsafe BN_bin2bn(octets.baseAddress, CInt(clamping: octets.count), number.pointer) != nil
        }
    }

    /// Computes the number under a signature (RFC 8017, section 5.2.2: RSAVP1).
    private func raise() -> Bool {
        guard unsafe BN_ucmp(signature.pointer, modulus.pointer) < 0,
            unsafe BN_to_montgomery(base.pointer, signature.pointer, montgomery.pointer, arithmetic.pointer) == 1,
            unsafe BN_copy(power.pointer, base.pointer) != nil
        else { return false }
        // Bit after bit of the exponent, from the second highest on.
        var bit = UInt32(1) << (31 - exponent.leadingZeroBitCount)
        while bit > 2 {
            bit >>= 1
            guard multiply(by: power), exponent & bit == 0 || multiply(by: base) else { return false }
        }
        // The last bit of an odd exponent is 1, and its factor, left as it is, takes the power out of Montgomery's form.
        return multiply(by: power) && multiply(by: signature)
    }

    private func multiply(by factor: borrowing Owned<BigNumber>) -> Bool {
        unsafe BN_mod_mul_montgomery(
            power.pointer, power.pointer, factor.pointer, montgomery.pointer, arithmetic.pointer) == 1
    }
}

extension DigestAlgorithm {
    /// The encoding EMSA-PKCS1-v1_5 of a digest of zeros (RFC 8017, section 9.2): 0, 1, as many 0xff as there is room for,
    /// 0, DigestInfo. Empty if there is no room for eight.
    fileprivate func encodingHead(of count: Int) -> [UInt8] {
        let room = count - digestInfoHead.count - octetCount - 3
        guard room >= 8 else { return [] }
        return [0, 1] + Array(repeating: 0xff, count: room) + [0] + digestInfoHead
            + Array(repeating: 0, count: octetCount)
    }
}
