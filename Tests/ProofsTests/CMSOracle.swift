private import COpenSSL

/// What OpenSSL's own CMS decoder reads in a container: an oracle for tests, never part of the product.
struct CMSReading {
    /// What one SignerInfo says.
    struct Signer {
        /// The DER of the certificate; `nil` if the container lacks it.
        var certificate: [UInt8]?
        /// Whether the signature is one of RSA's, with SHA-1 or SHA-256, over the content itself, whoever made it.
        var holds = false
    }

    let content: [UInt8]
    private(set) var signers: [Signer] = []

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
        let certificates = unsafe CMS_get1_certs(message)
        defer { unsafe free(certificates) }
        // The stack is the message's.
        let infos = unsafe CMS_get0_SignerInfos(message)
        for index in 0..<max(0, unsafe OPENSSL_sk_num(infos)) {
            guard let info = unsafe OPENSSL_sk_value(infos, index) else { continue }
            unsafe signers.append(signer(OpaquePointer(info), among: certificates))
        }
    }

    private func signer(_ info: OpaquePointer, among certificates: OpaquePointer?) -> Signer {
        var signer = Signer()
        for index in 0..<max(0, unsafe OPENSSL_sk_num(certificates)) {
            guard let certificate = unsafe OPENSSL_sk_value(certificates, index).map({ OpaquePointer($0) }),
                unsafe CMS_SignerInfo_cert_cmp(info, certificate) == 0
            else { continue }
            signer.certificate = unsafe Self.encoding(certificate)
            signer.holds = unsafe holds(info, X509_get0_pubkey(certificate))
            break
        }
        return signer
    }

    private func holds(_ info: OpaquePointer, _ key: OpaquePointer?) -> Bool {
        var digestAlgorithm: UnsafeMutablePointer<X509_ALGOR>?
        var signatureAlgorithm: UnsafeMutablePointer<X509_ALGOR>?
        unsafe CMS_SignerInfo_get0_algs(info, nil, nil, &digestAlgorithm, &signatureAlgorithm)
        guard unsafe CMS_signed_get_attr_count(info) < 0, let key = unsafe key,
            unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA,
            let digest = unsafe Self.nid(digestAlgorithm), digest == NID_sha1 || digest == NID_sha256,
            let algorithm = unsafe Self.nid(signatureAlgorithm),
            [
                NID_rsaEncryption, NID_sha1WithRSAEncryption, NID_sha256WithRSAEncryption,
                NID_sha384WithRSAEncryption, NID_sha512WithRSAEncryption,
            ].contains(algorithm),
            let context = unsafe EVP_MD_CTX_new()
        else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        let type = unsafe digest == NID_sha1 ? EVP_sha1() : EVP_sha256()
        guard unsafe EVP_DigestVerifyInit(context, nil, type, nil, key) == 1,
            let signature = unsafe CMS_SignerInfo_get0_signature(info)
        else { return false }
        return unsafe EVP_DigestVerify(
            context, ASN1_STRING_get0_data(signature), Int(ASN1_STRING_length(signature)), content, content.count) == 1
    }

    private static func nid(_ algorithm: UnsafeMutablePointer<X509_ALGOR>?) -> CInt? {
        guard let algorithm = unsafe algorithm else { return nil }
        var object: OpaquePointer?
        unsafe X509_ALGOR_get0(&object, nil, nil, algorithm)
        return unsafe OBJ_obj2nid(object)
    }

    private func free(_ certificates: OpaquePointer?) {
        while let certificate = unsafe OPENSSL_sk_pop(certificates) { unsafe X509_free(OpaquePointer(certificate)) }
        unsafe OPENSSL_sk_free(certificates)
    }

    private static func encoding(_ certificate: OpaquePointer) -> [UInt8]? {
        let count = Int(unsafe i2d_X509(certificate, nil))
        guard count > 0 else { return nil }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            var cursor = buffer.baseAddress
            written = unsafe max(0, Int(i2d_X509(certificate, &cursor)))
        }
    }
}
