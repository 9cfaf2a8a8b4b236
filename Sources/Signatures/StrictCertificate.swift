import DER

/// One certificate of a container's bag (RFC 5280, section 4.1), as slices of its bytes.
///
/// Reads what the strict form is about: the shell around tbsCertificate, which nothing signs, and the
/// issuer and serial number by which a SignerInfo names its certificate. All else is OpenSSL's to read.
struct StrictCertificate: ~Escapable {
    /// All of it.
    let encoding: Span<UInt8>
    /// The issuer's Name and the serial number, each whole, as they stand in issuerAndSerialNumber.
    let issuer: Span<UInt8>
    let serialNumber: Span<UInt8>

    /// Reads the next certificate of a bag.
    @_lifetime(copy bag)
    init(next bag: inout StrictReader) throws(ContainerDeviation) {
        let encoding = try bag.element(of: .sequence)
        var outermost = StrictReader(encoding)
        var certificate = StrictReader(try outermost.contents(of: .sequence))
        var tbsCertificate = StrictReader(try certificate.contents(of: .sequence))
        let signatureAlgorithm = try certificate.element(of: .sequence)
        let signature = try certificate.contents(of: .bitString)
        try certificate.end()
        // A signature is whole octets: the count of unused bits, which nothing signs, is 0.
        guard signature.count > 1, signature[0] == 0 else { throw .certificateShell }

        if tbsCertificate.isNext(.context0) { _ = try tbsCertificate.contents(of: .context0) }
        let serialNumber = try tbsCertificate.element(of: .integer)
        guard try tbsCertificate.element(of: .sequence).equals(signatureAlgorithm) else { throw .certificateShell }
        let issuer = try tbsCertificate.element(of: .sequence)

        self.encoding = encoding
        self.issuer = issuer
        self.serialNumber = serialNumber
    }

    /// Whether an issuerAndSerialNumber names this certificate.
    func isNamed(by issuerAndSerialNumber: Span<UInt8>) -> Bool {
        guard issuer.count + serialNumber.count == issuerAndSerialNumber.count else { return false }
        return issuerAndSerialNumber.extracting(first: issuer.count).equals(issuer)
            && issuerAndSerialNumber.extracting(last: serialNumber.count).equals(serialNumber)
    }
}
