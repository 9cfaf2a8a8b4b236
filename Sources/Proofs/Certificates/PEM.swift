private import COpenSSL

/// The DER of every certificate in a PEM file (RFC 7468), in order; anything between them is skipped.
///
/// - Throws: if one of the blocks is broken. What comes behind it would be lost in silence.
func certificatesInPEM(_ text: [UInt8]) throws(OpenSSLError) -> [[UInt8]] {
    guard !text.isEmpty else { return [] }
    ERR_clear_error()
    var certificates: [[UInt8]] = []
    let isRead = unsafe text.span.withUnsafeBufferPointer { bytes in
        guard let bio = unsafe BIO_new_mem_buf(bytes.baseAddress, CInt(clamping: bytes.count)) else { return false }
        defer { unsafe BIO_free(bio) }
        while let der = unsafe nextBlock(in: bio) { certificates.append(der) }
        // How the end of the file is told.
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
