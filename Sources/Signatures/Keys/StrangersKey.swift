/// The key of a certificate that nobody vouches for.
///
/// A stranger may choose any key, and a large modulus or exponent makes a signature cost a thousand times what one
/// of Apple's does. Such keys are not used: what they signed is untrusted whether or not the signature holds.
final class StrangersKey {
    private let key: RSAKey?
    private let isRefused: Bool

    init(certificate encoding: [UInt8], library: OpenSSLLibrary) {
        guard let numbers = RSANumbers(certificate: encoding.span) else {
            key = nil
            isRefused = false
            return
        }
        isRefused = !numbers.areCheap
        key = isRefused ? nil : RSAKey(numbers, library: library)
    }

    /// Whether a signature over this digest is the stranger's.
    func signature(
        _ signature: Span<UInt8>, over digest: borrowing Digest, _ algorithm: DigestAlgorithm
    ) -> SignatureVerdict.Signature {
        guard !isRefused else { return .notChecked(.costlyKey) }
        return key?.verifies(signature, of: digest, algorithm) == true ? .holds : .broken
    }
}
