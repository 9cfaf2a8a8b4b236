import DER

/// A key with which certificates may have been signed.
final class IssuerKey {
    enum Answer {
        case yes
        case no
        /// It is not an RSA key of a usual size, or the signature is of another kind: OpenSSL must say.
        case unknown
    }

    private let key: RSAKey?
    private let library: OpenSSLLibrary

    /// The key that a certificate is about.
    init(certificate encoding: [UInt8], library: OpenSSLLibrary) {
        self.library = library
        let numbers = RSANumbers(certificate: encoding.span)
        key = numbers.flatMap { $0.areBearable ? RSAKey($0, library: library) : nil }
    }

    /// Whether a certificate was signed with this key (RFC 5280, section 4.1.1.3).
    func signed(_ encoding: [UInt8]) -> Answer {
        guard let key else { return .unknown }
        do throws(ContainerDeviation) {
            let bytes = encoding.span
            let certificate = try StrictCertificate(bytes)
            let algorithm = try StrictReader.read(certificate.signatureAlgorithm) { reader throws(ContainerDeviation) in
                DigestAlgorithm(signatureIdentifier: try reader.anyAlgorithm())
            }
            guard let algorithm else { return .unknown }
            let digest = library.digest(algorithm, of: certificate.tbsCertificate)
            return key.verifies(certificate.signature, of: digest, algorithm) ? .yes : .no
        } catch {
            return .unknown
        }
    }
}
