public import Checks
import Encodings
import Inputs
public import Proofs
public import Receipts

/// What one claim shows under each of its keys: receipt, transactions, device, account, and what ``KeyKind`` names besides.
public struct ClaimObservations {
    /// What it shows under every key: who presents it, and what the receipt is.
    public private(set) var presented: Observation
    /// Of the receipt's content; `nil` if there is no readable container.
    public let contentDigest: Digest?
    /// The receipt's purchases, if Apple signed it.
    public private(set) var purchases: [Purchase]
    /// The same purchases as they stand by evidence, if that says otherwise; `nil` if it does not. Under a device, an
    /// account and a person refunds that only evidence shows count.
    public package(set) var proven: [ProvenPurchase]?

    /// - Parameter number: the claim's index in the order of claims.
    public init(_ facts: borrowing Facts, claim number: UInt64) {
        presented = Observation(claim: number, source: facts.claim.source)
        purchases = facts.provenPurchases ?? []
        contentDigest = facts.signature?.contentDigest
        presented.fill(from: facts)
    }

    /// What a token says that is evidence: nothing but how a subscription stands.
    ///
    /// - Parameter number: in place of a claim's.
    public init(evidence facts: Facts, number: UInt64) {
        presented = Observation(evidence: facts, number: number)
        purchases = facts.provenPurchases ?? []
        contentDigest = nil
    }

    /// What a valid notification says: that of the valid tokens inside it, and the status of the subscription that they
    /// are about. A token that was signed after the notification is none of it.
    ///
    /// - Parameter inside: the facts of the tokens inside.
    public static func evidence(of facts: Facts, inside: [Facts], number: () -> UInt64) -> [ClaimObservations] {
        guard facts.verdict == .valid, let date = facts.createdAt else { return [] }
        let valid = inside.filter { $0.verdict == .valid && $0.createdAt ?? date <= date }
        var evidence = valid.map { ClaimObservations(evidence: $0, number: number()) }
        switch facts.token?.notification?.type {
        case "REVOKE": for index in evidence.indices { evidence[index].explain("FAMILY_REVOKE") { _ in true } }
        // The refund is the buyer's, whoever else has the purchase.
        case "REFUND":
            for index in evidence.indices { evidence[index].explain("REFUND_FULL") { $0 == nil || $0 == "PURCHASED" } }
        default: break
        }
        let about = valid.compactMap(\.token).first { $0.bundleID == nil || $0.bundleID == facts.bundleID }
        if let status = facts.token?.notification?.status, let id = about?.originalTransactionID {
            var told = Observation(evidence: facts, number: number())
            (told.status, told.renewedID) = (status, id.boundedID)
            evidence.append(ClaimObservations(presented: told, contentDigest: nil, purchases: []))
        }
        return evidence
    }

    /// Adds why purchases were taken back where a token does not say it, as the notification around it does.
    private mutating func explain(_ type: ExactText, ofOwnership isMeant: (ExactText?) -> Bool) {
        for index in purchases.indices where purchases[index].cancellationDate != nil {
            guard let details = purchases[index].details, details.revocationType == nil, isMeant(details.ownership)
            else { continue }
            purchases[index].details?.revocationType = type
        }
    }

    /// Restores the observations of a claim that were stored.
    package init(
        presented: Observation, contentDigest: Digest?, purchases: [Purchase], proven: [ProvenPurchase]? = nil
    ) {
        self.presented = presented
        self.contentDigest = contentDigest
        self.purchases = purchases
        self.proven = proven
    }

    /// Whether evidence says anything else of the purchases than the claim's own proof.
    package var isAmended: Bool { proven != nil || purchases.hasAny { $0.evidencePrice != nil } }

    /// The same without what evidence says.
    package var own: ClaimObservations {
        var own = self
        own.proven = nil
        for index in own.purchases.indices where own.purchases[index].evidencePrice != nil {
            own.purchases[index].evidencePrice = nil
        }
        return own
    }

    /// Sets what evidence says that some of the purchases cost.
    mutating func setPrices(_ prices: [(index: Int, price: SignedPrice)]) {
        for (index, price) in prices {
            purchases[index].evidencePrice = price
            proven?[index].purchase.evidencePrice = price
        }
    }

    /// Calls a body for each key, possibly more than once for some, with its octets, the greatest number of purchases
    /// that may be significant even if no other claim has the key (periods of a subscription, and refunds and trials on
    /// a device or by an account), and what distinguishes the claim from others with the key.
    public func forEachKey(
        _ kinds: KeyKinds, withPeriods: Bool,
        _ body: (KeyKind, Span<UInt8>, _ significantPurchases: Int, ClaimTrait) -> Void
    ) {
        let presenter = ClaimTrait(presenting: presented)
        if !presented.renewedID.isEmpty, withPeriods || kinds.contains(.originalTransaction) {
            body(.originalTransaction, presented.renewedID.utf8.span, 1, .significant)
        }
        if kinds.contains(.receipt), let contentDigest {
            body(.receipt, contentDigest.octets, 0, presented.isUnattributed ? .significant : presenter)
        }
        let withTransactions = kinds.contains(.transaction) && !presented.isEvidence
        let withAllOriginals = kinds.contains(.originalTransaction)
        let environment = presented.environmentClass
        let purchases = purchases.span
        for index in purchases.indices {
            if withTransactions, purchases[index].transactionID.isID {
                let version = ClaimTrait(of: purchases[index], in: environment)
                body(.transaction, purchases[index].transactionID.utf8.span, 0, version)
            }
            let isPeriod = purchases[index].expiresDate != nil
            if withAllOriginals || withPeriods && isPeriod {
                let original = purchases[index].original
                let isWhole = purchases[index].cancellationDate == nil && !presented.isEvidence
                if original.isID {
                    body(.originalTransaction, original.utf8.span, isPeriod ? 1 : 0, isWhole ? presenter : .significant)
                }
            }
        }
        let significantPurchases =
            proven.map { $0.count { $0.purchase.isSignificant } } ?? self.purchases.significantCount
        if let device = presented.device, kinds.contains(.device) {
            device.withOctets { body(.device, $0, significantPurchases, .significant) }
        }
        if !presented.accountID.isEmpty, kinds.contains(.account) {
            body(.account, presented.accountID.utf8.span, significantPurchases, .significant)
        }
        if kinds.contains(.app), let app { body(.app, app.span, 0, presenter) }
        if kinds.contains(.nonce), let nonce { body(.nonce, nonce.span, 0, presenter) }
        if kinds.contains(.person), let person { body(.person, person.span, significantPurchases, .significant) }
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
        if !presented.renewedID.isEmpty, withPeriods || kinds.contains(.originalTransaction) {
            body(.originalTransaction, presented.renewedID.utf8.span, [])
        }
        if kinds.contains(.receipt), let contentDigest { body(.receipt, contentDigest.octets, mayHold) }
        if kinds.contains(.transaction), !presented.isEvidence {
            forEachTransaction { body(.transaction, $0.utf8.span, $1) }
        }
        let withAllOriginals = kinds.contains(.originalTransaction)
        if withAllOriginals || withPeriods {
            forEachGroup(by: \.original) { id, purchases in
                guard withAllOriginals || purchases.contains(where: { $0.expiresDate != nil }) else { return }
                body(.originalTransaction, id.utf8.span, purchases)
            }
        }
        lazy var shown = PresentedPurchases(
            proven.map { $0.map(\.purchase) } ?? purchases, isToken: presented.kind != nil)
        if let device = presented.device, kinds.contains(.device) {
            let chosen = shown.chosen(withSingle: false)
            device.withOctets { body(.device, $0, chosen) }
        }
        if !presented.accountID.isEmpty, kinds.contains(.account) {
            body(.account, presented.accountID.utf8.span, shown.chosen(withSingle: true))
        }
        if kinds.contains(.app), let app { body(.app, app.span, []) }
        if kinds.contains(.nonce), let nonce { body(.nonce, nonce.span, purchases[...]) }
        if kinds.contains(.person), let person { body(.person, person.span, shown.chosen(withSingle: true)) }
    }

    /// What matters under a receipt: the purchases that can hold when it is presented last, which is not before this
    /// claim, or when the receipt was made, if no claim is dated. They were not taken back, and end after that or never.
    private var mayHold: ArraySlice<Purchase> {
        let moment = presented.presentedAt ?? presented.createdAt
        let purchases = proven.map { $0.map(\.purchase) } ?? purchases
        let held = purchases.indices.filter { index in
            purchases[index].cancellationDate == nil && purchases[index].details?.isUpgraded != true
                && purchases[index].expiresDate.map { end in moment.map { end > $0 } ?? true } ?? true
        }
        return held.map { purchases[$0] }[...]
    }

    /// Calls a body for each transaction once. Of several entries of one transaction, the least counts: by product, by
    /// purchase date, by original transaction, and one that was refunded first.
    private func forEachTransaction(_ body: (ExactText, ArraySlice<Purchase>) -> Void) {
        forEachGroup(by: \.transactionID) { id, group in
            var least = group.startIndex
            for index in group.indices.dropFirst() where Self.precedes(group[index], group[least]) { least = index }
            body(id, group[least...least])
        }
    }

    private static func precedes(_ a: Purchase, _ b: Purchase) -> Bool {
        if a.productID != b.productID { return a.productID < b.productID }
        if a.purchaseDate != b.purchaseDate { return a.purchaseDate < b.purchaseDate }
        if a.original != b.original { return a.original < b.original }
        // None of the other fields is compared between receipts, but one entry has to be the first.
        let (first, second) = (a.cancellationDate?.milliseconds ?? .max, b.cancellationDate?.milliseconds ?? .max)
        if first != second { return first < second }
        let (kind, otherKind) = (a.kind?.rawValue ?? -1, b.kind?.rawValue ?? -1)
        return (kind, a.webOrderLineItemID ?? -1) < (otherKind, b.webOrderLineItemID ?? -1)
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
