import DER
public import Encodings

/// The content of a receipt: the attributes of the app, of the device, and of each purchase.
///
/// Fields without a comment are not documented by Apple, but genuine receipts have them.
public struct ReceiptContent: Sendable, Changeable {
    /// `Production` or `ProductionSandbox`, attribute 0.
    public var environment = "Production"
    public var appItemID = 1_500_000_001
    public var bundleID: String
    public var appVersion = "1"
    /// The opaque value, attribute 4, which is part of the device hash and is not DER.
    public var opaqueValue = Self.octets4
    /// The device of the receipt. The hash in attribute 5 is computed from it and from attributes 4 and 2.
    public var device: SampleDevice
    public var attribute6 = Self.octets6
    public var attribute7 = Self.octets7
    /// When this version was downloaded, attribute 8; empty in the sandbox.
    public var downloadedAt: Instant?
    /// The fulfilment tool's version, attribute 9, a text in an INTEGER.
    public var toolVersion = "P302"
    public var ageRating = "4+"
    public var developerID = 1_500_000
    public var createdAt: Instant
    public var attribute13 = 160_301
    public var attribute14 = 1
    public var downloadID = 64_000_000_000_001
    public var versionExternalID = 820_000_001
    public var purchases: [PurchaseContent] = []
    public var originallyPurchasedAt: Instant?
    public var originalAppVersion = "1"
    /// The end of a volume purchase, attribute 21.
    public var expiresAt: Instant?
    /// Changes of the attributes, applied after the hash is computed.
    public var edits: [AttributeEdit] = []

    private static let octets4: [UInt8] = Array(0x40...0x4f)
    private static let octets6: [UInt8] = Array(0x80...0xbf)
    private static let octets7: [UInt8] = Array(0xc0...0xf0)

    /// A production receipt without purchases.
    public init(bundleID: String, device: SampleDevice, createdAt: Instant) {
        self.bundleID = bundleID
        self.device = device
        self.createdAt = createdAt
        downloadedAt = createdAt
        originallyPurchasedAt = createdAt
    }

    /// SHA-1 over device id, attribute 4 and the raw bytes of attribute 2: the value of attribute 5.
    public var hash: [UInt8] {
        SampleDigest.sha1.hash(device.octets + opaqueValue + DERWriter.utf8String(bundleID))
    }

    /// The attributes, after the edits.
    public var attributes: [AttributeContent] {
        var attributes = [
            AttributeContent(0, text: environment),
            AttributeContent(1, integer: appItemID),
            AttributeContent(2, text: bundleID),
            AttributeContent(3, text: appVersion),
            AttributeContent(4, version: 2, value: opaqueValue),
            AttributeContent(5, value: hash),
            AttributeContent(6, value: attribute6),
            AttributeContent(7, value: attribute7),
            AttributeContent(8, date: downloadedAt),
            AttributeContent(9, value: DERWriter.element(.integer, Array(toolVersion.utf8))),
            AttributeContent(10, ascii: ageRating),
            AttributeContent(11, integer: developerID),
            AttributeContent(12, date: createdAt),
            AttributeContent(13, integer: attribute13),
            AttributeContent(14, integer: attribute14),
            AttributeContent(15, integer: downloadID),
            AttributeContent(16, integer: versionExternalID),
        ]
        attributes += purchases.map { AttributeContent(17, value: $0.der) }
        attributes.append(AttributeContent(18, date: originallyPurchasedAt))
        attributes.append(AttributeContent(19, text: originalAppVersion))
        if !device.isMac { attributes.append(AttributeContent(20, text: "")) }
        if let expiresAt { attributes.append(AttributeContent(21, date: expiresAt)) }
        attributes.append(AttributeContent(25, integer: device.isMac ? 2 : 3))
        return attributes.edited(edits)
    }

    /// The SET in DER, which is signed.
    public var der: [UInt8] { attributes.der }
}

/// A device in the form that the device hash uses: an iPhone by its vendor identifier, a Mac by its network address.
///
/// A struct and not an enum with two payloads: Swift marks the case in the payload's pointer, and the leak sanitizer
/// then reports every device in a global as leaked.
public struct SampleDevice: Hashable, Sendable {
    public let isMac: Bool
    /// The hashed bytes.
    public let octets: [UInt8]

    /// Returns the 16 bytes of an `identifierForVendor`.
    public static func vendorIdentifier(_ octets: [UInt8]) -> SampleDevice {
        SampleDevice(isMac: false, octets: octets)
    }

    /// Returns the 6 bytes of a Mac's primary network address.
    public static func networkAddress(_ octets: [UInt8]) -> SampleDevice {
        SampleDevice(isMac: true, octets: octets)
    }

    /// The text in a `device_id` column: `6F9619FF-8B86-…` or `a4:83:e7:…`.
    public var text: String {
        let digits = Array(Hex.string(octets.span))
        return isMac
            ? Self.grouped(digits, at: [2, 4, 6, 8, 10], by: ":")
            : Self.grouped(digits, at: [8, 12, 16, 20], by: "-").uppercased()
    }

    private static func grouped(_ digits: [Character], at breaks: Set<Int>, by separator: Character) -> String {
        var text = ""
        for (index, digit) in digits.enumerated() {
            if breaks.contains(index) { text.append(separator) }
            text.append(digit)
        }
        return text
    }
}
