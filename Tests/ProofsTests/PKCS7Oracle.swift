private import COpenSSL
import Encodings

/// The answer of OpenSSL's own `PKCS7_verify` about a container, trusting these roots, at this date: an oracle for
/// tests, never part of the product. It accepts more than it should; what it rejects must never be accepted.
func oracleAccepts(_ container: [UInt8], roots: [[UInt8]], at date: Instant) -> Bool {
    ERR_clear_error()
    defer { ERR_clear_error() }
    let message = unsafe container.withUnsafeBufferPointer { bytes in
        var cursor = bytes.baseAddress
        return unsafe d2i_PKCS7(nil, &cursor, bytes.count)
    }
    guard let message = unsafe message else { return false }
    defer { unsafe PKCS7_free(message) }
    guard unsafe OBJ_obj2nid(message.pointee.type) == NID_pkcs7_signed, let store = unsafe X509_STORE_new() else {
        return false
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
    return unsafe PKCS7_verify(message, nil, store, nil, nil, 0) == 1
}
