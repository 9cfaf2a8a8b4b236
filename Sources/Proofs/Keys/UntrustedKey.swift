/// The key of a certificate that no verified chain vouches for.
///
/// Whoever made it may have chosen any key, and a large modulus or exponent makes a signature cost a thousand times
/// what one of Apple's does. Such keys are not used: what they signed is untrusted whether or not the signature holds.
/// Nor is a key of another kind than RSA's, with which no receipt is signed: such a signature does not hold.
final class UntrustedKey {
    private let key: RSAKey?
    private let isTooCostly: Bool

    init(certificate encoding: [UInt8], library: OpenSSLLibrary) {
        let numbers = RSANumbers(certificate: encoding.span)
        isTooCostly = numbers?.isWithinCostLimit == false
        key = isTooCostly ? nil : numbers.flatMap { RSAKey($0, library: library) }
    }

    /// Whether a signature over this digest was made with the private half of the key.
    func signature(
        _ signature: Span<UInt8>, over digest: borrowing Digest, _ algorithm: DigestAlgorithm
    ) -> SignatureVerdict.Signature {
        guard !isTooCostly else { return .notChecked(.costlyKey) }
        return key?.verifies(signature, of: digest, algorithm) == true ? .holds : .broken
    }
}
