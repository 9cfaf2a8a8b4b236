import DER
public import Encodings

/// The attributes of a receipt, as far as they could be read.
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
    /// Attribute 17, those that can be read.
    public private(set) var purchases: [Purchase] = []
    /// Why others could not be read, the first of them.
    public private(set) var purchaseError: ReceiptError?

    private var bundleIDOctets: [UInt8]?
    private var opaqueValue: [UInt8]?
    private var hash: [UInt8]?
    /// One bit for each attribute below 32 that was there.
    private var seen: UInt32 = 0
    /// The same for those of which nobody can say what they hold.
    private var illegible: UInt32 = 0

    /// Room for as many purchases is made at once.
    private static let usualPurchases = 4

    init() {}

    /// Reads what can be read of content that is no whole receipt, so that it can be shown and compared.
    ///
    /// An attribute that stands there twice is not read: each reader would choose another.
    ///
    /// - Returns: `nil` if it is not a SET of attributes at all.
    public init?(legibleIn content: Span<UInt8>) {
        do throws(ReceiptError) {
            try AttributeReader.read(content) { attribute throws(ReceiptError) in readIfLegible(attribute) }
        } catch {
            return nil
        }
    }

    /// Whether an attribute is missing, or is there once and can be read.
    public func isLegible(_ type: AttributeType) -> Bool { illegible & Self.bit(type) == 0 }

    /// What binds the receipt to a device, if all of it is there.
    public var deviceHashInput: Receipt.DeviceHashInput? {
        guard let bundleIDOctets, let opaqueValue, let hash else { return nil }
        return Receipt.DeviceHashInput(bundleIDOctets: bundleIDOctets, opaqueValue: opaqueValue, hash: hash)
    }

    /// The receipt that these are.
    func receipt() throws(ReceiptError) -> Receipt {
        guard let bundleID, let bundleIDOctets else { throw .missing(.bundleID) }
        guard let appVersion else { throw .missing(.appVersion) }
        guard let opaqueValue else { throw .missing(.opaqueValue) }
        guard let hash else { throw .missing(.deviceHash) }
        guard let createdAt else { throw .missing(.createdAt) }
        return Receipt(
            bundleID: bundleID, appVersion: appVersion, createdAt: createdAt, environment: environment,
            originalAppVersion: originalAppVersion, expiresAt: expiresAt, purchases: purchases,
            purchaseError: purchaseError,
            deviceHashInput: Receipt.DeviceHashInput(
                bundleIDOctets: bundleIDOctets, opaqueValue: opaqueValue, hash: hash))
    }

    /// Reads the value of an attribute that a receipt has; others are skipped, as Apple asks of readers.
    mutating func read(_ attribute: borrowing Attribute) throws(ReceiptError) {
        guard let type = AttributeType(rawValue: attribute.type) else { return }
        switch type {
        case .inAppPurchase: readPurchase(attribute)
        case .environment:
            try note(type)
            environment = try attribute.text()
        case .bundleID:
            try note(type)
            bundleIDOctets = attribute.value.copy()
            bundleID = try attribute.text()
        case .appVersion:
            try note(type)
            appVersion = try attribute.text() ?? ""
        case .opaqueValue:
            try note(type)
            opaqueValue = attribute.value.copy()
        case .deviceHash:
            try note(type)
            guard attribute.value.count == 20 else { throw .value(attribute: attribute.type, .notAHash) }
            hash = attribute.value.copy()
        case .createdAt:
            try note(type)
            createdAt = try attribute.date()
        case .originalAppVersion:
            try note(type)
            originalAppVersion = try attribute.text()
        case .expiresAt:
            try note(type)
            expiresAt = try attribute.date()
        default: break
        }
    }

    /// Two values of one attribute would let each reader choose another.
    private mutating func note(_ type: AttributeType) throws(ReceiptError) {
        let bit = Self.bit(type)
        guard seen & bit == 0 else { throw .repeated(attribute: type.rawValue) }
        seen |= bit
    }

    private mutating func readPurchase(_ attribute: borrowing Attribute) {
        do throws(ReceiptError) {
            let last = purchases.count - 1
            if last < 0 { purchases.reserveCapacity(Self.usualPurchases) }
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
            if case .repeated = error { forget(type) }
        }
    }

    private mutating func forget(_ type: AttributeType) {
        switch type {
        case .environment: environment = nil
        case .bundleID: (bundleID, bundleIDOctets) = (nil, nil)
        case .appVersion: appVersion = nil
        case .opaqueValue: opaqueValue = nil
        case .deviceHash: hash = nil
        case .createdAt: createdAt = nil
        case .originalAppVersion: originalAppVersion = nil
        case .expiresAt: expiresAt = nil
        default: break
        }
    }

    /// Of the attributes that are read, none has a number above 31.
    private static func bit(_ type: AttributeType) -> UInt32 { 1 << UInt32(truncatingIfNeeded: type.rawValue) }
}

extension ReceiptError {
    fileprivate static func missing(_ type: AttributeType) -> ReceiptError { .missing(attribute: type.rawValue) }
}
