public import Checks
public import Encodings
import Inputs
public import Proofs
public import Receipts

/// What one claim has to say under each of its keys: receipt, transactions, device, account.
public struct ClaimObservations {
    /// What it says under every key: who presents it, and what the receipt is.
    public let presented: Observation
    /// Of the receipt's content; `nil` if there is no readable container.
    public let contentDigest: Digest?
    /// The receipt's purchases, if Apple signed it.
    public let purchases: [Purchase]

    /// - Parameter number: the claim's place in the order of claims.
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

    /// What was said before, read again.
    package init(presented: Observation, contentDigest: Digest?, purchases: [Purchase]) {
        self.presented = presented
        self.contentDigest = contentDigest
        self.purchases = purchases
    }

    /// Calls a body for each key, perhaps more than once for some, with its octets, and how many purchases there are that
    /// tell something even if no other claim has the key: subscriptions are made of periods, and rules look at what
    /// was refunded or tried on a device or by an account.
    public func forEachKey(
        _ kinds: KeyKinds, withPeriods: Bool, _ body: (KeyKind, Span<UInt8>, _ significantPurchases: Int) -> Void
    ) {
        if kinds.contains(.receipt), let contentDigest { body(.receipt, contentDigest.octets, 0) }
        let areTransactionsWanted = kinds.contains(.transaction)
        let areAllOriginalsWanted = kinds.contains(.originalTransaction)
        var significantPurchases = 0
        let purchases = purchases.span
        for index in purchases.indices {
            if areTransactionsWanted, purchases[index].transactionID.isID {
                body(.transaction, purchases[index].transactionID.utf8.span, 0)
            }
            let isPeriod = purchases[index].expiresDate != nil
            if areAllOriginalsWanted || withPeriods && isPeriod {
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
    ///   - withPeriods: whether original transactions with periods are wanted in any case: subscriptions are made of them.
    public func forEach(
        _ kinds: KeyKinds = .all, withPeriods: Bool = true,
        _ body: (KeyKind, Span<UInt8>, ArraySlice<Purchase>) -> Void
    ) {
        if kinds.contains(.receipt), let contentDigest { body(.receipt, contentDigest.octets, []) }
        if kinds.contains(.transaction) { forEachTransaction { body(.transaction, $0.utf8.span, $1) } }
        let areAllWanted = kinds.contains(.originalTransaction)
        if areAllWanted || withPeriods {
            forEachOriginal { id, purchases in
                guard areAllWanted || purchases.contains(where: { $0.expiresDate != nil }) else { return }
                body(.originalTransaction, id.utf8.span, purchases)
            }
        }
        guard
            presented.device != nil && kinds.contains(.device)
                || !presented.accountID.isEmpty && kinds.contains(.account)
        else { return }
        let telling = purchases.holds(forAny: { $0.isSignificant }) ? purchases.filter(\.isSignificant)[...] : []
        if let device = presented.device, kinds.contains(.device) {
            device.withOctets { body(.device, $0, telling) }
        }
        if !presented.accountID.isEmpty, kinds.contains(.account) {
            body(.account, presented.accountID.utf8.span, telling)
        }
    }

    /// Each transaction once. The same one twice in a receipt is one, refunded if either is.
    private func forEachTransaction(_ body: (ExactText, ArraySlice<Purchase>) -> Void) {
        forEachGroup(by: \.transactionID) { id, group in
            let refunded = group.firstIndex { $0.cancellationDate != nil } ?? group.startIndex
            body(id, group[refunded...refunded])
        }
    }

    private func forEachOriginal(_ body: (ExactText, ArraySlice<Purchase>) -> Void) {
        forEachGroup(by: \.original, body)
    }

    /// Brings together the purchases with one id; those without one are left out.
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

    /// Whether the ids are in order, as they mostly are, so that equal ones stand together.
    private static func ascend(_ purchases: [Purchase], by id: (Purchase) -> ExactText) -> Bool {
        zip(purchases, purchases.dropFirst()).allSatisfy { id($0) <= id($1) }
    }
}

extension Purchase {
    /// The original transaction: where attribute 1705 is absent the transaction is its own.
    public var original: ExactText { originalTransactionID ?? transactionID }

    /// What tells one purchase from another, however often it was restored: the web order line item of a
    /// subscription's period, else the transaction.
    public var identity: ExactText { webOrderLineItemID.map { "line \($0)" } ?? transactionID }

    /// Refunded, or a trial or introductory period: what is looked at over all receipts of a device or an account.
    var isSignificant: Bool { cancellationDate != nil || isTrialPeriod || isInIntroOfferPeriod }
}

extension ExactText {
    /// Apple numbers transactions from far above 0, which Xcode's local store uses.
    fileprivate var isID: Bool { !isEmpty && self != "0" }
}
