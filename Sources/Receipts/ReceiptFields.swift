import DER
public import Encodings

/// The readable attributes of a receipt.
public struct ReceiptFields: Sendable {
    /// Attribute 2; `nil` if it is missing or empty.
    public private(set) var bundleID: ExactText?
    /// Attribute 3.
    public private(set) var appVersion: ExactText?
    /// Attribute 12.
    public private(set) var createdAt: Instant?
    /// Attribute 0.
    public private(set) var environment: ExactText?
    /// Attribute 19.
    public private(set) var originalAppVersion: ExactText?
    /// Attribute 21.
    public private(set) var expiresAt: Instant?
    /// Attribute 18; `nil` if it is missing, repeated, or unreadable, because no check needs it.
    public private(set) var originalPurchaseDate: Instant?
    /// Attribute 17: the readable purchases.
    public private(set) var purchases: [Purchase] = []
    /// The error of the first unreadable purchase.
    public private(set) var purchaseError: ReceiptError?

    private var bundleIDOctets: [UInt8]?
    private var opaqueValue: [UInt8]?
    private var hash: [UInt8]?
    /// One bit per attribute that was read.
    private var seen: UInt32 = 0
    /// One bit per malformed or repeated attribute.
    private var illegible: UInt32 = 0

    init() {}

    /// Reads the readable parts of an incomplete receipt, so that they can be shown and compared.
    ///
    /// Repeated attributes are left out, because readers disagree on which value counts.
    ///
    /// - Returns: `nil` if the content is not a SET of attributes.
    public init?(legibleIn content: Span<UInt8>) {
        do throws(ReceiptError) {
            try AttributeReader.read(content) { attribute throws(ReceiptError) in readIfLegible(attribute) }
        } catch {
            return nil
        }
    }

    /// Whether an attribute is missing, or occurs once and is readable.
    public func isLegible(_ type: AttributeType) -> Bool { illegible & Self.bit(type) == 0 }

    /// The data that binds the receipt to a device, if it is complete.
    public var deviceHashInput: Receipt.DeviceHashInput? {
        guard let bundleIDOctets, let opaqueValue, let hash else { return nil }
        return Receipt.DeviceHashInput(bundleIDOctets: bundleIDOctets, opaqueValue: opaqueValue, hash: hash)
    }

    /// Makes the receipt.
    ///
    /// - Throws: ``ReceiptError/missing(attribute:)`` if one of the attributes that every receipt has is missing.
    consuming func receipt() throws(ReceiptError) -> Receipt {
        guard let bundleID = bundleID.take(), let bundleIDOctets = bundleIDOctets.take() else {
            throw .missing(attribute: AttributeType.bundleID.rawValue)
        }
        guard let appVersion = appVersion.take() else {
            throw .missing(attribute: AttributeType.appVersion.rawValue)
        }
        guard let opaqueValue = opaqueValue.take() else {
            throw .missing(attribute: AttributeType.opaqueValue.rawValue)
        }
        guard let hash = hash.take() else { throw .missing(attribute: AttributeType.deviceHash.rawValue) }
        guard let createdAt else { throw .missing(attribute: AttributeType.createdAt.rawValue) }
        return Receipt(
            bundleID: bundleID, appVersion: appVersion, createdAt: createdAt, environment: environment,
            originalAppVersion: originalAppVersion, expiresAt: expiresAt, originalPurchaseDate: originalPurchaseDate,
            purchases: purchases, purchaseError: purchaseError,
            deviceHashInput: Receipt.DeviceHashInput(
                bundleIDOctets: bundleIDOctets, opaqueValue: opaqueValue, hash: hash))
    }

    /// Reads the value of an attribute; unknown ones are skipped, as Apple asks of readers.
    mutating func read(_ attribute: borrowing Attribute) throws(ReceiptError) {
        guard let type = AttributeType(rawValue: attribute.type) else { return }
        switch type {
        case .inAppPurchase: readPurchase(attribute)
        case .environment:
            try recordOccurrence(of: type)
            environment = try attribute.text()
        case .bundleID:
            try recordOccurrence(of: type)
            bundleIDOctets = attribute.value.copy()
            bundleID = try attribute.text()
        case .appVersion:
            try recordOccurrence(of: type)
            appVersion = try attribute.text() ?? ""
        case .opaqueValue:
            try recordOccurrence(of: type)
            opaqueValue = attribute.value.copy()
        case .deviceHash:
            try recordOccurrence(of: type)
            guard attribute.value.count == 20 else { throw .value(attribute: attribute.type, .notAHash) }
            hash = attribute.value.copy()
        case .createdAt:
            try recordOccurrence(of: type)
            createdAt = try attribute.date()
        case .originalAppVersion:
            try recordOccurrence(of: type)
            originalAppVersion = try attribute.text()
        case .expiresAt:
            try recordOccurrence(of: type)
            expiresAt = try attribute.date()
        case .originalPurchaseDate: readOriginalPurchaseDate(attribute)
        case .appItemID, .downloadDate, .fulfillmentToolVersion, .ageRating, .developerID, .iOSVersion, .downloadID,
            .versionExternalIdentifier, .organizationDisplayName, .platform, .preorderDate:
            break
        }
    }

    /// Reads attribute 18. No receipt is refused because of it, so a malformed or repeated one is left out.
    private mutating func readOriginalPurchaseDate(_ attribute: borrowing Attribute) {
        let bit = Self.bit(.originalPurchaseDate)
        let date = try? attribute.date()
        originalPurchaseDate = seen & bit == 0 ? date : nil
        seen |= bit
    }

    /// Refuses a repeated attribute, because readers disagree on which value counts.
    private mutating func recordOccurrence(of type: AttributeType) throws(ReceiptError) {
        let bit = Self.bit(type)
        guard seen & bit == 0 else { throw .repeated(attribute: type.rawValue) }
        seen |= bit
    }

    private mutating func readPurchase(_ attribute: borrowing Attribute) {
        do throws(ReceiptError) {
            let last = purchases.count - 1
            if last < 0 { purchases.reserveCapacity(4) }
            let (product, original) =
                last < 0 ? (nil, nil) : (purchases[last].productID, purchases[last].originalTransactionID)
            purchases.append(.unread)
            try purchases[last + 1].read(attribute.value, likelyProductID: product, likelyOriginalID: original)
        } catch {
            purchases.removeLast()
            purchaseError = purchaseError ?? error
        }
    }

    private mutating func readIfLegible(_ attribute: borrowing Attribute) {
        do throws(ReceiptError) {
            try read(attribute)
        } catch {
            guard let type = AttributeType(rawValue: attribute.type) else { return }
            illegible |= Self.bit(type)
            if case .repeated = error { removeValue(of: type) }
        }
    }

    private mutating func removeValue(of type: AttributeType) {
        switch type {
        case .environment: environment = nil
        case .bundleID: (bundleID, bundleIDOctets) = (nil, nil)
        case .appVersion: appVersion = nil
        case .opaqueValue: opaqueValue = nil
        case .deviceHash: hash = nil
        case .createdAt: createdAt = nil
        case .originalAppVersion: originalAppVersion = nil
        case .expiresAt: expiresAt = nil
        case .inAppPurchase, .appItemID, .downloadDate, .fulfillmentToolVersion, .ageRating, .developerID, .iOSVersion,
            .downloadID, .versionExternalIdentifier, .originalPurchaseDate, .organizationDisplayName, .platform,
            .preorderDate:
            break
        }
    }

    /// Returns the attribute's bit. No attribute that is read has a number above 31.
    private static func bit(_ type: AttributeType) -> UInt32 { 1 << UInt32(truncatingIfNeeded: type.rawValue) }
}
