public import Encodings

/// The content of an App Store receipt ("Receipt Fields", Receipt Validation Programming Guide).
///
/// Attributes that every receipt has are not optional. Text is Apple's if the signature is valid, otherwise untrusted.
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
    /// The error of the first unreadable purchase.
    public var purchaseError: ReceiptError?

    /// The data that binds a receipt to a device: SHA-1 over device identifier, ``opaqueValue`` and ``bundleIDOctets``.
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
    /// Unknown attributes are skipped, as Apple asks of readers. Unreadable purchases are left out, and set
    /// ``purchaseError``.
    ///
    /// - Throws: ``ReceiptError`` if it is not a receipt, or lacks an attribute that every receipt has.
    public init(parsing content: Span<UInt8>) throws(ReceiptError) {
        var fields = ReceiptFields()
        try AttributeReader.read(content) { attribute throws(ReceiptError) in try fields.read(attribute) }
        self = try (consume fields).receipt()
    }
}

/// The known environments of proofs (attribute 0, or a token's `environment`).
public enum KnownEnvironment {
    /// The names in receipts, including the empty one of the oldest, and in tokens.
    ///
    /// Records and lines between map and reduce contain their indices: adding one raises the versions of both.
    public static let names: [ExactText] = [
        "Production", "ProductionSandbox", "Xcode", "ProductionVPP", "ProductionVPPSandbox", "", "Sandbox",
        "LocalTesting",
    ]

    /// The first number that no environment has.
    public static var unknown: Int { names.count }

    /// Returns the number of an environment; `nil` if it is not known.
    public static func number(of name: ExactText) -> Int? { names.firstIndex(of: name) }

    /// Returns the name of the environment with this number; `nil` if there is none.
    public static func name(_ number: Int) -> ExactText? { names.indices.contains(number) ? names[number] : nil }
}
