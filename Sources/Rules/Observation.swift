public import Checks
public import Encodings
public import Inputs
public import Proofs
public import Receipts

/// What one claim shows under one of its keys. A claim has one observation for each of its keys.
public struct Observation: Sendable {
    /// The claim's index in the order of claims.
    public var claim: UInt64
    public var source: ExactText
    /// The device that matches, of those that the claim names, else the first; `nil` if it names none.
    public var device: Device?
    /// Whether the receipt's device hash is that device's.
    public var deviceHashMatches = false
    /// Empty if the claim names none.
    public var accountID: ExactText = ""
    public var presentedAt: Instant?
    /// Whether Apple signed the receipt. Where it did not, nothing of the receipt is included.
    public var isGenuine = false
    public var bundleID: ExactText = ""
    /// Attribute 0; empty if the receipt has none.
    public var environment: ExactText = ""
    /// When the receipt was made.
    public var createdAt: Instant?
    /// The purchases that matter under the key: those with the (original) transaction id; for a device or
    /// an account, those that were refunded, and trials and introductory periods.
    public var purchases: [Purchase] = []

    public init(claim: UInt64, source: ExactText) {
        self.claim = claim
        self.source = source
    }
}

/// What one claim shows under each of its keys: receipt, transactions, device, account.
public struct ClaimObservations {
    /// What it shows under every key: who presents it, and what the receipt is.
    public let presented: Observation
    /// Of the receipt's content; `nil` if there is no readable container.
    public let contentDigest: Digest?
    /// The receipt's purchases, if Apple signed it.
    public let purchases: [Purchase]

    /// - Parameter number: the claim's index in the order of claims.
    public init(_ facts: borrowing Facts, claim number: UInt64) {
        var presented = Observation(claim: number, source: facts.claim.source)
        presented.device = facts.device
        presented.deviceHashMatches = facts.deviceHash == .match
        presented.accountID = facts.claim.accountID.boundedID
        presented.presentedAt = facts.claim.presentedAt
        if let receipt = facts.receipt, facts.isGenuine {
            presented.isGenuine = true
            presented.bundleID = receipt.bundleID
            presented.environment = receipt.environment ?? ""
            presented.createdAt = receipt.createdAt
            purchases = receipt.purchases
        } else {
            purchases = []
        }
        self.presented = presented
        contentDigest = facts.signature?.contentDigest
    }

    /// Restores the observations of a claim that were stored.
    package init(presented: Observation, contentDigest: Digest?, purchases: [Purchase]) {
        self.presented = presented
        self.contentDigest = contentDigest
        self.purchases = purchases
    }

    /// Calls a body for each key, possibly more than once for some, with its octets and the number of purchases that
    /// are significant even if no other claim has the key: periods of a subscription, and refunds and trials on a
    /// device or by an account.
    public func forEachKey(
        _ kinds: KeyKinds, withPeriods: Bool, _ body: (KeyKind, Span<UInt8>, _ significantPurchases: Int) -> Void
    ) {
        if kinds.contains(.receipt), let contentDigest { body(.receipt, contentDigest.octets, 0) }
        let withTransactions = kinds.contains(.transaction)
        let withAllOriginals = kinds.contains(.originalTransaction)
        var significantPurchases = 0
        let purchases = purchases.span
        for index in purchases.indices {
            if withTransactions, purchases[index].transactionID.isID {
                body(.transaction, purchases[index].transactionID.utf8.span, 0)
            }
            let isPeriod = purchases[index].expiresDate != nil
            if withAllOriginals || withPeriods && isPeriod {
                let original = purchases[index].original
                if original.isID { body(.originalTransaction, original.utf8.span, isPeriod ? 1 : 0) }
            }
            if purchases[index].isSignificant { significantPurchases += 1 }
        }
        if let device = presented.device, kinds.contains(.device) {
            device.withOctets { body(.device, $0, significantPurchases) }
        }
        if !presented.accountID.isEmpty, kinds.contains(.account) {
            body(.account, presented.accountID.utf8.span, significantPurchases)
        }
    }

    /// Calls a body for each key, once, with the key's octets and the purchases that matter under it.
    ///
    /// - Parameters:
    ///   - kinds: the keys that rules group by.
    ///   - withPeriods: whether original transactions with subscription periods are included in any case.
    public func forEach(
        _ kinds: KeyKinds = .all, withPeriods: Bool = true,
        _ body: (KeyKind, Span<UInt8>, ArraySlice<Purchase>) -> Void
    ) {
        if kinds.contains(.receipt), let contentDigest { body(.receipt, contentDigest.octets, []) }
        if kinds.contains(.transaction) { forEachTransaction { body(.transaction, $0.utf8.span, $1) } }
        let withAllOriginals = kinds.contains(.originalTransaction)
        if withAllOriginals || withPeriods {
            forEachGroup(by: \.original) { id, purchases in
                guard withAllOriginals || purchases.contains(where: { $0.expiresDate != nil }) else { return }
                body(.originalTransaction, id.utf8.span, purchases)
            }
        }
        guard
            presented.device != nil && kinds.contains(.device)
                || !presented.accountID.isEmpty && kinds.contains(.account)
        else { return }
        let significant = purchases.filter(\.isSignificant)[...]
        if let device = presented.device, kinds.contains(.device) {
            device.withOctets { body(.device, $0, significant) }
        }
        if !presented.accountID.isEmpty, kinds.contains(.account) {
            body(.account, presented.accountID.utf8.span, significant)
        }
    }

    /// Calls a body for each transaction once. One that a receipt lists twice is refunded if either entry is.
    private func forEachTransaction(_ body: (ExactText, ArraySlice<Purchase>) -> Void) {
        forEachGroup(by: \.transactionID) { id, group in
            let refunded = group.firstIndex { $0.cancellationDate != nil } ?? group.startIndex
            body(id, group[refunded...refunded])
        }
    }

    /// Calls a body for the purchases with each id; those without one are left out.
    private func forEachGroup(by id: (Purchase) -> ExactText, _ body: (ExactText, ArraySlice<Purchase>) -> Void) {
        var purchases = purchases
        if purchases.count > 2, !Self.ascend(purchases, by: id) {
            purchases = purchases.enumerated().sorted { (id($0.element), $0.offset) < (id($1.element), $1.offset) }
                .map(\.element)
        }
        var start = 0
        while start < purchases.count {
            let key = id(purchases[start])
            let end = purchases[start...].firstIndex { id($0) != key } ?? purchases.count
            if key.isID { body(key, purchases[start..<end]) }
            start = end
        }
    }

    /// Whether the ids are in order, as they mostly are, so that equal ones are neighbours.
    private static func ascend(_ purchases: [Purchase], by id: (Purchase) -> ExactText) -> Bool {
        zip(purchases, purchases.dropFirst()).allSatisfy { id($0) <= id($1) }
    }
}

extension Purchase {
    /// The original transaction: where attribute 1705 is absent the transaction is its own.
    public var original: ExactText { originalTransactionID ?? transactionID }

    /// What identifies a purchase, however often it was restored: the web order line item of a subscription's period,
    /// else the transaction.
    public var identity: ExactText { webOrderLineItemID.map { "line \($0)" } ?? transactionID }

    /// Whether it is a refund, a trial or an introductory period: what rules about devices and accounts look at.
    var isSignificant: Bool { cancellationDate != nil || isTrialPeriod || isInIntroOfferPeriod }
}

extension ExactText {
    /// Apple numbers transactions from far above 0, which Xcode's local store uses.
    fileprivate var isID: Bool { !isEmpty && self != "0" }
}
