private import COpenSSL
import DER
import FoundationEssentials
import Synchronization

/// A failure of OpenSSL with a key of the sample store.
public enum SigningError: Error, Equatable, Sendable {
    /// `d2i_AutoPrivateKey_ex` did not read the embedded key.
    case keyNotRead
    /// `i2d_PUBKEY` did not write the public half.
    case publicKeyNotWritten
    /// `EVP_PKEY_sign` or the arithmetic of a curve failed, or the key is of another kind.
    case notSigned
}

/// A private key, RSA or on a curve, decoded once, with which any number of threads may sign.
///
/// `Sendable`, because nothing changes the `EVP_PKEY` after `init`, OpenSSL locks its internal caches, and each
/// signature makes its own `EVP_PKEY_CTX`.
@safe public final class SigningKey: @unchecked Sendable {
    private let key: OpaquePointer
    /// The public half as `SubjectPublicKeyInfo` in DER (RFC 5280, section 4.1.2.7).
    public let publicKeyInfo: [UInt8]
    /// The curve of the key; `nil` for an RSA key.
    public let curve: EllipticCurve?
    /// The private number of a key on a curve; otherwise empty.
    private let scalar: [UInt8]

    private static let decoded = Mutex<[SampleKey: SigningKey]>([:])

    /// Returns one of the sample store's keys, decoded once, because decoding takes OpenSSL milliseconds.
    static func shared(_ sample: SampleKey) throws(SigningError) -> SigningKey {
        try decoded.withLock { decoded throws(SigningError) in
            if let known = decoded[sample] { return known }
            let key = try SigningKey(sample)
            decoded[sample] = key
            return key
        }
    }

    /// Decodes one of the sample store's keys.
    public init(_ sample: SampleKey) throws(SigningError) {
        guard let der = Data(base64Encoded: sample.base64, options: .ignoreUnknownCharacters) else {
            throw .keyNotRead
        }
        let bytes = [UInt8](der)
        let key = unsafe bytes.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return unsafe d2i_AutoPrivateKey_ex(nil, &cursor, buffer.count, LibraryContext.shared.pointer, nil)
        }
        guard let key = unsafe key else { throw .keyNotRead }
        unsafe self.key = key
        publicKeyInfo = unsafe Self.publicKeyInfo(of: key)
        curve = sample.curve
        scalar = curve.map { unsafe Self.scalar(of: key, $0.octetCount) } ?? []
        guard !publicKeyInfo.isEmpty else { throw .publicKeyNotWritten }
        guard scalar.count == curve?.octetCount ?? 0 else { throw .keyNotRead }
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// Returns the signature over `message`, always the same for the same message: RSASSA-PKCS1-v1_5 (RFC 8017, section
    /// 8.2), or an `ECDSA-Sig-Value` in DER.
    public func signature(over message: [UInt8], digest: SampleDigest) throws(SigningError) -> [UInt8] {
        if curve != nil { return try curveSignature(over: message, digest: digest).der }
        // The DigestInfo is written here, so that signing needs no digest from OpenSSL's providers.
        let info = DERWriter.element(
            .sequence, digest.algorithm.der, DERWriter.element(.octetString, digest.hash(message)))
        return try signature(of: info, padding: RSA_PKCS1_PADDING)
    }

    /// Returns the two numbers of the signature over `message`. Only for keys on a curve (RFC 6979).
    public func curveSignature(over message: [UInt8], digest: SampleDigest) throws(SigningError) -> ECDSASignature {
        guard let curve else { throw .notSigned }
        return try curve.signature(over: message, privateKey: scalar, digest: digest)
    }

    /// Returns the name of the key's signatures in certificates.
    func algorithm(_ digest: SampleDigest) -> AlgorithmContent {
        curve == nil ? digest.signatureAlgorithm : digest.ecdsaAlgorithm
    }

    /// Returns the signature of an encoded message: RSASP1 (RFC 8017, section 5.2.1). The message must be as long as
    /// the modulus, and less than it.
    public func signature(ofEncoded encoded: [UInt8]) throws(SigningError) -> [UInt8] {
        try signature(of: encoded, padding: RSA_NO_PADDING)
    }

    private func signature(of input: [UInt8], padding: Int32) throws(SigningError) -> [UInt8] {
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(LibraryContext.shared.pointer, key, nil) else {
            throw .notSigned
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_sign_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_padding(context, padding) == 1
        else { throw .notSigned }
        var signature = [UInt8](repeating: 0, count: Int(unsafe EVP_PKEY_get_size(key)))
        var count = signature.count
        guard unsafe EVP_PKEY_sign(context, &signature, &count, input, input.count) == 1, count == signature.count
        else { throw .notSigned }
        return signature
    }

    /// Returns the private number, as long as the order of its curve.
    private static func scalar(of key: OpaquePointer, _ count: Int) -> [UInt8] {
        var number: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1 else { return [] }
        defer { unsafe BN_clear_free(number) }
        var octets = [UInt8](repeating: 0, count: count)
        return unsafe BN_bn2binpad(number, &octets, Int32(count)) == Int32(count) ? octets : []
    }

    private static func publicKeyInfo(of key: OpaquePointer) -> [UInt8] {
        let count = unsafe i2d_PUBKEY(key, nil)
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        let written = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return unsafe i2d_PUBKEY(key, &cursor)
        }
        return written == count ? bytes : []
    }
}

/// The `OSSL_LIB_CTX` of all signing keys, which is not the default one and is never freed.
///
/// It is separate, so that signing neither reads the machine's OpenSSL configuration nor waits for the locks of the
/// default context. It is never freed, because RSA signing leaves a random generator in every thread: OpenSSL 3.0 frees
/// that when the thread ends, and would then read freed memory.
@safe final class LibraryContext: @unchecked Sendable {
    static let shared = LibraryContext()

    /// `nil` if there was no memory. OpenSSL then uses its default context.
    let pointer: OpaquePointer?

    private init() { unsafe pointer = OSSL_LIB_CTX_new() }
}
