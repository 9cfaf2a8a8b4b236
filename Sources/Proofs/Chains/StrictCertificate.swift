import DER
import Encodings

/// Reads one certificate (RFC 5280, section 4.1) as slices of its bytes.
///
/// It reads the unsigned fields around tbsCertificate, the names that link certificates, and the key. OpenSSL reads
/// everything else.
struct StrictCertificate: ~Escapable {
    /// The bytes that contain the certificate.
    private let bytes: Span<UInt8>
    /// Its range in these bytes.
    private let range: Range<Int>
    private let fields: Fields

    /// Reads one certificate, which must fill the bytes.
    @_lifetime(copy encoding)
    init(_ encoding: Span<UInt8>) throws(ContainerDeviation) {
        try self.init(encoding, in: 0..<encoding.count)
    }

    /// Reads one certificate, which must fill the range. Positions in errors count from the first of all bytes.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, in range: Range<Int>) throws(ContainerDeviation) {
        self.bytes = bytes
        self.range = range
        fields = try StrictReader.read(bytes, in: range) { outermost throws(ContainerDeviation) in
            try outermost.inside(.sequence, Fields.init)
        }
        guard fields.signature.count > 1 else { throw .certificateShell }
    }

    /// The ranges of the fields of a Certificate and its TBSCertificate.
    private struct Fields {
        let tbsCertificate: Range<Int>
        let serialNumber: Range<Int>
        let signatureAlgorithm: Range<Int>
        let issuer: Range<Int>
        let validity: Range<Int>
        let subject: Range<Int>
        let publicKeyInfo: Range<Int>
        /// The unique identifiers and extensions.
        let rest: Range<Int>
        /// The signatureAlgorithm outside of tbsCertificate.
        let outerAlgorithm: Range<Int>
        /// The signature with its leading octet, the number of unused bits in its last octet.
        let signature: Range<Int>

        init(_ certificate: inout StrictReader) throws(ContainerDeviation) {
            let start = certificate.position
            let fields = try certificate.inside(.sequence) { fields throws(ContainerDeviation) in
                if fields.isNext(.context0) { _ = try fields.element(of: .context0) }  // version
                let serialNumber = try fields.rangeOfInteger()
                let signatureAlgorithm = try fields.rangeOfElement(of: .sequence)
                let issuer = try fields.rangeOfElement(of: .sequence)
                let validity = try fields.rangeOfElement(of: .sequence)
                let subject = try fields.rangeOfElement(of: .sequence)
                let publicKeyInfo = try fields.rangeOfElement(of: .sequence)
                return (
                    serialNumber, signatureAlgorithm, issuer, validity, subject, publicKeyInfo, fields.rangeOfRest()
                )
            }
            (serialNumber, signatureAlgorithm, issuer, validity, subject, publicKeyInfo, rest) = fields
            tbsCertificate = start..<certificate.position
            outerAlgorithm = try certificate.rangeOfElement(of: .sequence)
            signature = try certificate.rangeOfContents(of: .bitString)
        }
    }

    /// The certificate, whole.
    var encoding: Span<UInt8> { @_lifetime(copy self) get { bytes.extracting(range) } }
    /// The part that the issuer signs.
    var tbsCertificate: Span<UInt8> { @_lifetime(copy self) get { bytes.extracting(fields.tbsCertificate) } }
    /// The bytes of the serial number.
    var serialNumber: Span<UInt8> { @_lifetime(copy self) get { bytes.extracting(fields.serialNumber) } }
    /// The issuer's Name, whole.
    var issuer: Span<UInt8> { @_lifetime(copy self) get { bytes.extracting(fields.issuer) } }
    /// The subject's Name, whole.
    var subject: Span<UInt8> { @_lifetime(copy self) get { bytes.extracting(fields.subject) } }
    /// The SubjectPublicKeyInfo, whole.
    var publicKeyInfo: Span<UInt8> { @_lifetime(copy self) get { bytes.extracting(fields.publicKeyInfo) } }
    /// The AlgorithmIdentifier inside tbsCertificate, whole.
    var signatureAlgorithm: Span<UInt8> { @_lifetime(copy self) get { bytes.extracting(fields.signatureAlgorithm) } }
    /// The bytes of the issuer's signature.
    var signature: Span<UInt8> {
        @_lifetime(copy self) get { bytes.extracting(fields.signature).extracting(droppingFirst: 1) }
    }

    /// The validity period, as in ``Certificate``; `nil` if it cannot be read or is empty.
    var validity: Range<Instant>? {
        do throws(ContainerDeviation) {
            let (notBefore, notAfter) = try StrictReader.read(bytes, in: fields.validity) {
                reader throws(ContainerDeviation) in
                try reader.inside(.sequence) { times throws(ContainerDeviation) in (try times.time(), try times.time())
                }
            }
            return .validity(from: notBefore, through: notAfter)
        } catch {
            return nil
        }
    }

    /// The positions of the Names of issuer and subject in ``encoding``.
    fileprivate var names: (issuer: Range<Int>, subject: Range<Int>) {
        let start = range.lowerBound
        return (
            fields.issuer.lowerBound - start..<fields.issuer.upperBound - start,
            fields.subject.lowerBound - start..<fields.subject.upperBound - start
        )
    }

    /// Whether the outer fields match the inner ones: the same algorithm (section 4.1.1.2), and a signature of whole
    /// bytes.
    var hasMatchingAlgorithms: Bool {
        bytes[fields.signature.lowerBound] == 0
            && bytes.extracting(fields.outerAlgorithm).isSame(as: signatureAlgorithm)
    }
}

/// The extensions (section 4.2) that matter before OpenSSL reads a certificate.
extension StrictCertificate {
    /// Whether the subjectKeyIdentifier has these bytes (section 4.2.1.2).
    func hasKeyIdentifier(_ octets: Span<UInt8>) -> Bool {
        guard let range = rangeOfExtension(ObjectIdentifier.subjectKeyIdentifier) else { return false }
        do throws(ContainerDeviation) {
            return try StrictReader.read(bytes, in: range) { extnValue throws(ContainerDeviation) in
                try extnValue.contents(of: .octetString).isSame(as: octets)
            }
        } catch {
            return false
        }
    }

    /// Whether basicConstraints make this an authority. Otherwise its key may sign no certificate (section 4.2.1.9).
    var isAuthority: Bool {
        guard let range = rangeOfExtension(ObjectIdentifier.basicConstraints) else { return false }
        do throws(ContainerDeviation) {
            return try StrictReader.read(bytes, in: range) { extnValue throws(ContainerDeviation) in
                try extnValue.inside(.sequence) { constraints throws(ContainerDeviation) in
                    guard constraints.isNext(.boolean) else {
                        _ = constraints.rangeOfRest()
                        return false
                    }
                    let octets = try constraints.contents(of: .boolean)
                    if !constraints.isAtEnd { _ = try constraints.rangeOfInteger() }
                    return octets.count == 1 && octets[0] != 0
                }
            }
        } catch {
            return false
        }
    }

    /// Whether there is exactly one extension of this type.
    func hasExtension(_ type: [UInt8]) -> Bool { rangeOfExtension(type) != nil }

    /// Returns the range of the DER inside an extension's extnValue; `nil` if there is not exactly one of this type, or
    /// the extensions cannot be read.
    private func rangeOfExtension(_ type: [UInt8]) -> Range<Int>? {
        var found: [Range<Int>] = []
        do throws(ContainerDeviation) {
            try StrictReader.read(bytes, in: fields.rest) { fields throws(ContainerDeviation) in
                while !fields.isAtEnd, !fields.isNext(.context3) { _ = try fields.element() }
                guard !fields.isAtEnd else { return }
                try fields.inside(.context3) { explicit throws(ContainerDeviation) in
                    try explicit.inside(.sequence) { extensions throws(ContainerDeviation) in
                        while !extensions.isAtEnd {
                            try extensions.inside(.sequence) { field throws(ContainerDeviation) in
                                let isWanted = try field.contents(of: .objectIdentifier).isSame(as: type)
                                if field.isNext(.boolean) { _ = try field.contents(of: .boolean) }
                                let value = try field.rangeOfContents(of: .octetString)
                                if isWanted { found.append(value) }
                            }
                        }
                    }
                }
            }
        } catch {
            return nil
        }
        return found.count == 1 ? found[0] : nil
    }
}

extension ElementReader where Failure == ContainerDeviation {
    /// Reads a Time (RFC 5280, section 4.1); `nil` if it is not in one of the two forms that the RFC allows.
    @_lifetime(self: copy self)
    fileprivate mutating func time() throws(ContainerDeviation) -> Instant? {
        if isNext(.utcTime) { return Instant(utcTime: try contents(of: .utcTime)) }
        return Instant(generalizedTime: try contents(of: .generalizedTime))
    }
}

/// A certificate's DER, with the ranges of the two Names in it.
struct EncodedCertificate {
    let encoding: [UInt8]
    private let issuer: Range<Int>
    private let subject: Range<Int>

    init(_ certificate: StrictCertificate) {
        encoding = certificate.encoding.copy()
        (issuer, subject) = certificate.names
    }

    /// Whether the other certificate's subject is the issuer of this one: RFC 5280 (section 4.1.2.6) requires an
    /// authority to encode its name as in its own certificate.
    func names(_ other: EncodedCertificate) -> Bool {
        other.encoding.span.extracting(other.subject).isSame(as: encoding.span.extracting(issuer))
    }

    /// The serial number in hex, as in ``Certificate``.
    var serialNumber: String {
        do throws(ContainerDeviation) {
            let octets = try StrictCertificate(encoding.span).serialNumber
            guard octets.count > 0, octets[0] >= 0x80 else { return Hex.number(octets) }
            // The magnitude of a negative number: its two's complement.
            var magnitude = octets.copy().map { ~$0 }
            for index in magnitude.indices.reversed() {
                magnitude[index] &+= 1
                if magnitude[index] != 0 { break }
            }
            return "-" + Hex.number(magnitude.span)
        } catch {
            return ""
        }
    }
}
