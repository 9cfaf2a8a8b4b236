private import COpenSSL
public import Encodings

/// Describes a certificate (RFC 5280) for display.
public struct CertificateDescription: Equatable, Sendable {
    /// The subject's distinguished name (RFC 4514), for example `CN=Apple Root CA,OU=…`.
    public let subject: String
    public let issuer: String
    /// The serial number in hex.
    public let serialNumber: String
    /// The validity period; its end is the last moment, in whole seconds.
    public let notBefore: Instant
    public let notAfter: Instant
    /// For example `RSA-2048`.
    public let publicKey: String
    /// The signature's algorithm, for example `sha256WithRSAEncryption`.
    public let signatureAlgorithm: String
    /// SHA-256 of the DER encoding, in hex.
    public let fingerprint: String

    public var isSelfIssued: Bool { subject == issuer }

    /// The subject's common name, or all of its name if it has none.
    public var subjectName: String { Self.commonName(of: subject) }

    /// The issuer's common name, or all of its name if it has none.
    public var issuerName: String { Self.commonName(of: issuer) }

    /// Returns the value of the first `CN=` of a distinguished name (RFC 4514), where a comma in a value follows a
    /// backslash.
    static func commonName(of name: String) -> String {
        var part = ""
        var isEscaped = false
        for letter in name + "," {
            if letter == ",", !isEscaped {
                if part.hasPrefix("CN=") { return String(part.dropFirst(3)) }
                part = ""
                continue
            }
            if letter != "\\" || isEscaped { part.append(letter) }
            isEscaped = letter == "\\" && !isEscaped
        }
        return name
    }
}

extension CertificateDescription {
    /// Describes a certificate that was decoded from this DER.
    init(of certificate: borrowing Certificate, der: Span<UInt8>, library: OpenSSLLibrary) {
        let x509 = unsafe certificate.pointer
        let validity = certificate.validity
        self.init(
            subject: unsafe nameText(X509_get_subject_name(x509)),
            issuer: unsafe nameText(X509_get_issuer_name(x509)),
            serialNumber: certificate.serialNumber,
            notBefore: validity.lowerBound,
            notAfter: validity.lastSecond,
            publicKey: unsafe publicKeyText(X509_get0_pubkey(x509)),
            signatureAlgorithm: unsafe algorithmText(X509_get_signature_nid(x509)),
            fingerprint: Hex.string(library.digest(.sha256, of: der).octets))
    }
}

/// Writes a distinguished name in the form of RFC 4514, most specific part first.
private func nameText(_ name: OpaquePointer?) -> String {
    guard let name = unsafe name, let bio = unsafe BIO_new(BIO_s_mem()) else { return "" }
    defer { unsafe BIO_free(bio) }
    guard unsafe X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253_value) >= 0 else { return "" }
    var start: UnsafeMutablePointer<CChar>?
    let count = unsafe BIO_ctrl(bio, BIO_CTRL_INFO, 0, &start)
    guard let start = unsafe start, count > 0 else { return "" }
    return unsafe start.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
        unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}

private func publicKeyText(_ key: OpaquePointer?) -> String {
    guard let key = unsafe key, let name = unsafe EVP_PKEY_get0_type_name(key) else { return "unknown" }
    return unsafe "\(String(cString: name))-\(EVP_PKEY_get_bits(key))"
}

private func algorithmText(_ nid: CInt) -> String {
    guard let name = unsafe OBJ_nid2ln(nid) else { return "unknown" }
    return unsafe String(cString: name)
}
