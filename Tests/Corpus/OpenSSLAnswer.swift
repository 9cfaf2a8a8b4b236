private import COpenSSL
public import Encodings

/// OpenSSL's verdict on a container, trusting these roots, at this date: an oracle for tests, not part of the product.
public struct OpenSSLAnswer {
    /// The content that `CMS_verify` accepts.
    public let cms: [UInt8]?
    /// The content that `CMS_verify` finds signed, whoever signed it.
    public let signed: [UInt8]?
    /// Whether the CMS decoder reads it.
    public let isReadable: Bool
    /// Whether `PKCS7_verify` accepts it.
    public let pkcs7: Bool

    public init(_ container: [UInt8], roots: [[UInt8]], at date: Instant) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let store = unsafe X509_STORE_new() else {
            cms = nil
            signed = nil
            isReadable = false
            pkcs7 = false
            return
        }
        defer { unsafe X509_STORE_free(store) }
        for root in roots {
            let certificate = unsafe root.withUnsafeBufferPointer { bytes in
                var cursor = bytes.baseAddress
                return unsafe d2i_X509(nil, &cursor, bytes.count)
            }
            unsafe X509_STORE_add_cert(store, certificate)
            unsafe X509_free(certificate)
        }
        unsafe X509_VERIFY_PARAM_set_time(X509_STORE_get0_param(store), Int(date.seconds))
        let message = unsafe Self.message(container)
        defer { unsafe CMS_ContentInfo_free(message) }
        unsafe isReadable = message != nil
        cms = unsafe Self.content(of: message, store, flags: CMS_BINARY)
        signed = unsafe Self.content(of: message, store, flags: CMS_BINARY | CMS_NO_SIGNER_CERT_VERIFY)
        pkcs7 = unsafe Self.pkcs7(container, store)
    }

    /// Reads a message, which must be all there is.
    private static func message(_ container: [UInt8]) -> OpaquePointer? {
        var consumed = 0
        let message = unsafe container.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            let message = unsafe d2i_CMS_ContentInfo(nil, &cursor, bytes.count)
            if let start = bytes.baseAddress, let end = unsafe cursor { consumed = unsafe end - start }
            return unsafe message
        }
        guard let message = unsafe message else { return nil }
        guard consumed == container.count else {
            unsafe CMS_ContentInfo_free(message)
            return nil
        }
        return unsafe message
    }

    private static func content(of message: OpaquePointer?, _ store: OpaquePointer, flags: Int32) -> [UInt8]? {
        guard let message = unsafe message, let output = unsafe BIO_new(BIO_s_mem()) else { return nil }
        defer { unsafe BIO_free(output) }
        guard unsafe CMS_verify(message, nil, store, nil, output, UInt32(flags)) == 1 else { return nil }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = unsafe BIO_read(output, &buffer, Int32(buffer.count)), count > 0 {
            content += buffer.prefix(Int(count))
        }
        return content
    }

    private static func pkcs7(_ container: [UInt8], _ store: OpaquePointer) -> Bool {
        let message = unsafe container.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            return unsafe d2i_PKCS7(nil, &cursor, bytes.count)
        }
        guard let message = unsafe message else { return false }
        defer { unsafe PKCS7_free(message) }
        guard unsafe OBJ_obj2nid(message.pointee.type) == NID_pkcs7_signed else { return false }
        return unsafe PKCS7_verify(message, nil, store, nil, nil, 0) == 1
    }
}
