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
    /// The issuer's Name and the serial number, each whole, as they stand in issuerAndSerialNumber.
    let issuer: Span<UInt8>
    let serialNumber: Span<UInt8>
    /// The subject's Name, whole.
    let subject: Span<UInt8>
    /// The inside of the SubjectPublicKeyInfo.
    let publicKeyInfo: Span<UInt8>
    /// The AlgorithmIdentifier inside tbsCertificate, whole.
    let signatureAlgorithm: Span<UInt8>
    /// The octets of the issuer's signature.
    let signature: Span<UInt8>
    /// Whether the outer fields are as the inner ones demand: the same algorithm, and a signature of whole octets.
    let hasIntactShell: Bool
    /// The fields after the key: unique identifiers and extensions.
    private let rest: Span<UInt8>

    /// Reads one certificate.
    @_lifetime(copy encoding)
    init(_ encoding: Span<UInt8>) throws(ContainerDeviation) {
        var outermost = StrictReader(encoding)
        var certificate = StrictReader(try outermost.contents(of: .sequence))
        let tbsCertificate = try certificate.element(of: .sequence)
        let outerAlgorithm = try certificate.element(of: .sequence)
        let bits = try certificate.contents(of: .bitString)
        try certificate.end()
        guard bits.count > 1 else { throw .certificateShell }

        var signed = StrictReader(tbsCertificate)
        var fields = StrictReader(try signed.contents(of: .sequence))
        if fields.isNext(.context0) { _ = try fields.contents(of: .context0) }
        serialNumber = try fields.element(of: .integer)
        let signatureAlgorithm = try fields.element(of: .sequence)
        issuer = try fields.element(of: .sequence)
        _ = try fields.contents(of: .sequence)  // validity
        subject = try fields.element(of: .sequence)
        publicKeyInfo = try fields.contents(of: .sequence)
        rest = fields.rest

        self.encoding = encoding
        self.tbsCertificate = tbsCertificate
        self.signatureAlgorithm = signatureAlgorithm
        signature = bits.extracting(droppingFirst: 1)
        hasIntactShell = bits[0] == 0 && outerAlgorithm.equals(signatureAlgorithm)
    }

    /// Whether a SignerInfo names this certificate, by the inside of its issuerAndSerialNumber or by a whole
    /// subjectKeyIdentifier (RFC 5652, section 5.3).
    func isNamed(by identifier: Span<UInt8>) -> Bool {
        if identifier.count > 0, identifier[0] == DERTag.keyIdentifier.rawValue { return hasKeyIdentifier(identifier) }
        guard issuer.count + serialNumber.count == identifier.count else { return false }
        return identifier.extracting(first: issuer.count).equals(issuer)
            && identifier.extracting(last: serialNumber.count).equals(serialNumber)
    }

    /// Whether the extension subjectKeyIdentifier (RFC 5280, section 4.2.1.2) has the same octets.
    private func hasKeyIdentifier(_ identifier: Span<UInt8>) -> Bool {
        do throws(ContainerDeviation) {
            var named = StrictReader(identifier)
            let wanted = try named.contents(of: .keyIdentifier)
            var fields = StrictReader(rest)
            while !fields.isAtEnd, !fields.isNext(.context3) { _ = try fields.element() }
            var explicit = StrictReader(try fields.contents(of: .context3))
            var extensions = StrictReader(try explicit.contents(of: .sequence))
            while !extensions.isAtEnd {
                var field = StrictReader(try extensions.contents(of: .sequence))
                guard try field.contents(of: .objectIdentifier).equals(ObjectIdentifier.subjectKeyIdentifier) else {
                    continue
                }
                if field.isNext(.boolean) { _ = try field.contents(of: .boolean) }
                var value = StrictReader(try field.contents(of: .octetString))
                return try value.contents(of: .octetString).equals(wanted)
            }
        } catch {
            return false
        }
        return false
    }
}
