import DER

/// How a SignerInfo names the certificate of its signer (RFC 5652, section 5.3), as slices of a container's bytes.
///
/// Its reader says which of the two it is; nothing is inferred from the octets.
enum SignerIdentifier: ~Escapable {
    case issuerAndSerialNumber(IssuerAndSerialNumber)
    /// The octets of a subjectKeyIdentifier, which only a container in another form than Apple's has.
    case subjectKeyIdentifier(Span<UInt8>)

    /// How many octets tell one from another.
    var octetCount: Int {
        switch self {
        case .issuerAndSerialNumber(let name): name.issuer.count + name.serialNumber.count
        case .subjectKeyIdentifier(let octets): octets.count
        }
    }
}

/// An issuer and a serial number (RFC 5652, section 10.2.4): exactly one Name and one INTEGER.
struct IssuerAndSerialNumber: ~Escapable {
    /// The Name, whole.
    let issuer: Span<UInt8>
    /// The octets of the INTEGER, in its shortest form.
    let serialNumber: Span<UInt8>

    @_lifetime(copy issuer, copy serialNumber)
    init(issuer: Span<UInt8>, serialNumber: Span<UInt8>) {
        self.issuer = issuer
        self.serialNumber = serialNumber
    }
}

extension IssuerAndSerialNumber {
    /// Where the two stand in a container's bytes.
    struct Ranges {
        let issuer: Range<Int>
        let serialNumber: Range<Int>

        /// Reads an issuerAndSerialNumber, all of it.
        init(_ reader: inout StrictReader) throws(ContainerDeviation) {
            self = try reader.inside(.sequence) { name throws(ContainerDeviation) in
                Ranges(issuer: try name.rangeOfElement(of: .sequence), serialNumber: try name.rangeOfInteger())
            }
        }

        /// Those of nobody: no certificate has an empty Name.
        static let none = Ranges(issuer: 0..<0, serialNumber: 0..<0)

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
