/// Why a file cannot serve as a trust anchor.
public enum TrustAnchorError: Error, Equatable, Sendable {
    /// The file holds no certificate, neither DER nor PEM, or a broken one.
    case unreadable(file: String, reason: String)
    /// A certificate that is not signed with its own key: only roots can be trust anchors.
    case notARoot(file: String, subject: String)
    /// A built-in root whose fingerprint is not the one it is pinned by.
    case pinMismatch(name: String)
    case openSSL(OpenSSLError)
}

extension TrustAnchorError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let file, let reason):
            "\(file) is not a root certificate in DER or PEM: \(reason)"
        case .notARoot(let file, let subject):
            "\(file) holds a certificate that is not a root (\(subject)); a trust anchor must be self-signed"
        case .pinMismatch(let name): "the built-in certificate \(name) is damaged"
        case .openSSL(let error): error.description
        }
    }
}
