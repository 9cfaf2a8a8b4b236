private import COpenSSL

/// The certificates of one chain, or of what may be one, decoded: the signer's first.
final class DecodedCertificates {
    /// A `STACK_OF(X509)`, which owns its certificates.
    let stack: Owned<X509Stack>

    /// Decodes certificates in DER.
    init(_ encodings: [[UInt8]], library: OpenSSLLibrary) throws(OpenSSLError) {
        let stack: Owned<X509Stack> = try unsafe Owned(OPENSSL_sk_new_null(), orThrow: .allocate)
        for encoding in encodings {
            let certificate = try Certificate(der: encoding.span, library: library)
            guard unsafe X509_up_ref(certificate.pointer) == 1,
                unsafe OPENSSL_sk_push(stack.pointer, UnsafeRawPointer(certificate.pointer)) > 0
            else { throw OpenSSLError(.allocate) }
        }
        self.stack = stack
    }

    /// The signer's certificate, for the length of one call.
    var signer: OpaquePointer? {
        unsafe OPENSSL_sk_value(stack.pointer, 0).map { OpaquePointer($0) }
    }
}
