private import COpenSSL
public import Encodings

/// One X.509 certificate, decoded by OpenSSL.
struct Certificate: ~Copyable {
    private let x509: Owned<X509Certificate>

    /// Decodes DER, which must be consumed completely, in a library context.
    init(der: Span<UInt8>, library: OpenSSLLibrary) throws(OpenSSLError) {
        ERR_clear_error()
        var pointer = unsafe X509_new_ex(library.context.pointer, nil)
        let consumed = unsafe der.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            guard let start = bytes.baseAddress, unsafe d2i_X509(&pointer, &cursor, bytes.count) != nil,
                let end = unsafe cursor
            else { return -1 }
            return unsafe end - start
        }
        // On failure, d2i_X509 frees the object and clears the pointer.
        let x509: Owned<X509Certificate> = try unsafe Owned(pointer, orThrow: .readCertificate)
        guard consumed == der.count else { throw OpenSSLError(.readCertificate) }
        self.x509 = x509
    }

    /// The `X509 *`, valid as long as this certificate.
    var pointer: OpaquePointer { unsafe x509.pointer }

    /// The validity period.
    var validity: Range<Instant> { unsafe Self.validity(of: x509.pointer) }

    /// Whether it is signed with its own key.
    var isSelfSigned: Bool {
        ERR_clear_error()
        defer { ERR_clear_error() }
        return unsafe X509_self_signed(x509.pointer, 1) == 1
    }

    /// The serial number in hex.
    var serialNumber: String { unsafe Self.serialNumber(of: x509.pointer) }

    static func validity(of x509: OpaquePointer) -> Range<Instant> {
        let notBefore = unsafe instant(X509_get0_notBefore(x509))
        let notAfter = unsafe instant(X509_get0_notAfter(x509))
        return .validity(from: notBefore, through: notAfter) ?? .never
    }

    static func serialNumber(of x509: OpaquePointer) -> String {
        guard let serial = unsafe X509_get0_serialNumber(x509), let start = unsafe ASN1_STRING_get0_data(serial)
        else { return "" }
        let octets = unsafe UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(serial)))
        let sign = unsafe ASN1_STRING_type(serial) == V_ASN1_NEG_INTEGER ? "-" : ""
        return unsafe sign + Hex.number(octets.span)
    }

    /// Reads a time in one of the two forms that RFC 5280 allows; `X509_cmp_time`, which verification uses, reads no
    /// others.
    private static func instant(_ time: UnsafePointer<ASN1_TIME>?) -> Instant? {
        var fields = unsafe tm()
        var epoch: time_t = 0
        guard unsafe X509_cmp_time(time, &epoch) != 0, unsafe ASN1_TIME_to_tm(time, &fields) == 1 else { return nil }
        return unsafe Instant(seconds: Int64(timegm(&fields)))
    }

    /// Returns the DER encoding.
    static func der(of x509: OpaquePointer) -> [UInt8] {
        let count = Int(unsafe i2d_X509(x509, nil))
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            var cursor = buffer.baseAddress
            written = unsafe max(0, Int(i2d_X509(x509, &cursor)))
        }
    }
}

/// The decoded certificates of one actual or possible chain, the signer's first.
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

    /// The signer's `X509 *`, valid as long as these certificates.
    var signer: OpaquePointer? {
        unsafe OPENSSL_sk_value(stack.pointer, 0).map { OpaquePointer($0) }
    }
}

extension Range<Instant> {
    /// The validity of a certificate, which includes the whole last second (RFC 5280, section 4.1.2.5); `nil` if it has
    /// none.
    static func validity(from notBefore: Instant?, through notAfter: Instant?) -> Range<Instant>? {
        guard let notBefore, let notAfter, notBefore <= notAfter else { return nil }
        return notBefore..<notAfter.adding(seconds: 1)
    }

    static var never: Range<Instant> { Instant(milliseconds: 0)..<Instant(milliseconds: 0) }

    /// The last second of a certificate's validity: `notAfter`.
    public var lastSecond: Instant { isEmpty ? upperBound : upperBound.adding(seconds: -1) }
}
