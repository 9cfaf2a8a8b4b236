private import COpenSSL

/// A step that failed in OpenSSL, with its reasons as text.
///
/// The reasons are copied out of the thread's error queue when the error is made, so the error may cross threads and
/// the queue is left empty.
public struct OpenSSLError: Error, Equatable, Sendable {
    public enum Step: String, Sendable {
        case startLibrary = "start a library context"
        case fetchDigest = "fetch a digest algorithm"
        case readCertificate = "read the certificate"
        case addTrustAnchor = "add the trust anchor"
        case verifyChain = "verify the certificate chain"
        case digest = "compute a digest"
        case hashWithKey = "hash with a key"
        case readKey = "read the public key"
        case allocate = "allocate an object"
    }

    public let step: Step
    public let reasons: [String]

    /// Empties this thread's error queue, oldest first.
    init(_ step: Step) {
        self.step = step
        var reasons: [String] = []
        while case let code = ERR_get_error(), code != 0 {
            guard let text = unsafe ERR_reason_error_string(code) else { continue }
            unsafe reasons.append(String(cString: text))
        }
        self.reasons = reasons
    }

    /// Makes an error whose reason is not in the error queue.
    init(_ step: Step, because reason: String) {
        ERR_clear_error()
        self.step = step
        self.reasons = [reason]
    }
}

extension OpenSSLError: CustomStringConvertible {
    /// For example: `could not read the certificate: wrong tag; nested asn1 error`.
    public var description: String {
        "could not \(step.rawValue)" + (reasons.isEmpty ? "" : ": " + reasons.joined(separator: "; "))
    }
}
