private import COpenSSL
import Encodings
import SampleStore

/// ECDSA and chain building by OpenSSL itself, for keys on curves: an oracle for the samples, not for the product.
extension OpenSSLOracle {
    /// Whether an `ECDSA-Sig-Value` or RSA signature holds over a message, by `EVP_DigestVerify`.
    static func verify(_ signature: [UInt8], over message: [UInt8], key: [UInt8], digest: SampleDigest) -> Bool {
        let key = unsafe key.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return unsafe d2i_PUBKEY(nil, &position, bytes.count)
        }
        guard let key = unsafe key, let context = unsafe EVP_MD_CTX_new() else { return false }
        defer {
            unsafe EVP_PKEY_free(key)
            unsafe EVP_MD_CTX_free(context)
        }
        let name = digest == .sha384 ? "SHA2-384" : "SHA2-256"
        guard unsafe EVP_DigestVerifyInit_ex(context, nil, name, nil, nil, key, nil) == 1 else { return false }
        return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// The `SubjectPublicKeyInfo` of a certificate; `nil` if OpenSSL does not read it.
    static func publicKey(of certificate: [UInt8]) -> [UInt8]? {
        guard let certificate = unsafe decode(certificate) else { return nil }
        defer { unsafe X509_free(certificate) }
        guard let key = unsafe X509_get0_pubkey(certificate) else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(unsafe i2d_PUBKEY(key, nil)))
        unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var position = buffer.baseAddress
            _ = unsafe i2d_PUBKEY(key, &position)
        }
        return bytes
    }

    /// Whether a chain of certificates, the leaf first, leads to a root by `X509_verify_cert`, and if not, why.
    static func verify(chain: [[UInt8]], root: [UInt8], at instant: Instant) -> Answer {
        guard let store = unsafe X509_STORE_new(), let context = unsafe X509_STORE_CTX_new(),
            let others = unsafe OPENSSL_sk_new_null(), let parameters = unsafe X509_STORE_get0_param(store),
            let first = chain.first, let leaf = unsafe decode(first), let root = unsafe decode(root)
        else { return .unreadable }
        defer {
            unsafe X509_STORE_CTX_free(context)
            while let other = unsafe OPENSSL_sk_pop(others) { unsafe X509_free(OpaquePointer(other)) }
            unsafe OPENSSL_sk_free(others)
            unsafe X509_free(leaf)
            unsafe X509_free(root)
            unsafe X509_STORE_free(store)
        }
        for certificate in chain.dropFirst() {
            guard let certificate = unsafe decode(certificate) else { return .unreadable }
            unsafe OPENSSL_sk_push(others, UnsafeRawPointer(certificate))
        }
        unsafe X509_STORE_add_cert(store, root)
        unsafe X509_VERIFY_PARAM_set_time(parameters, Int(instant.seconds))
        guard unsafe X509_STORE_CTX_init(context, store, leaf, others) == 1 else { return .unreadable }
        guard unsafe X509_verify_cert(context) == 1 else {
            let reason = unsafe X509_verify_cert_error_string(Int(X509_STORE_CTX_get_error(context)))
            return unsafe .refused(reason.map { unsafe String(cString: $0) } ?? "")
        }
        return .accepted([])
    }
}
