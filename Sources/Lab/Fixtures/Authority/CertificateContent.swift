import DER
public import Encodings

/// The fields of a certificate, apart from its signature (RFC 5280, section 4.1.2).
///
/// Every field may be changed before the certificate is issued. The templates are shaped like Apple's certificates.
public struct CertificateContent: Sendable, Changeable {
    public var serialNumber: Int
    public var subject: DistinguishedName
    /// The name of the issuer; `nil` for that of the signer.
    public var issuer: DistinguishedName?
    public var notBefore: Instant
    public var notAfter: Instant
    /// The certified key.
    public var key: SampleKey
    /// Extensions with NULL content, with which Apple marks the purpose of a certificate.
    public var markers: [[UInt8]] = []
    /// Whether the basic constraints have `cA`.
    public var isAuthority = false
    public var pathLength: Int?
    /// The digest that the issuer signs with.
    public var digest = SampleDigest.sha256
    /// 3, or 1 for a certificate without extensions.
    public var version = 3
    /// A `SubjectPublicKeyInfo` in DER that replaces the key's own.
    public var publicKeyInfo: [UInt8]?
    /// Changes of the extensions, applied in this order.
    public var extensionEdits: [ExtensionEdit] = []

    public init(
        _ subject: DistinguishedName, serialNumber: Int, notBefore: Instant, notAfter: Instant, key: SampleKey
    ) {
        self.subject = subject
        self.serialNumber = serialNumber
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.key = key
    }

    /// The root, which signs itself and is valid from 2006 to 2039.
    public static var root: CertificateContent {
        var content = CertificateContent(
            DistinguishedName("Sample Store Root CA"), serialNumber: 2,
            notBefore: .utc(2006), notAfter: .utc(2039), key: .root)
        content.isAuthority = true
        return content
    }

    /// The intermediate with Apple's marker 1.2.840.113635.100.6.2.1, which is valid from 2013 to 2035.
    public static var intermediate: CertificateContent {
        var content = CertificateContent(
            DistinguishedName("Sample Store Developer Relations CA"), serialNumber: 0x1dee_5a3d_1e00_0001,
            notBefore: .utc(2013), notAfter: .utc(2035), key: .intermediate)
        content.isAuthority = true
        content.pathLength = 0
        content.markers = [SampleOID.worldwideDeveloperRelations]
        return content
    }

    /// The leaf that signs receipts, with Apple's marker 1.2.840.113635.100.6.11.1, valid from 2015 to 2033.
    public static var leaf: CertificateContent {
        var content = CertificateContent(
            DistinguishedName("Sample Store Receipt Signing"), serialNumber: 0x0ee5_5a3d_1e00_0002,
            notBefore: .utc(2015), notAfter: .utc(2033), key: .leaf)
        content.markers = [SampleOID.appStoreReceiptSigning]
        return content
    }

    /// A developer's leaf, which chains to the same root, but lacks the receipt marker.
    public static var developer: CertificateContent {
        var content = CertificateContent(
            DistinguishedName("Sample Developer (A1B2C3D4E5)", organization: "A Developer"),
            serialNumber: 0x2bad_5a3d_1e00_0003, notBefore: .utc(2015), notAfter: .utc(2033), key: .developer)
        content.markers = [SampleOID.developer]
        return content
    }

    /// An authority between the intermediate and the leaf, which Apple's chains never have.
    public static var subordinate: CertificateContent {
        var content = CertificateContent(
            DistinguishedName("Sample Store Subordinate CA"), serialNumber: 0x3bad_5a3d_1e00_0004,
            notBefore: .utc(2013), notAfter: .utc(2035), key: .subordinate)
        content.isAuthority = true
        content.markers = [SampleOID.worldwideDeveloperRelations]
        return content
    }
}

extension Instant {
    /// Returns midnight UTC of a day, by default New Year's Day: `.utc(2019)`, `.utc(2025, 1, 24)`.
    ///
    /// A day that does not exist gives the beginning of 1970.
    public static func utc(_ year: Int, _ month: Int = 1, _ day: Int = 1) -> Instant {
        let text = "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))T00:00:00Z"
        return Instant(rfc3339: text) ?? Instant(milliseconds: 0)
    }
}

extension Int {
    /// Returns the decimal digits, with leading zeros up to a width.
    func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}

/// One extension of a certificate (RFC 5280, section 4.1).
public struct ExtensionContent: Sendable, Equatable {
    /// The bytes inside the OBJECT IDENTIFIER.
    public var type: [UInt8]
    public var isCritical: Bool
    /// The octets inside the OCTET STRING: DER.
    public var value: [UInt8]

    public init(_ type: [UInt8], critical isCritical: Bool = false, _ value: [UInt8]) {
        self.type = type
        self.isCritical = isCritical
        self.value = value
    }

    var der: [UInt8] {
        DERWriter.element(
            .sequence,
            DERWriter.element(.objectIdentifier, type),
            isCritical ? DERWriter.element(.boolean, [0xff]) : [],
            DERWriter.element(.octetString, value))
    }
}

/// One change of the extensions of a certificate.
public enum ExtensionEdit: Sendable, Equatable {
    /// Removes every extension of this type.
    case leaveOut([UInt8])
    /// Replaces the extensions of its type.
    case replace(ExtensionContent)
    /// Adds an extension.
    case add(ExtensionContent)
}

extension CertificateContent {
    /// Returns the `TBSCertificate` in DER, the part that the issuer signs (RFC 5280, section 4.1.2).
    func toBeSigned(by issuerName: DistinguishedName, issuerKey: SigningKey, subjectKey: [UInt8]) -> [UInt8] {
        let subjectKey = publicKeyInfo ?? subjectKey
        let extensions = extensions(issuerKey.publicKeyInfo, subjectKey).map(\.der)
        return DERWriter.element(
            .sequence,
            version == 3 ? DERWriter.element(.context0, DERWriter.integer(2)) : [],
            DERWriter.integer(serialNumber),
            issuerKey.algorithm(digest).der,
            (issuer ?? issuerName).der,
            DERWriter.element(.sequence, time(notBefore), time(notAfter)),
            subject.der,
            subjectKey,
            version == 3
                ? DERWriter.element(.context3, DERWriter.element(DERTag.sequence.rawValue, extensions)) : [])
    }

    private func extensions(_ issuerKey: [UInt8], _ subjectKey: [UInt8]) -> [ExtensionContent] {
        let constraints =
            isAuthority
            ? DERWriter.element(.boolean, [0xff]) + (pathLength.map { DERWriter.integer($0) } ?? []) : []
        var extensions = [
            ExtensionContent(
                SampleOID.subjectKeyIdentifier, DERWriter.element(.octetString, SampleDigest.sha1.hash(subjectKey))),
            ExtensionContent(
                SampleOID.basicConstraints, critical: true, DERWriter.element(.sequence, constraints)),
            ExtensionContent(
                SampleOID.authorityKeyIdentifier,
                DERWriter.element(.sequence, DERWriter.element(0x80, [SampleDigest.sha1.hash(issuerKey)]))),
            isAuthority ? .keyUsage([.certificateSign, .revocationListSign]) : .keyUsage([.digitalSignature]),
        ]
        extensions += markers.map { ExtensionContent($0, DERWriter.null) }
        for edit in extensionEdits {
            switch edit {
            case .leaveOut(let type): extensions.removeAll { $0.type == type }
            case .replace(let other):
                for index in extensions.indices where extensions[index].type == other.type { extensions[index] = other }
            case .add(let other): extensions.append(other)
            }
        }
        return extensions
    }

    /// UTCTime until 2049, GeneralizedTime from 2050 on (RFC 5280, section 4.1.2.5).
    private func time(_ instant: Instant) -> [UInt8] {
        let digits = instant.description.utf8.filter { (0x30...0x39).contains($0) }
        let zulu: [UInt8] = [0x5a]
        guard instant >= .utc(1950), instant < .utc(2050) else {
            return DERWriter.element(.generalizedTime, digits, zulu)
        }
        return DERWriter.element(.utcTime, Array(digits.dropFirst(2)), zulu)
    }
}

/// The bits of keyUsage (RFC 5280, section 4.2.1.3).
public enum KeyUsageBit: Int, Sendable {
    case digitalSignature = 0
    case keyEncipherment = 2
    case certificateSign = 5
    case revocationListSign = 6
}

extension ExtensionContent {
    /// Returns a critical keyUsage with these bits.
    public static func keyUsage(_ bits: [KeyUsageBit]) -> ExtensionContent {
        let octet = bits.reduce(0 as UInt8) { $0 | 0x80 >> UInt8($1.rawValue) }
        let unused = UInt8(truncatingIfNeeded: octet.trailingZeroBitCount)
        return ExtensionContent(
            SampleOID.keyUsage, critical: true, DERWriter.element(.bitString, [unused, octet]))
    }
}

/// A `Name`, by default of one organization and one common name (RFC 5280, section 4.1.2.4).
public struct DistinguishedName: Sendable, Equatable {
    public var organization: String
    public var commonName: String
    /// A whole Name in DER, which replaces organization and common name.
    public var encoding: [UInt8]?

    public init(_ commonName: String, organization: String = "Sample Store") {
        self.commonName = commonName
        self.organization = organization
    }

    /// The RDNSequence in DER.
    public var der: [UInt8] {
        encoding
            ?? Self.encoding([(SampleOID.organizationName, organization), (SampleOID.commonName, commonName)])
    }

    /// Returns an RDNSequence in DER with one attribute in each RelativeDistinguishedName, with string values of this
    /// tag.
    public static func encoding(_ attributes: [(type: [UInt8], value: String)], tag: UInt8 = 0x0c) -> [UInt8] {
        DERWriter.element(
            DERTag.sequence.rawValue,
            attributes.map { type, value in
                DERWriter.element(
                    .set,
                    DERWriter.element(
                        .sequence, DERWriter.element(.objectIdentifier, type),
                        DERWriter.element(tag, [Array(value.utf8)])))
            })
    }
}
