import DER
import Encodings
private import Glibc

/// The reference of a SignerInfo to its signer's certificate (RFC 5652, section 5.3), as slices of a container's bytes.
///
/// The reader of the SignerInfo distinguishes the two kinds; nothing is inferred from the bytes.
enum SignerIdentifier: ~Escapable {
    case issuerAndSerialNumber(IssuerAndSerialNumber)
    /// The bytes of a subjectKeyIdentifier, which only containers in a form other than Apple's have.
    case subjectKeyIdentifier(Span<UInt8>)

    /// The number of bytes that are compared.
    var octetCount: Int {
        switch self {
        case .issuerAndSerialNumber(let name): name.issuer.count + name.serialNumber.count
        case .subjectKeyIdentifier(let octets): octets.count
        }
    }
}

/// An issuer and a serial number (RFC 5652, section 10.2.4): exactly one Name and one INTEGER.
struct IssuerAndSerialNumber: ~Escapable {
    /// The whole Name.
    let issuer: Span<UInt8>
    /// The bytes of the INTEGER, in its shortest form.
    let serialNumber: Span<UInt8>

    @_lifetime(copy issuer, copy serialNumber)
    init(issuer: Span<UInt8>, serialNumber: Span<UInt8>) {
        self.issuer = issuer
        self.serialNumber = serialNumber
    }
}

extension IssuerAndSerialNumber {
    /// The ranges of both in a container's bytes.
    struct Ranges {
        let issuer: Range<Int>
        let serialNumber: Range<Int>

        /// Reads a whole issuerAndSerialNumber.
        init(_ reader: inout StrictReader) throws(ContainerDeviation) {
            self = try reader.inside(.sequence) { name throws(ContainerDeviation) in
                Ranges(issuer: try name.rangeOfElement(of: .sequence), serialNumber: try name.rangeOfInteger())
            }
        }

        private init(issuer: Range<Int>, serialNumber: Range<Int>) {
            self.issuer = issuer
            self.serialNumber = serialNumber
        }
    }

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, _ ranges: Ranges) {
        self.init(issuer: bytes.extracting(ranges.issuer), serialNumber: bytes.extracting(ranges.serialNumber))
    }
}

extension StrictCertificate {
    /// Whether a SignerInfo names this certificate (RFC 5652, section 5.3).
    func isNamed(by identifier: SignerIdentifier) -> Bool {
        switch identifier {
        case .issuerAndSerialNumber(let name):
            issuer.isSame(as: name.issuer) && serialNumber.isSame(as: name.serialNumber)
        case .subjectKeyIdentifier(let octets): hasKeyIdentifier(octets)
        }
    }
}

/// A container's undecoded certificates, and the reference of each SignerInfo to one: everything that decides who
/// signed it.
struct SignerReferences: ~Escapable {
    /// The container.
    let bytes: Span<UInt8>
    /// The positions of the certificates in it, in order.
    let certificateRange: Range<Int>
    private let identifiers: Identifiers

    private enum Identifiers: ~Escapable {
        case one(SignerIdentifier)
        /// A container's DER, and its first SignerInfos.
        case several(Span<UInt8>, [LenientSignerInfo])
    }

    /// The references of a container with one SignerInfo.
    @_lifetime(copy identifier, copy bytes)
    init(certificates: Range<Int>, identifier: SignerIdentifier, in bytes: Span<UInt8>) {
        self.bytes = bytes
        certificateRange = certificates
        identifiers = .one(identifier)
    }

    /// The references of a container in DER with these SignerInfos.
    @_lifetime(copy der)
    init(certificates: Range<Int>, signerInfos: [LenientSignerInfo], in der: Span<UInt8>) {
        bytes = der
        certificateRange = certificates
        identifiers = .several(der, signerInfos)
    }

    var certificates: Span<UInt8> {
        @_lifetime(copy self) get { bytes.extracting(certificateRange) }
    }

    /// The number of SignerInfos.
    var count: Int {
        switch identifiers {
        case .one: 1
        case .several(_, let infos): infos.count
        }
    }

    /// Returns the reference of a SignerInfo to its certificate.
    @_lifetime(copy self)
    func identifier(at index: Int) -> SignerIdentifier {
        switch identifiers {
        case .one(let identifier): identifier
        case .several(let der, let infos): infos[index].identifier.identifier(in: der)
        }
    }

    var octetCount: Int {
        var count = certificateRange.count
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

    /// Whether the bytes are the same.
    func equals(_ other: SignerReferences) -> Bool {
        guard identifiers.count == other.count else { return false }
        for index in identifiers.indices where !identifiers[index].equals(other.identifier(at: index)) { return false }
        return other.certificates.isSame(as: certificates)
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
            other.issuer.isSame(as: issuer) && other.serialNumber.isSame(as: serialNumber)
        case (.subjectKeyIdentifier(let octets), .subjectKeyIdentifier(let other)): other.isSame(as: octets)
        case (.issuerAndSerialNumber, _), (.subjectKeyIdentifier, _): false
        }
    }
}
