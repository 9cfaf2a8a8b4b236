private import COpenSSL

/// What OpenSSL's own CMS decoder reads in a container: an oracle for tests, never part of the product.
struct CMSReading {
    let content: [UInt8]
    /// The DER of the first signer's certificate; `nil` if it is not found.
    let signer: [UInt8]?
    /// Whether every signature holds, whoever made it.
    let holds: Bool

    /// `nil` if OpenSSL cannot decode the container, or finds no content of type `data` in it.
    init?(_ container: [UInt8]) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let message = unsafe container.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            return unsafe d2i_CMS_ContentInfo(nil, &cursor, bytes.count)
        }
        guard let message = unsafe message else { return nil }
        defer { unsafe CMS_ContentInfo_free(message) }
        guard unsafe OBJ_obj2nid(CMS_get0_type(message)) == NID_pkcs7_signed,
            unsafe OBJ_obj2nid(CMS_get0_eContentType(message)) == NID_pkcs7_data,
            let slot = unsafe CMS_get0_content(message), let string = unsafe slot.pointee
        else { return nil }
        content = unsafe [UInt8](
            UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string))))
        let flags = UInt32(CMS_BINARY | CMS_NO_SIGNER_CERT_VERIFY)
        holds = unsafe CMS_verify(message, nil, nil, nil, nil, flags) == 1
        // The signers are known once CMS_verify has looked for them; the stack is ours, its certificates are not.
        let signers = unsafe CMS_get0_signers(message)
        defer { unsafe OPENSSL_sk_free(signers) }
        signer = unsafe signers == nil ? nil : Self.encoding(OPENSSL_sk_value(signers, 0).map { OpaquePointer($0) })
    }

    private static func encoding(_ certificate: OpaquePointer?) -> [UInt8]? {
        guard let certificate = unsafe certificate else { return nil }
        let count = Int(unsafe i2d_X509(certificate, nil))
        guard count > 0 else { return nil }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            var cursor = buffer.baseAddress
            written = unsafe max(0, Int(i2d_X509(certificate, &cursor)))
        }
    }
}
