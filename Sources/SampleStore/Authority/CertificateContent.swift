import DER
public import Encodings

/// What a certificate says, apart from who signed it (RFC 5280, section 4.1.2).
///
/// Every field may be changed before it is issued; the three templates below are
/// the genuine ones, shaped like Apple's.
public struct CertificateContent: Sendable {
    public var serialNumber: Int
    public var subject: DistinguishedName
    /// Who is named as issuer; `nil` for whoever signs.
    public var issuer: DistinguishedName?
    public var notBefore: Instant
    public var notAfter: Instant
    /// The key that the certificate is about.
    public var key: SampleKey
    /// Extensions with NULL content, by which Apple marks what a certificate is for.
    public var markers: [[UInt8]] = []
    /// Whether basic constraints say `cA`.
    public var isAuthority = false
    public var pathLength: Int?
    /// The digest that the issuer signs with.
    public var digest = SampleDigest.sha256
    /// 3, or 1 for a certificate without extensions.
    public var version = 3
    /// A `SubjectPublicKeyInfo` in DER to be written in place of the key's own.
    public var publicKeyInfo: [UInt8]?
    /// What is to be done differently with the extensions, in this order.
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

    /// The root: signs itself, valid from 2006 to 2039.
    public static var root: CertificateContent {
        var content = CertificateContent(
            DistinguishedName("Sample Store Root CA"), serialNumber: 2,
            notBefore: .utc(2006), notAfter: .utc(2039), key: .root)
        content.isAuthority = true
        return content
    }

    /// The intermediate: carries Apple's marker 1.2.840.113635.100.6.2.1, valid from 2013 to 2035.
    public static var intermediate: CertificateContent {
        var content = CertificateContent(
            DistinguishedName("Sample Store Developer Relations CA"), serialNumber: 0x1dee_5a3d_1e00_0001,
            notBefore: .utc(2013), notAfter: .utc(2035), key: .intermediate)
        content.isAuthority = true
        content.pathLength = 0
        content.markers = [SampleOID.worldwideDeveloperRelations]
        return content
    }

    /// The leaf that signs receipts: carries Apple's marker 1.2.840.113635.100.6.11.1, valid from 2015 to 2033.
    public static var leaf: CertificateContent {
        var content = CertificateContent(
            DistinguishedName("Sample Store Receipt Signing"), serialNumber: 0x0ee5_5a3d_1e00_0002,
            notBefore: .utc(2015), notAfter: .utc(2033), key: .leaf)
        content.markers = [SampleOID.appStoreReceiptSigning]
        return content
    }

    /// A developer's own leaf: chains to the same root, but lacks the receipt marker.
    public static var developer: CertificateContent {
        var content = CertificateContent(
            DistinguishedName("Sample Developer (A1B2C3D4E5)", organization: "A Developer"),
            serialNumber: 0x2bad_5a3d_1e00_0003, notBefore: .utc(2015), notAfter: .utc(2033), key: .developer)
        content.markers = [SampleOID.developer]
        return content
    }

    /// One more authority between the intermediate and the leaf, which Apple's chains never have.
    public static var subordinate: CertificateContent {
        var content = CertificateContent(
            DistinguishedName("Sample Store Subordinate CA"), serialNumber: 0x3bad_5a3d_1e00_0004,
            notBefore: .utc(2013), notAfter: .utc(2035), key: .subordinate)
        content.isAuthority = true
        content.markers = [SampleOID.worldwideDeveloperRelations]
        return content
    }

    /// The same with other values: `.leaf.with { $0.notAfter = .utc(2018) }`.
    public func with(_ change: (inout CertificateContent) -> Void) -> CertificateContent {
        var content = self
        change(&content)
        return content
    }
}

extension Instant {
    /// Midnight UTC of a day, by default of New Year's: `.utc(2019)`, `.utc(2025, 1, 24)`.
    ///
    /// A day that no calendar has is the beginning of 1970.
    public static func utc(_ year: Int, _ month: Int = 1, _ day: Int = 1) -> Instant {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T00:00:00Z"
        return Instant(rfc3339: text) ?? Instant(milliseconds: 0)
    }
}
