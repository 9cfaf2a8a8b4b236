import DER

/// What a container says of one signer: its certificates, one after the other, and which of them is the signer's.
struct SignerReference: ~Escapable {
    let certificates: Span<UInt8>
    let identifier: SignerIdentifier

    @_lifetime(copy certificates, copy identifier)
    init(certificates: Span<UInt8>, identifier: SignerIdentifier) {
        self.certificates = certificates
        self.identifier = identifier
    }

    var octetCount: Int { certificates.count + identifier.octetCount }
}

/// A copy of a ``SignerReference`` that may outlive its container.
struct KeptSignerReference {
    private let certificates: [UInt8]
    private let identifier: Identifier

    private enum Identifier {
        case issuerAndSerialNumber(issuer: [UInt8], serialNumber: [UInt8])
        case subjectKeyIdentifier([UInt8])
    }

    init(_ reference: SignerReference) {
        certificates = reference.certificates.copy()
        identifier =
            switch reference.identifier {
            case .issuerAndSerialNumber(let name):
                .issuerAndSerialNumber(issuer: name.issuer.copy(), serialNumber: name.serialNumber.copy())
            case .subjectKeyIdentifier(let octets): .subjectKeyIdentifier(octets.copy())
            }
    }

    /// Whether this is a copy of that reference.
    func equals(_ other: SignerReference) -> Bool {
        let isSame =
            switch (identifier, other.identifier) {
            case (.issuerAndSerialNumber(let issuer, let serialNumber), .issuerAndSerialNumber(let other)):
                areSame(other.issuer, issuer) && areSame(other.serialNumber, serialNumber)
            case (.subjectKeyIdentifier(let octets), .subjectKeyIdentifier(let other)): areSame(other, octets)
            case (.issuerAndSerialNumber, _), (.subjectKeyIdentifier, _): false
            }
        return isSame && areSame(other.certificates, certificates)
    }
}
