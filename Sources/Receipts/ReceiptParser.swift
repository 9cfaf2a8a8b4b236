import DER
import Encodings

extension Receipt {
    /// Reads a container's content: a SET of numbered attributes.
    ///
    /// Unknown attributes are skipped, as Apple asks of readers. Purchases that cannot be read are left out,
    /// and the first reason is kept in ``purchaseError``.
    ///
    /// - Throws: ``ReceiptError`` if it is not a receipt, or lacks what every receipt has.
    public init(parsing content: Span<UInt8>) throws(ReceiptError) {
        var attributes = try AttributeReader(content)
        var found = Found()
        while let attribute = try attributes.next() { try found.read(attribute) }
        guard let bundleID = found.bundleID else { throw .missing(attribute: 2) }
        guard let appVersion = found.appVersion else { throw .missing(attribute: 3) }
        guard let opaqueValue = found.opaqueValue else { throw .missing(attribute: 4) }
        guard let hash = found.hash else { throw .missing(attribute: 5) }
        guard let createdAt = found.createdAt else { throw .missing(attribute: 12) }
        self.init(
            bundleID: bundleID, appVersion: appVersion, createdAt: createdAt,
            environment: found.environment, originalAppVersion: found.originalAppVersion,
            expiresAt: found.expiresAt, purchases: found.purchases, purchaseError: found.purchaseError,
            deviceBinding: DeviceBinding(
                bundleIDOctets: found.bundleIDOctets, opaqueValue: opaqueValue, hash: hash))
    }
}

/// What has been read so far.
private struct Found {
    var bundleID: String?
    var bundleIDOctets: [UInt8] = []
    var appVersion: String?
    var opaqueValue: [UInt8]?
    var hash: [UInt8]?
    var createdAt: Instant?
    var environment: String?
    var originalAppVersion: String?
    var expiresAt: Instant?
    var purchases: [Purchase] = []
    var purchaseError: ReceiptError?
    /// One bit for each attribute below 32 that was there.
    private var seen: UInt32 = 0

    mutating func read(_ attribute: borrowing Attribute) throws(ReceiptError) {
        switch attribute.type {
        case 0:
            try note(0)
            environment = try attribute.text()
        case 2:
            try note(2)
            bundleID = try attribute.text()
            bundleIDOctets = attribute.value.copy()
        case 3:
            try note(3)
            appVersion = try attribute.text() ?? ""
        case 4:
            try note(4)
            opaqueValue = attribute.value.copy()
        case 5:
            try note(5)
            guard attribute.value.count == 20 else { throw .value(attribute: 5, .notAHash) }
            hash = attribute.value.copy()
        case 12:
            try note(12)
            createdAt = try attribute.date()
        case 17: readPurchase(attribute)
        case 19:
            try note(19)
            originalAppVersion = try attribute.text()
        case 21:
            try note(21)
            expiresAt = try attribute.date()
        default: break
        }
    }

    /// Two values of one attribute would let each reader choose another.
    private mutating func note(_ type: Int) throws(ReceiptError) {
        let bit: UInt32 = 1 << UInt32(type)
        guard seen & bit == 0 else { throw .repeated(attribute: type) }
        seen |= bit
    }

    private mutating func readPurchase(_ attribute: borrowing Attribute) {
        do throws(ReceiptError) {
            let last = purchases.count - 1
            let (product, original) =
                last < 0 ? (nil, nil) : (purchases[last].productID, purchases[last].originalTransactionID)
            purchases.append(.unread)
            try purchases[last + 1].read(attribute.value, likelyProductID: product, likelyOriginalID: original)
        } catch {
            purchases.removeLast()
            purchaseError = purchaseError ?? error
        }
    }
}
