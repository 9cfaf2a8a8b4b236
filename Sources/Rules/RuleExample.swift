public import Checks
public import Encodings
import Inputs
public import Proofs
public import Receipts

/// A case that a rule raises or does not raise: documentation and test in one.
public struct RuleExample: Sendable {
    /// What is the case, as a sentence without a full stop.
    public let title: String
    public let claims: [ExampleClaim]
    public let policy: Policy
    /// The finding's severity; `nil` if there is no finding.
    public let severity: Severity?

    /// A case in which the rule has a finding.
    public static func raised(
        _ title: String, _ severity: Severity, policy: Policy = Policy(), claims: [ExampleClaim]
    ) -> RuleExample {
        RuleExample(title: title, claims: claims, policy: policy, severity: severity)
    }

    public static func raised(
        _ title: String, _ severity: Severity, policy: Policy = Policy(), _ claims: ExampleClaim...
    ) -> RuleExample {
        raised(title, severity, policy: policy, claims: claims)
    }

    /// A case in which it has none.
    public static func clear(_ title: String, policy: Policy = Policy(), claims: [ExampleClaim]) -> RuleExample {
        RuleExample(title: title, claims: claims, policy: policy, severity: nil)
    }

    public static func clear(_ title: String, policy: Policy = Policy(), _ claims: ExampleClaim...) -> RuleExample {
        clear(title, policy: policy, claims: claims)
    }
}

/// A claim in an example: only what the example is about.
public struct ExampleClaim: Sendable {
    /// A letter that stands for a device; empty for none.
    public var device: String
    /// What the claim names as its device, if that cannot be read as one.
    public var malformedDevice: ExactText
    /// Whether the receipt's device hash is that device's.
    public var deviceHashMatches: Bool
    public var account: ExactText
    /// The bundle id that the claim names.
    public var bundle: ExactText
    /// What the claim asks to unlock.
    public var product: ExactText
    /// A date, or a time in RFC 3339.
    public var presented: String?
    /// The checks that fail, besides the device's.
    public var failed: CheckSet
    /// Where the container deviates from the strict form, if that is known.
    public var deviation: ContainerDeviation?
    public var isSHA1: Bool
    public var receipt: ExampleReceipt
    /// What was sent in place of a receipt.
    public var stored: String?

    public init(
        device: String = "A", malformedDevice: ExactText = "", deviceHashMatches: Bool = true, account: ExactText = "",
        bundle: ExactText = "", product: ExactText = "", presented: String? = nil, failed: CheckSet = [],
        deviation: ContainerDeviation? = nil, isSHA1: Bool = false, receipt: ExampleReceipt = ExampleReceipt(),
        stored: String? = nil
    ) {
        self.device = device
        self.malformedDevice = malformedDevice
        self.deviceHashMatches = deviceHashMatches
        self.account = account
        self.bundle = bundle
        self.product = product
        self.presented = presented
        self.failed = failed
        self.deviation = deviation
        self.isSHA1 = isSHA1
        self.receipt = receipt
        self.stored = stored
    }

    /// The facts that the checks would find in such a claim.
    ///
    /// - Parameter index: the claim's index in the example.
    public func facts(at index: Int) -> Facts {
        var claim = Claim(source: "example.ndjson:\(index + 1)")
        claim.deviceID = device.isEmpty ? malformedDevice : Self.identifier(of: device)
        claim.accountID = account
        claim.bundleID = bundle
        claim.productID = product
        claim.presentedAt = presented.flatMap(Instant.init(example:))
        var facts = Facts(claim: claim)
        facts.id = id
        facts.failed = failed
        facts.claimedDevice = DeviceIdentifiers(claim.deviceID)
        guard facts.verdict != .unreadable else {
            facts.madeUp = stored.flatMap { Self.madeUp($0) }
            return facts
        }
        facts.signature = signature
        facts.receipt = receipt.receipt
        if !device.isEmpty {
            facts.deviceHash = deviceHashMatches ? .match : .mismatch
            facts.matchedDevice = deviceHashMatches ? 0 : nil
            if !deviceHashMatches { facts.failed.insert(.guidMismatch) }
        }
        return facts
    }

    /// Names what the claim says: the same for claims of an example that say the same.
    private var id: ClaimID {
        let text = ExactText("\(self)")
        let reversed = Array(text.utf8.reversed())
        return ClaimID(high: text.stableHash, low: UInt32(truncatingIfNeeded: reversed.span.stableHash))
    }

    private var signature: SignatureVerdict {
        let trust: ChainVerdict.Trust
        if failed.contains(.signerNotFound) {
            trust = .noSigner
        } else if failed.contains(.chainUntrusted) {
            trust = .untrusted(reason: "self-signed certificate")
        } else {
            trust = .trusted(
                validity: Instant(milliseconds: .min)..<Instant(milliseconds: .max),
                marking: failed.contains(.signerNotAppStore) ? .noLeafMarker : .appStore)
        }
        return SignatureVerdict(
            signature: failed.contains(.signatureInvalid) ? .broken : .holds,
            chain: ChainVerdict(trust: trust, signerSerialNumber: "1", certificates: [], deviation: nil),
            digestAlgorithm: isSHA1 ? .sha1 : .sha256,
            contentDigest: Digest(octets: Array(repeating: UInt8(truncatingIfNeeded: receipt.number), count: 32)),
            deviation: deviation.map { .container($0) })
    }

    /// What the checks find in bytes that are no container, after decoding base64 if they are that.
    private static func madeUp(_ stored: String) -> MadeUpReceipt? {
        var decoded: [UInt8] = []
        let wasBase64 = Base64.decode(stored.utf8.span, into: &decoded)
        return MadeUpReceipt(sniffing: wasBase64 ? decoded : Array(stored.utf8), wasBase64: wasBase64)
    }

    /// A UUID for a letter.
    private static func identifier(of letter: String) -> ExactText {
        let octets = Array((Array(repeating: 0, count: 6) + Array(letter.utf8)).suffix(6))
        return "00000000-0000-4000-8000-\(Hex.string(octets.span))"
    }
}

extension Instant {
    /// A date, or a time in RFC 3339.
    init?(example text: String) { self.init(rfc3339: text.utf8.count == 10 ? text + "T00:00:00Z" : text) }
}

/// A receipt in an example. Receipts with different numbers have different contents.
public struct ExampleReceipt: Sendable {
    public var number: Int
    public var bundleID: ExactText
    public var environment: ExactText
    /// When it was made: a date, or a time in RFC 3339.
    public var created: String
    /// The end of a volume purchase.
    public var expires: String?
    /// When the app was first downloaded.
    public var downloaded: String?
    public var purchases: [ExamplePurchase]

    public init(
        _ number: Int = 1, bundleID: ExactText = "com.example.notes", environment: ExactText = "Production",
        created: String = "2026-03-01", expires: String? = nil, downloaded: String? = nil,
        _ purchases: ExamplePurchase...
    ) {
        self.init(
            number, bundleID: bundleID, environment: environment, created: created, expires: expires,
            downloaded: downloaded, purchases: purchases)
    }

    public init(
        _ number: Int = 1, bundleID: ExactText = "com.example.notes", environment: ExactText = "Production",
        created: String = "2026-03-01", expires: String? = nil, downloaded: String? = nil,
        purchases: [ExamplePurchase]
    ) {
        self.number = number
        self.bundleID = bundleID
        self.environment = environment
        self.created = created
        self.expires = expires
        self.downloaded = downloaded
        self.purchases = purchases
    }

    var receipt: Receipt {
        Receipt(
            bundleID: bundleID, appVersion: "1.0",
            createdAt: Instant(example: created) ?? Instant(milliseconds: 0), environment: environment,
            expiresAt: expires.flatMap(Instant.init(example:)),
            originalPurchaseDate: downloaded.flatMap(Instant.init(example:)), purchases: purchases.map(\.purchase),
            deviceHashInput: Receipt.DeviceHashInput(bundleIDOctets: [], opaqueValue: [], hash: []))
    }
}

/// A purchase in an example.
public struct ExamplePurchase: Sendable {
    public var product: ExactText
    public var transaction: ExactText
    /// The original transaction; `nil` if it is this one.
    public var original: ExactText?
    /// When it was bought, and the other dates: dates, or times in RFC 3339.
    public var bought: String
    public var originallyBought: String?
    public var expires: String?
    public var refunded: String?
    public var kind: Purchase.Kind?
    /// The web order line item, which names a subscription's period.
    public var line: Int?
    public var isTrial: Bool
    public var isIntro: Bool
    /// The promotional offer that the period was bought with.
    public var offer: ExactText?

    public init(
        _ product: ExactText = "gold", _ transaction: ExactText = "460000000000001", of original: ExactText? = nil,
        bought: String = "2026-02-01", originallyBought: String? = nil, expires: String? = nil,
        refunded: String? = nil, kind: Purchase.Kind? = nil, line: Int? = nil, isTrial: Bool = false,
        isIntro: Bool = false, offer: ExactText? = nil
    ) {
        self.product = product
        self.transaction = transaction
        self.original = original
        self.bought = bought
        self.originallyBought = originallyBought
        self.expires = expires
        self.refunded = refunded
        self.kind = kind
        self.line = line
        self.isTrial = isTrial
        self.isIntro = isIntro
        self.offer = offer
    }

    var purchase: Purchase {
        var purchase = Purchase(
            productID: product, transactionID: transaction,
            purchaseDate: Instant(example: bought) ?? Instant(milliseconds: 0))
        purchase.originalTransactionID = original ?? transaction
        purchase.originalPurchaseDate = originallyBought.flatMap(Instant.init(example:))
        purchase.expiresDate = expires.flatMap(Instant.init(example:))
        purchase.cancellationDate = refunded.flatMap(Instant.init(example:))
        purchase.kind = kind ?? (expires == nil ? .nonConsumable : .autoRenewable)
        purchase.webOrderLineItemID = line
        purchase.isTrialPeriod = isTrial
        purchase.isInIntroOfferPeriod = isIntro
        purchase.promotionalOfferID = offer
        return purchase
    }
}
