/// The RSA key of an authority that is trusted: a trust anchor, or one that a trusted authority has vouched for.
final class IssuerKey {
    private let key: RSAKey
    private let library: OpenSSLLibrary
    /// What a verification with this key costs; 1 with a key like Apple's.
    let cost: Int

    /// The key that a certificate is about; `nil` if it is none of RSA's.
    init?(certificate encoding: [UInt8], library: OpenSSLLibrary) {
        guard let numbers = RSANumbers(certificate: encoding.span), let key = RSAKey(numbers, library: library) else {
            return nil
        }
        self.key = key
        self.library = library
        cost = numbers.verificationCost
    }

    /// Whether a certificate was signed with this key (RFC 5280, section 4.1.1.3), by RSASSA-PKCS1-v1_5.
    func signed(_ encoding: [UInt8]) -> Bool {
        do throws(ContainerDeviation) {
            let certificate = try StrictCertificate(encoding.span)
            guard let algorithm = CertificateDigest(signatureAlgorithm: certificate.signatureAlgorithm) else {
                return false
            }
            let digest = library.certificateDigest(algorithm, of: certificate.tbsCertificate)
            return key.verifies(certificate.signature, of: digest, algorithm)
        } catch {
            return false
        }
    }
}
