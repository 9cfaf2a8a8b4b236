import DER

/// What a container says of who signed it: its certificates, one after the other, and how each SignerInfo names one.
struct SignerReferences: ~Escapable {
    let certificates: Span<UInt8>
    private let identifiers: Identifiers

    private enum Identifiers: ~Escapable {
        case one(SignerIdentifier)
        /// The first ones of a container's DER.
        case several(Span<UInt8>, [LenientSignerInfo])
    }

    /// Those of a container with one SignerInfo.
    @_lifetime(copy certificates, copy identifier)
    init(certificates: Span<UInt8>, identifier: SignerIdentifier) {
        self.certificates = certificates
        identifiers = .one(identifier)
    }

    /// Those of a container in DER with these SignerInfos.
    @_lifetime(copy der)
    init(certificates: Range<Int>, signerInfos: [LenientSignerInfo], in der: Span<UInt8>) {
        self.certificates = der.extracting(certificates)
        identifiers = .several(der, signerInfos)
    }

    /// How many SignerInfos there are.
    var count: Int {
        switch identifiers {
        case .one: 1
        case .several(_, let infos): infos.count
        }
    }

    /// How a SignerInfo names its certificate.
    @_lifetime(copy self)
    func identifier(at index: Int) -> SignerIdentifier {
        switch identifiers {
        case .one(let identifier): identifier
        case .several(let der, let infos): infos[index].identifier.identifier(in: der)
        }
    }

    var octetCount: Int {
        var count = certificates.count
        for index in 0..<self.count { count += identifier(at: index).octetCount }
        return count
    }
}

/// A copy of ``SignerReferences`` that may outlive its container.
struct CachedSignerReferences {
    private let certificates: [UInt8]
    private let identifiers: [Identifier]

    fileprivate enum Identifier {
        case issuerAndSerialNumber(issuer: [UInt8], serialNumber: [UInt8])
        case subjectKeyIdentifier([UInt8])
    }

    init(_ references: SignerReferences) {
        certificates = references.certificates.copy()
        var identifiers: [Identifier] = []
        for index in 0..<references.count { identifiers.append(Identifier(references.identifier(at: index))) }
        self.identifiers = identifiers
    }

    /// Whether this is a copy of those references.
    func equals(_ other: SignerReferences) -> Bool {
        guard identifiers.count == other.count else { return false }
        for index in identifiers.indices where !identifiers[index].equals(other.identifier(at: index)) { return false }
        return areSame(other.certificates, certificates)
    }
}

extension CachedSignerReferences.Identifier {
    fileprivate init(_ identifier: SignerIdentifier) {
        switch identifier {
        case .issuerAndSerialNumber(let name):
            self = .issuerAndSerialNumber(issuer: name.issuer.copy(), serialNumber: name.serialNumber.copy())
        case .subjectKeyIdentifier(let octets): self = .subjectKeyIdentifier(octets.copy())
        }
    }

    fileprivate func equals(_ other: SignerIdentifier) -> Bool {
        switch (self, other) {
        case (.issuerAndSerialNumber(let issuer, let serialNumber), .issuerAndSerialNumber(let other)):
            areSame(other.issuer, issuer) && areSame(other.serialNumber, serialNumber)
        case (.subjectKeyIdentifier(let octets), .subjectKeyIdentifier(let other)): areSame(other, octets)
        case (.issuerAndSerialNumber, _), (.subjectKeyIdentifier, _): false
        }
    }
}
