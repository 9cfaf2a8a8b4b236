private import COpenSSL

/// The root certificates at which a chain must end. Each worker builds its own OpenSSL store from them.
public struct TrustAnchors: Sendable {
    /// One root certificate.
    public struct Anchor: Sendable {
        /// The file's name, or `built in`.
        public let origin: String
        public let certificate: CertificateDescription
        /// The DER encoding.
        let der: [UInt8]
    }

    public let anchors: [Anchor]

    /// Returns Apple Inc. Root CA, Apple Root CA - G2 and - G3.
    public static func apple() throws(TrustAnchorError) -> TrustAnchors {
        var anchors: [Anchor] = []
        for root in AppleRoots.all {
            let pem = "-----BEGIN CERTIFICATE-----\n\(root.base64)\n-----END CERTIFICATE-----\n"
            let loaded = try load(Array(pem.utf8), origin: "built in")
            guard loaded.count == 1, loaded[0].certificate.fingerprint == root.fingerprint else {
                throw .pinMismatch(name: root.name)
            }
            anchors += loaded
        }
        return TrustAnchors(anchors: anchors)
    }

    /// Reads the certificates in these files, each DER or PEM, instead of Apple's.
    ///
    /// - Parameter files: each file's name, for messages, and its bytes.
    public init(files: [(name: String, bytes: [UInt8])]) throws(TrustAnchorError) {
        var anchors: [Anchor] = []
        for file in files {
            for anchor in try Self.load(file.bytes, origin: file.name)
            where !anchors.contains(where: { $0.der == anchor.der }) {
                anchors.append(anchor)
            }
        }
        self.init(anchors: anchors)
    }

    private init(anchors: [Anchor]) { self.anchors = anchors }

    private static func load(_ bytes: [UInt8], origin: String) throws(TrustAnchorError) -> [Anchor] {
        var anchors: [Anchor] = []
        var other: String?
        do throws(OpenSSLError) {
            let library = try OpenSSLLibrary()
            for der in bytes.first == 0x30 ? [bytes] : try certificatesInPEM(bytes) {
                let certificate = try Certificate(der: der.span, library: library)
                let description = CertificateDescription(of: certificate, der: der.span, library: library)
                guard certificate.isSelfSigned else { other = other ?? description.subject; continue }
                anchors.append(Anchor(origin: origin, certificate: description, der: der))
            }
        } catch {
            throw .unreadable(file: origin, reason: error.description)
        }
        if let other { throw .notARoot(file: origin, subject: other) }
        guard !anchors.isEmpty else { throw .unreadable(file: origin, reason: "no certificate in it") }
        return anchors
    }
}

/// The reason why a file cannot serve as a trust anchor.
public enum TrustAnchorError: Error, Equatable, Sendable {
    /// The file contains no certificate in DER or PEM, or a broken one.
    case unreadable(file: String, reason: String)
    /// A certificate that is not signed with its own key: only roots can be trust anchors.
    case notARoot(file: String, subject: String)
    /// A built-in root with a fingerprint other than the pinned one.
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

/// Returns the DER of every certificate in a PEM file (RFC 7468), in order; anything between them is skipped.
///
/// - Throws: if one of the blocks is broken, because the certificates after it would be lost without notice.
private func certificatesInPEM(_ text: [UInt8]) throws(OpenSSLError) -> [[UInt8]] {
    guard !text.isEmpty else { return [] }
    ERR_clear_error()
    var certificates: [[UInt8]] = []
    let isRead = unsafe text.span.withUnsafeBufferPointer { bytes in
        guard let bio = unsafe BIO_new_mem_buf(bytes.baseAddress, CInt(clamping: bytes.count)) else { return false }
        defer { unsafe BIO_free(bio) }
        while let der = unsafe nextBlock(in: bio) { certificates.append(der) }
        // This is how OpenSSL reports the end of the file.
        return ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE
    }
    guard isRead else { throw OpenSSLError(.readCertificate) }
    ERR_clear_error()
    return certificates
}

private func nextBlock(in bio: OpaquePointer) -> [UInt8]? {
    while true {
        var name: UnsafeMutablePointer<CChar>?
        var header: UnsafeMutablePointer<CChar>?
        var data: UnsafeMutablePointer<UInt8>?
        var count = 0
        guard unsafe PEM_read_bio(bio, &name, &header, &data, &count) == 1 else { return nil }
        defer {
            unsafe CRYPTO_free(name, #file, 0)
            unsafe CRYPTO_free(header, #file, 0)
            unsafe CRYPTO_free(data, #file, 0)
        }
        guard let name = unsafe name, unsafe String(cString: name) == "CERTIFICATE" else { continue }
        return unsafe [UInt8](UnsafeBufferPointer(start: data, count: count))
    }
}
