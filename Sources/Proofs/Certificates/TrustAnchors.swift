/// The root certificates that a chain must end at.
///
/// A value: each worker builds an OpenSSL store of its own from it.
public struct TrustAnchors: Sendable {
    /// One root certificate.
    public struct Anchor: Sendable {
        /// Where it comes from: a file's name, or `built in`.
        public let origin: String
        public let certificate: CertificateDescription
        /// The DER encoding.
        let der: [UInt8]
    }

    public let anchors: [Anchor]

    /// Apple Inc. Root CA, Apple Root CA - G2 and - G3.
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

    /// The certificates in these files, each DER or PEM, instead of Apple's.
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
