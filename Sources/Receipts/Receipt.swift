public import Encodings

/// Holds what an App Store receipt says ("Receipt Fields", Receipt Validation Programming Guide).
///
/// What every receipt has is never optional here; text is Apple's if the signature holds, else untrusted.
public struct Receipt: Sendable {
    /// Attribute 2.
    public var bundleID: ExactText
    /// Attribute 3: CFBundleVersion on iOS, CFBundleShortVersionString on macOS.
    public var appVersion: ExactText
    /// Attribute 12.
    public var createdAt: Instant
    /// Attribute 0: `Production`, `ProductionSandbox`, `Xcode`, …; the oldest receipts have none.
    public var environment: ExactText?
    /// Attribute 19: the version that was first downloaded or bought.
    public var originalAppVersion: ExactText?
    /// Attribute 21: the end of a volume purchase.
    public var expiresAt: Instant?
    /// Attribute 18: when the app was first downloaded or bought.
    public var originalPurchaseDate: Instant?
    /// Attribute 17, in the receipt's order.
    public var purchases: [Purchase]
    /// Why the first of the purchases that cannot be read could not be.
    public var purchaseError: ReceiptError?

    /// Holds what binds a receipt to a device: SHA-1 over device identifier, ``opaqueValue`` and ``bundleIDOctets``.
    public struct DeviceHashInput: Sendable {
        /// Attribute 2 as encoded, tag and length included.
        public var bundleIDOctets: [UInt8]
        /// Attribute 4, raw. Not DER, even if it looks like it.
        public var opaqueValue: [UInt8]
        /// Attribute 5: 20 bytes.
        public var hash: [UInt8]

        package init(bundleIDOctets: [UInt8], opaqueValue: [UInt8], hash: [UInt8]) {
            self.bundleIDOctets = bundleIDOctets
            self.opaqueValue = opaqueValue
            self.hash = hash
        }
    }

    public var deviceHashInput: DeviceHashInput

    package init(
        bundleID: ExactText, appVersion: ExactText, createdAt: Instant, environment: ExactText? = nil,
        originalAppVersion: ExactText? = nil, expiresAt: Instant? = nil, originalPurchaseDate: Instant? = nil,
        purchases: [Purchase], purchaseError: ReceiptError? = nil, deviceHashInput: DeviceHashInput
    ) {
        self.bundleID = bundleID
        self.appVersion = appVersion
        self.createdAt = createdAt
        self.environment = environment
        self.originalAppVersion = originalAppVersion
        self.expiresAt = expiresAt
        self.originalPurchaseDate = originalPurchaseDate
        self.purchases = purchases
        self.purchaseError = purchaseError
        self.deviceHashInput = deviceHashInput
    }
}

extension Receipt {
    /// Reads a container's content: a SET of numbered attributes.
    ///
    /// Unknown attributes are skipped, as Apple asks of readers. Purchases that cannot be read are left out, and
    /// ``purchaseError`` says why.
    ///
    /// - Throws: ``ReceiptError`` if it is not a receipt, or lacks what every receipt has.
    public init(parsing content: Span<UInt8>) throws(ReceiptError) {
        var fields = ReceiptFields()
        try AttributeReader.read(content) { attribute throws(ReceiptError) in try fields.read(attribute) }
        self = try (consume fields).receipt()
    }
}

/// Lists the environments that proofs are known to come from (attribute 0, or a token's `environment`).
public enum KnownEnvironment {
    /// The names in receipts, of which the oldest have none, which is the empty one, and in tokens.
    ///
    /// Records and lines between map and reduce hold their numbers: adding one raises the versions of both.
    public static let names: [ExactText] = [
        "Production", "ProductionSandbox", "Xcode", "ProductionVPP", "ProductionVPPSandbox", "", "Sandbox",
        "LocalTesting",
    ]

    /// A number that none of them has.
    public static var unknown: Int { names.count }

    /// Returns the number of an environment; `nil` if it is not known.
    public static func number(of name: ExactText) -> Int? { names.firstIndex(of: name) }

    /// Returns the name of the environment with this number; `nil` if there is none.
    public static func name(_ number: Int) -> ExactText? { names.indices.contains(number) ? names[number] : nil }
}
