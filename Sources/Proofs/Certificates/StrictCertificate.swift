import DER

/// One certificate of a container's bag (RFC 5280, section 4.1), as slices of its bytes.
///
/// Reads the shell around tbsCertificate, which nothing signs, the names by which certificates are linked, and
/// the key. All else is OpenSSL's to read.
struct StrictCertificate: ~Escapable {
    /// All of it.
    let encoding: Span<UInt8>
    /// What its issuer signs.
    let tbsCertificate: Span<UInt8>
    /// The issuer's Name, whole, and the octets of the serial number.
    let name: IssuerAndSerialNumber
    /// The subject's Name, whole.
    let subject: Span<UInt8>
    /// The SubjectPublicKeyInfo, whole.
    let publicKeyInfo: Span<UInt8>
    /// The AlgorithmIdentifier inside tbsCertificate, whole.
    let signatureAlgorithm: Span<UInt8>
    /// The octets of the issuer's signature.
    let signature: Span<UInt8>
    /// Whether the outer fields are as the inner ones demand: the same algorithm, and a signature of whole octets.
    let hasIntactShell: Bool
    /// The fields after the key: unique identifiers and extensions.
    let rest: Span<UInt8>

    /// Reads one certificate.
    @_lifetime(copy encoding)
    init(_ encoding: Span<UInt8>) throws(ContainerDeviation) {
        let shell = try StrictReader.read(encoding) { outermost throws(ContainerDeviation) in
            try outermost.inside(.sequence, Shell.init)
        }
        guard shell.bits.count > 1 else { throw .certificateShell }
        let bits = encoding.extracting(shell.bits)
        let fields = shell.fields
        self.encoding = encoding
        tbsCertificate = encoding.extracting(shell.tbsCertificate)
        name = IssuerAndSerialNumber(
            issuer: encoding.extracting(fields.issuer), serialNumber: encoding.extracting(fields.serialNumber))
        subject = encoding.extracting(fields.subject)
        publicKeyInfo = encoding.extracting(fields.publicKeyInfo)
        let signatureAlgorithm = encoding.extracting(fields.signatureAlgorithm)
        self.signatureAlgorithm = signatureAlgorithm
        signature = bits.extracting(droppingFirst: 1)
        hasIntactShell = bits[0] == 0 && encoding.extracting(shell.algorithm).equals(signatureAlgorithm)
        rest = encoding.extracting(fields.rest)
    }

    /// Where the fields of a Certificate stand in its bytes.
    private struct Shell {
        let tbsCertificate: Range<Int>
        let fields: Fields
        let algorithm: Range<Int>
        let bits: Range<Int>

        init(_ certificate: inout StrictReader) throws(ContainerDeviation) {
            let start = certificate.position
            fields = try certificate.inside(.sequence, Fields.init)
            tbsCertificate = start..<certificate.position
            algorithm = try certificate.rangeOfElement(of: .sequence)
            bits = try certificate.rangeOfContents(of: .bitString)
        }
    }

    /// Where the fields of a TBSCertificate stand.
    private struct Fields {
        let serialNumber: Range<Int>
        let signatureAlgorithm: Range<Int>
        let issuer: Range<Int>
        let subject: Range<Int>
        let publicKeyInfo: Range<Int>
        let rest: Range<Int>

        init(_ fields: inout StrictReader) throws(ContainerDeviation) {
            if fields.isNext(.context0) { _ = try fields.element(of: .context0) }  // version
            serialNumber = try fields.rangeOfInteger()
            signatureAlgorithm = try fields.rangeOfElement(of: .sequence)
            issuer = try fields.rangeOfElement(of: .sequence)
            _ = try fields.element(of: .sequence)  // validity
            subject = try fields.rangeOfElement(of: .sequence)
            publicKeyInfo = try fields.rangeOfElement(of: .sequence)
            rest = fields.rangeOfRest()
        }
    }

    /// Whether a SignerInfo names this certificate (RFC 5652, section 5.3).
    func isNamed(by identifier: SignerIdentifier) -> Bool {
        switch identifier {
        case .issuerAndSerialNumber(let other):
            name.issuer.equals(other.issuer) && name.serialNumber.equals(other.serialNumber)
        case .subjectKeyIdentifier(let octets): hasKeyIdentifier(octets)
        }
    }
}
