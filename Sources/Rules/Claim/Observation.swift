public import Checks
public import Encodings
public import Inputs
import Proofs
public import Receipts

/// What one claim shows under one of its keys. A claim has one observation per key.
public struct Observation: Sendable {
    /// The id of the claim's content. Rules distinguish, order and name claims by it alone.
    public var id = ClaimID.none
    /// The id of the claim's case, which findings about the claim by itself are named by.
    public var caseID = CaseID.none
    /// The claim's place among all claims of a run, which joins its row with the findings about it.
    public var claim: ClaimNumber
    /// The place of the claim's row, for the columns `sources` and `links.source` only.
    public var source: ExactText
    /// The device: of those that the claim names, the one that matches, otherwise the smallest usable; `nil` if it
    /// names none.
    public var device: Device?
    /// The claim's device as written, if it is malformed and cannot be read.
    public var malformedDevice: ExactText = ""
    /// The result of comparing the proof's device hash with the device.
    public var deviceHash = DeviceHashResult.notChecked
    /// Empty if the claim names none.
    public var accountID: ExactText = ""
    public var presentedAt: Instant?
    /// The product that the claim asks for; empty if it names none.
    public var askedProduct: ExactText = ""
    public var verdict = Verdict.unreadable
    /// Whether Apple signed the receipt. If not, nothing of the receipt is included.
    public var isGenuine = false
    public var bundleID: ExactText = ""
    /// Attribute 0; empty if the receipt has none.
    public var environment: ExactText = ""
    /// When the receipt was made.
    public var createdAt: Instant?
    /// Attribute 18: when the app was first downloaded or bought.
    public var originalPurchaseDate: Instant?
    /// The kind of token; `nil` for a receipt.
    public var kind: Token.Kind?
    /// Whether the proof has a device hash: always in a receipt, in a token only if it comes from a device.
    public var isBound = true
    /// Whether the proof shows an original transaction, under which its presenters are compared.
    public var hasTransactions = false
    /// A token's `deviceVerificationNonce`, in lower case; empty if it has none.
    public var nonce: ExactText = ""
    /// A token's `appTransactionId`, which names an Apple Account's use of an app; empty if it has none.
    public var appTransactionID: ExactText = ""
    /// A token's `appAccountToken` in lower case; empty if it has none.
    public var accountToken: ExactText = ""
    /// The UUID of the claim's account in lower case, if its token names another one; otherwise empty.
    public var claimedAccountToken: ExactText = ""
    /// The claim's own ``accountUUID``; empty if its token has the same, or it has none.
    public var claimUUID: ExactText = ""
    /// The UUID of the claim's account, or else the one that its token names, or evidence; empty if there is none.
    public var accountUUID: ExactText {
        guard claimUUID.isEmpty else { return claimUUID }
        return Placeholder.matches(accountToken) ? "" : accountToken
    }
    /// When the last purchase of the product that the claim asks for was bought, of those that had not expired when the
    /// claim was presented.
    public var coveredFrom: Instant?
    /// The original transaction that a renewal info or a notification is about; otherwise empty.
    public var renewedID: ExactText = ""
    /// The content of a renewal info.
    public var renewal: Token.RenewalInfo?
    /// `data.status` of a notification.
    public var status: Int?
    /// What a notification asks about a refund: at most one request.
    public var refundRequests: [ConsumptionRequest] = []
    /// Whether Apple sent it to the company's server and nobody presents it. Rules never see such observations; they
    /// give the state of a subscription.
    public var isEvidence = false
    /// Whether the proof alone shows a burst of purchases. Set only under an account, and only by
    /// ``RuleSet/presented(_:)``.
    public var isBurst = false
    /// SHA-256 of what Apple signed: a token's payload, or a receipt's content. For receipts it is set only under
    /// original transactions.
    public var tokenDigest: [UInt8] = []
    /// The purchases that matter under the key, as selected by ``ClaimObservations``.
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

    /// Sets what a claim shows under every key, in place: an initializer would copy it all.
    mutating func fill(from facts: borrowing Facts) {
        id = facts.id
        caseID = facts.caseID
        device = facts.device
        deviceHash = facts.deviceHash
        verdict = facts.verdict
        accountID = facts.claim.account.boundedID
        claimUUID = facts.claim.accountUUID.boundedID
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
        if !askedProduct.isEmpty { coveredFrom = RefundedPurchase.coveredFrom(purchases, of: self) }
        guard let token = facts.token else { return }
        kind = token.kind
        nonce = token.deviceVerification?.nonce.lowercasedASCII.boundedID ?? ""
        appTransactionID = token.appTransactionID?.boundedID ?? ""
        accountToken =
            token.appAccountToken.map { DeviceIdentifiers.canonicalUUID($0) ?? $0.lowercasedASCII.boundedID } ?? ""
        if claimUUID == accountToken { claimUUID = "" }
        claimedAccountToken = AccountTokenMismatch.accounts(in: facts)?.claimed.boundedID ?? ""
        renewal = token.renewal
        if renewal != nil { renewedID = token.originalTransactionID?.boundedID ?? "" }
        if !renewedID.isEmpty { hasTransactions = true }
    }

    /// Makes the observation of a token of evidence.
    ///
    /// - Parameter number: replaces the number of a claim.
    public init(evidence facts: Facts, number: ClaimNumber) {
        self.init(facts, claim: number)
        device = nil
        deviceHash = .notChecked
        malformedDevice = ""
        accountID = ""
        presentedAt = nil
        askedProduct = ""
        isBound = false
        nonce = ""
        isEvidence = true
        claimedAccountToken = ""
        coveredFrom = nil
        if let digest = facts.signature?.contentDigest { id = ClaimID(digest) }
        // It is nobody's claim.
        caseID = .none
    }

    /// Whether Apple signed the proof for the device that presents it.
    public var isMatching: Bool { isGenuine && deviceHash == .match && device != nil }

    /// Whether only an earlier run saw the claim. Such claims are numbered after all claims of this run.
    var isOfEarlierRun: Bool { claim.isEarlier }

    /// Whether a claim has neither a device nor an account to distinguish it.
    var isUnattributed: Bool { device == nil && accountID.isEmpty }

    /// Whether a claim has neither of them, or perhaps not, as its account may be a placeholder of the run.
    var mayBeUnattributed: Bool {
        device == nil && (accountID.isEmpty || Placeholder.Form(account: accountID) != nil)
    }

    /// Removes the account if it is a placeholder of the run.
    package mutating func remove(_ placeholders: AccountPlaceholders) {
        if placeholders.contains(accountID) { accountID = "" }
    }

    package var environmentClass: EnvironmentClass { EnvironmentClass(environment) }
}

/// The App Store environment that numbered the transactions: ids are unique only within a class.
public enum EnvironmentClass: Hashable, Comparable, Codable, Sendable {
    /// Attribute 0 is `Production` or `ProductionVPP`, or absent or empty, as in the oldest receipts.
    case production
    /// `Sandbox`, `ProductionSandbox`, `ProductionVPPSandbox`.
    case sandbox
    /// Xcode, and environments that are not known yet.
    case other(ExactText)

    package init(_ environment: ExactText) {
        switch environment {
        case "", "Production", "ProductionVPP": self = .production
        case "Sandbox", "ProductionSandbox", "ProductionVPPSandbox": self = .sandbox
        default: self = .other(environment.boundedID)
        }
    }

    /// The name in keys.
    package var name: ExactText {
        switch self {
        case .production: "Production"
        case .sandbox: "Sandbox"
        case .other(let name): name
        }
    }
}

extension Purchase {
    /// The original transaction. If attribute 1705 is absent, the transaction is its own original.
    public var original: ExactText { originalTransactionID ?? transactionID }

    /// The identity of a purchase across restores: the web order line item for a subscription's period, otherwise the
    /// transaction.
    public var identity: ExactText { webOrderLineItemID.map { "line \($0)" } ?? transactionID }

    /// The price that the buyer paid according to the token, for all seats.
    package var shownPrice: Product.Price? {
        guard let amount, let currency = details?.currency else { return nil }
        return Product.Price(millionths: amount.millionths, currency: currency)
    }

    /// Returns the newest price that Apple signed, from the proof and from evidence.
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

    /// Whether no part of it was revoked. Refunds for some of its items are no revocation.
    package var isHeld: Bool {
        cancellationDate == nil ? details?.isUpgraded != true : revocation() == .partialRefund
    }

    /// Whether it was revoked for any reason, or upgraded.
    var isTakenBack: Bool { cancellationDate != nil || details?.isUpgraded == true }

    /// Whether it is a refund, a trial or an introductory period, which rules about devices and accounts look at.
    var isSignificant: Bool { isFirstTime || refundDate != nil }

    /// Whether it is a person's own trial or introductory period: not a promotional, code or win-back offer (attribute
    /// 1721, or a token's `offerType`), not a member's, and not in a chain that continues another one.
    var isFirstTime: Bool {
        guard isTrialPeriod || isInIntroOfferPeriod, !isMember, previousChain == nil else { return false }
        return details?.offerType.map { $0 == 1 } ?? (promotionalOfferID == nil)
    }

    /// Whether a token states another offer than an introductory one.
    var isAtOtherOffer: Bool { details?.offerType.map { $0 != 1 } ?? false }
}

extension Purchase {
    /// The original transaction of the chain that its chain replaced; `nil` if there is none.
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

    /// Whether another chain may have replaced it when it was revoked. A full refund to the buyer rules this out.
    var mayHaveMoved: Bool {
        guard let details else { return true }
        let isAskedFor = details.revocationType == "REFUND_FULL" && (0...1).contains(details.revocationReason ?? -1)
        return !details.isMember && !isAskedFor
    }

    /// Whether a chain that began at this time replaced it.
    func isMove(_ begin: Instant) -> Bool {
        guard mayHaveMoved, let cancellationDate else { return false }
        return begin.isWithin(seconds: Revocation.moveSeconds, of: cancellationDate)
    }

    /// Whether it was added to a period that was bought before, and shares its line item.
    var isAddition: Bool { details?.additionalReason == "SEAT_ADDITION" }

    /// Whether it is an addition, for a known or unknown reason.
    var mayBeAddition: Bool { details?.additionalReason != nil }
}

extension Observation {
    /// Whether, under the key of an original transaction, it shows a purchase of the chain that replaced that one. It
    /// shows when that chain began, but does not present the key's own transactions.
    public func succeeds(_ key: GroupKey) -> Bool {
        guard key.kind == .originalTransaction, let purchase = purchases.first, purchase.previousChain != nil else {
            return false
        }
        return !purchase.original.utf8.elementsEqual(key.octets)
    }
}

extension [Purchase] {
    /// The number of significant purchases. Checks the rarest condition first, because it copies nothing.
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
