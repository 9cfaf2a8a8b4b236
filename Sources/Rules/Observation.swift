public import Checks
public import Encodings
public import Inputs
import Proofs
public import Receipts

/// What one claim shows under one of its keys. A claim has one observation for each of its keys.
public struct Observation: Sendable {
    /// Names what the claim says. Rules tell claims apart, order them and name them in evidence by it alone.
    public var id = ClaimID.none
    /// The claim's place among all claims of a run, where its row and what is found about it are joined.
    public var claim: ClaimNumber
    /// Where the claim's row stood, for the columns `sources` and `links.source` only.
    public var source: ExactText
    /// The device that matches, of those that the claim names, else the smallest usable; `nil` if it names none.
    public var device: Device?
    /// What the claim names as its device, where that is malformed and no device can be read from it.
    public var malformedDevice: ExactText = ""
    /// Whether the proof's device hash is the device's.
    public var deviceHash = DeviceHashResult.notChecked
    /// Empty if the claim names none.
    public var accountID: ExactText = ""
    public var presentedAt: Instant?
    /// The product that the claim asks for; empty if it names none.
    public var askedProduct: ExactText = ""
    public var verdict = Verdict.unreadable
    /// Whether Apple signed the receipt. Where it did not, nothing of the receipt is included.
    public var isGenuine = false
    public var bundleID: ExactText = ""
    /// Attribute 0; empty if the receipt has none.
    public var environment: ExactText = ""
    /// When the receipt was made.
    public var createdAt: Instant?
    /// Attribute 18: when the app was first downloaded or bought.
    public var originalPurchaseDate: Instant?
    /// The kind of token; `nil` of a receipt.
    public var kind: Token.Kind?
    /// Whether the proof holds a device hash: a receipt always does, a token only if it comes from a device.
    public var isBound = true
    /// Whether the proof shows an original transaction, under which those who present it are compared.
    public var hasTransactions = false
    /// A token's `deviceVerificationNonce`, in lower case; empty if it has none.
    public var nonce: ExactText = ""
    /// A token's `appTransactionId`, which names an Apple Account's use of an app; empty if it has none.
    public var appTransactionID: ExactText = ""
    /// The UUID of the account that the claim names, in lower case, if its token names another; of evidence the token's own
    /// `appAccountToken`. Else empty.
    public var accountToken: ExactText = ""
    /// The original transaction that a renewal info or a notification is about; empty of all else.
    public var renewedID: ExactText = ""
    /// What a renewal info says.
    public var renewal: Token.RenewalInfo?
    /// `data.status` of a notification.
    public var status: Int?
    /// What a notification asks about a refund: one request, or none.
    public var refundRequests: [ConsumptionRequest] = []
    /// Whether Apple told it to the company's server, and nobody presents it. Rules never see such observations; they
    /// say how a subscription stands.
    public var isEvidence = false
    /// Whether the proof alone shows a burst of purchases. Known only under an account, and only of what
    /// ``RuleSet/presented(_:)`` returns.
    public var isBurst = false
    /// SHA-256 of what Apple signed: a token's payload, or a receipt's content. A receipt's is known only under original
    /// transactions.
    public var tokenDigest: [UInt8] = []
    /// The purchases that matter under the key, as ``ClaimObservations`` chooses them.
    public var purchases: [Purchase] = []

    public init(claim: ClaimNumber, source: ExactText) {
        self.claim = claim
        self.source = source
    }

    /// What a claim shows under every key.
    init(_ facts: borrowing Facts, claim number: ClaimNumber) {
        self.init(claim: number, source: facts.claim.source)
        fill(from: facts)
    }

    /// Sets what a claim shows under every key, where it stands: an initializer would copy all that it has set.
    mutating func fill(from facts: borrowing Facts) {
        id = facts.id
        device = facts.device
        deviceHash = facts.deviceHash
        verdict = facts.verdict
        accountID = facts.claim.account.boundedID
        presentedAt = facts.presentedAt
        askedProduct = facts.claim.productID.boundedID
        if device == nil, facts.claimedDevice.isMalformed { malformedDevice = facts.claim.deviceID.boundedID }
        if facts.format == .token { isBound = facts.token?.deviceVerification != nil }
        guard let purchases = facts.provenPurchases else { return }
        isGenuine = true
        hasTransactions = purchases.hasAny { $0.original.isID }
        bundleID = facts.bundleID ?? ""
        environment = facts.environment ?? ""
        createdAt = facts.createdAt
        originalPurchaseDate = facts.originalPurchaseDate
        tokenDigest = facts.signature?.contentDigest.bytes ?? []
        guard let token = facts.token else { return }
        kind = token.kind
        nonce = token.deviceVerification?.nonce.lowercasedASCII.boundedID ?? ""
        appTransactionID = token.appTransactionID?.boundedID ?? ""
        accountToken = AccountTokenMismatch.accounts(in: facts)?.claimed.boundedID ?? ""
        renewal = token.renewal
        if renewal != nil { renewedID = token.originalTransactionID?.boundedID ?? "" }
        if !renewedID.isEmpty { hasTransactions = true }
    }

    /// What a token says that is evidence.
    ///
    /// - Parameter number: instead of a claim's.
    public init(evidence facts: Facts, number: ClaimNumber) {
        self.init(facts, claim: number)
        (device, deviceHash, malformedDevice) = (nil, .notChecked, "")
        (accountID, presentedAt, askedProduct) = ("", nil, "")
        (isBound, nonce, isEvidence) = (false, "", true)
        accountToken = facts.token?.appAccountToken?.lowercasedASCII.boundedID ?? ""
        if let digest = facts.signature?.contentDigest { id = ClaimID(digest) }
    }

    /// Whether Apple signed the proof for the very device that presents it.
    public var isMatching: Bool { isGenuine && deviceHash == .match && device != nil }

    /// Whether an earlier run met the claim, which this one has not: such claims are numbered after all of this run's.
    var isOfEarlierRun: Bool { claim.isEarlier }

    /// Whether a claim has neither a device nor an account that could tell it from others.
    var isUnattributed: Bool { device == nil && accountID.isEmpty }

    package var environmentClass: EnvironmentClass { EnvironmentClass(environment) }
}

/// Where the App Store, or what passes for it, keeps its numbers: transactions of two classes can have the same id.
public enum EnvironmentClass: Hashable, Comparable, Codable, Sendable {
    /// Attribute 0 is `Production` or `ProductionVPP`, or absent or empty, as in the oldest receipts.
    case production
    /// `Sandbox`, `ProductionSandbox`, `ProductionVPPSandbox`.
    case sandbox
    /// Xcode's, and what is not known yet.
    case other(ExactText)

    package init(_ environment: ExactText) {
        switch environment {
        case "", "Production", "ProductionVPP": self = .production
        case "Sandbox", "ProductionSandbox", "ProductionVPPSandbox": self = .sandbox
        default: self = .other(environment.boundedID)
        }
    }

    /// As keys have it.
    var name: ExactText {
        switch self {
        case .production: "Production"
        case .sandbox: "Sandbox"
        case .other(let name): name
        }
    }
}

extension Purchase {
    /// The original transaction: where attribute 1705 is absent the transaction is its own.
    public var original: ExactText { originalTransactionID ?? transactionID }

    /// What identifies a purchase, however often it was restored: the web order line item of a subscription's period,
    /// else the transaction.
    public var identity: ExactText { webOrderLineItemID.map { "line \($0)" } ?? transactionID }

    /// What a token shows that its buyer paid, with all seats.
    package var shownPrice: Product.Price? {
        guard let amount, let currency = details?.currency else { return nil }
        return Product.Price(millionths: amount.millionths, currency: currency)
    }

    /// The newest price that Apple signed, as far as the proof and evidence state it.
    ///
    /// - Parameter date: when the proof was signed.
    func signedPrice(at date: Instant?) -> SignedPrice? {
        let own = shownPrice.map {
            SignedPrice(
                millionths: $0.millionths, currency: $0.currency.boundedID,
                signedAt: date ?? Instant(milliseconds: .min))
        }
        return .newest(own, evidencePrice)
    }

    /// Whether nothing of it was taken back, or only what was paid for some of its items.
    package var isHeld: Bool {
        cancellationDate == nil ? details?.isUpgraded != true : revocation() == .partialRefund
    }

    /// Whether it is a refund, a trial or an introductory period: what rules about devices and accounts look at.
    var isSignificant: Bool { isFirstTime || refundDate != nil }

    /// Whether it is a trial or introductory period that is no promotional, code or win-back offer (attribute 1721, or a
    /// token's `offerType`), and its person's own: no member's, nor one in a chain that goes on where another ended.
    var isFirstTime: Bool {
        guard isTrialPeriod || isInIntroOfferPeriod, !isMember, previousChain == nil else { return false }
        return details?.offerType.map { $0 == 1 } ?? (promotionalOfferID == nil)
    }
}

extension Purchase {
    /// The original transaction of the chain whose place its own took; `nil` if there is none.
    public var previousChain: ExactText? {
        guard let previous = details?.previousOriginalTransactionID, previous.isID, previous != original else {
            return nil
        }
        return previous
    }
}

extension Purchase {
    /// When the chain of its original transaction began.
    var chainBegin: Instant { originalPurchaseDate ?? purchaseDate }

    /// Whether it may be that another chain took its place when it was taken back: a buyer's refund in full is none.
    var mayHaveMoved: Bool {
        guard let details else { return true }
        let isAskedFor = details.revocationType == "REFUND_FULL" && (0...1).contains(details.revocationReason ?? -1)
        return !details.isMember && !isAskedFor
    }

    /// Whether another chain that began then took its place.
    func isMove(_ begin: Instant) -> Bool {
        guard mayHaveMoved, let cancellationDate else { return false }
        return begin.isWithin(seconds: Revocation.moveSeconds, of: cancellationDate)
    }

    /// Whether it was added to a period that was bought already, which shares its line item.
    var isAddition: Bool { details?.additionalReason == "SEAT_ADDITION" }

    /// The same, or for a reason that is not known.
    var mayBeAddition: Bool { details?.additionalReason != nil }
}

extension Observation {
    /// Whether, under the key of an original transaction, it shows a purchase of the chain that took that one's place. It
    /// says when that began, and nobody presents the key's own transactions by it.
    public func succeeds(_ key: GroupKey) -> Bool {
        guard key.kind == .originalTransaction, let purchase = purchases.first, purchase.previousChain != nil else {
            return false
        }
        return !purchase.original.utf8.elementsEqual(key.octets)
    }
}

extension [Purchase] {
    /// How many are significant. What most purchases are not is asked first, as it copies nothing.
    var significantCount: Int {
        indices.count {
            (self[$0].cancellationDate != nil || self[$0].isTrialPeriod || self[$0].isInIntroOfferPeriod)
                && self[$0].isSignificant
        }
    }
}

extension Instant {
    /// Whether two instants are no further apart than a number of seconds.
    func isWithin(seconds: Int64, of other: Instant) -> Bool {
        min(self, other).adding(seconds: seconds) >= max(self, other)
    }
}
