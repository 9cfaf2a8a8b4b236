public import Checks
import Encodings
package import Inputs
public import Proofs
public import Receipts

/// What one claim shows under each of its keys: receipt, transactions, device, account, and the other cases of
/// ``KeyKind``.
public struct ClaimObservations {
    /// What the claim shows under every key: who presents it, and facts about the receipt.
    public private(set) var presented: Observation
    /// The digest of the receipt's content; `nil` if there is no readable container.
    public let contentDigest: Digest?
    /// The receipt's purchases, if Apple signed it.
    public private(set) var purchases: [Purchase]
    /// The same purchases as amended by evidence; `nil` if evidence changes nothing. Under a device, an account and a
    /// person, refunds that only evidence shows count.
    public package(set) var proven: [Purchase]?

    /// - Parameter number: the claim's index in the order of claims.
    public init(_ facts: borrowing Facts, claim number: ClaimNumber) {
        presented = Observation(claim: number, source: facts.claim.source)
        purchases = facts.provenPurchases ?? []
        contentDigest = facts.signature?.contentDigest
        presented.fill(from: facts)
    }

    /// Makes the observations of a token of evidence: the state of a subscription and nothing more.
    ///
    /// - Parameter number: replaces the number of a claim.
    public init(evidence facts: Facts, number: ClaimNumber) {
        presented = Observation(evidence: facts, number: number)
        purchases = facts.provenPurchases ?? []
        contentDigest = nil
    }

    /// Returns what a valid token of evidence shows. For a notification this is what the valid tokens inside it show,
    /// and the status of its subscription. Each token holds as of its own signing date, which may be a little later.
    ///
    /// A notification's type, if it is known, explains the tokens that the notification is about, and no others.
    ///
    /// - Parameter inside: the facts of the tokens inside, as ``Checker/tokens(inside:)`` returns them.
    public static func evidence(of facts: Facts, inside: [Facts], number: () -> ClaimNumber) -> [ClaimObservations] {
        guard facts.verdict == .valid, let date = facts.createdAt, let token = facts.token else { return [] }
        var evidence: [ClaimObservations] = []
        if token.kind != .notification { evidence.append(ClaimObservations(evidence: facts, number: number())) }
        var (about, request): (ExactText?, ConsumptionRequest?) = (nil, nil)
        for (index, found) in inside.enumerated() where found.verdict == .valid {
            var told = ClaimObservations(evidence: found, number: number())
            if let notification = token.notification, index < token.nested.count, token.nested[index].isSubject {
                told.explain(by: notification, on: date)
                if found.bundleID == nil || found.bundleID == facts.bundleID {
                    about = about ?? found.token?.originalTransactionID
                    request = request ?? ConsumptionRequest(facts, about: found)
                }
            }
            evidence.append(told)
        }
        let status = token.notification?.status.flatMap { (1...5).contains($0) ? $0 : nil }
        if let about, status != nil || request != nil {
            var told = Observation(evidence: facts, number: number())
            told.status = status
            told.renewedID = about.boundedID
            if let request {
                told.refundRequests = [request]
                told.appTransactionID = request.appTransactionID
                told.renewedID = request.originalTransactionID
            }
            evidence.append(ClaimObservations(presented: told, contentDigest: nil, purchases: []))
        }
        return evidence
    }

    /// Adds the notification's explanation of why its purchase was revoked.
    private mutating func explain(by notification: Token.Notification, on date: Instant) {
        let (type, subtype) = (notification.type, notification.subtype)
        for index in purchases.indices {
            guard var details = purchases[index].details else { continue }
            let isTakenBack = purchases[index].cancellationDate != nil
            let isMoneyRefund = details.revocationType == "REFUND_FULL" || details.revocationType == "REFUND_PRORATED"
            if type == "REVOKE", isTakenBack, !isMoneyRefund {
                details.revocationType = "FAMILY_REVOKE"
            } else if type == "REFUND", subtype == "SEATS", details.seats?.revoked != nil {
                details.seatsRefundedAt = date
            } else if type == "REFUND", subtype == nil, isTakenBack, details.revocationType == nil, !details.isMember,
                details.commerce == nil, (0...1).contains(details.revocationReason ?? 0)
            {
                // The refund is the buyer's, even if others have access to the purchase.
                details.revocationType = "REFUND_FULL"
            }
            purchases[index].details = details
        }
    }

    /// Removes the claim's account if it is a placeholder of the run.
    package mutating func remove(_ placeholders: AccountPlaceholders) { presented.remove(placeholders) }

    /// Restores the stored observations of a claim.
    package init(
        presented: Observation, contentDigest: Digest?, purchases: [Purchase], proven: [Purchase]? = nil
    ) {
        self.presented = presented
        self.contentDigest = contentDigest
        self.purchases = purchases
        self.proven = proven
    }

    /// Whether evidence differs from the claim's own proof about the purchases.
    package var isAmended: Bool { proven != nil || purchases.hasAny { $0.evidencePrice != nil } }

    /// The same observations without evidence.
    package var own: ClaimObservations {
        var own = self
        own.proven = nil
        for index in own.purchases.indices where own.purchases[index].evidencePrice != nil {
            own.purchases[index].evidencePrice = nil
        }
        return own
    }

    /// Returns the same observations with evidence.
    ///
    /// - Parameters:
    ///   - proven: the purchases as amended; `nil` if they do not differ from the claim's own proof.
    ///   - prices: the prices of some of the purchases.
    func amended(_ proven: [Purchase]?, _ prices: [(index: Int, price: SignedPrice)]) -> ClaimObservations {
        var amended = self
        amended.proven = proven
        amended.setPrices(prices)
        return amended
    }

    /// Sets the prices that evidence states for some of the purchases.
    private mutating func setPrices(_ prices: [(index: Int, price: SignedPrice)]) {
        for (index, price) in prices {
            purchases[index].evidencePrice = price
            proven?[index].evidencePrice = price
        }
    }

    /// Calls a body for each key, possibly more than once for some. It passes the key's bytes, an upper bound for the
    /// number of purchases that are significant even if no other claim has the key (refunds, and trials on a device or
    /// by an account), and the claim's trait under the key.
    public func forEachKey(
        _ kinds: KeyKinds, withPeriods: Bool,
        _ body: (KeyKind, Span<UInt8>, _ significantPurchases: Int, ClaimTrait) -> Void
    ) {
        let presenter = ClaimTrait(presenting: presented)
        let isOfOther = !presented.claimedAccountToken.isEmpty
        if !presented.renewedID.isEmpty, withPeriods || kinds.contains(.originalTransaction) {
            body(.originalTransaction, presented.renewedID.utf8.span, isOfOther ? 1 : 0, .significant)
        }
        if kinds.contains(.receipt), let contentDigest {
            body(.receipt, contentDigest.octets, 0, presented.mayBeUnattributed ? .significant : presenter)
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
                let isWhole = purchases[index].cancellationDate == nil && !isOfOther
                if original.isID {
                    body(
                        .originalTransaction, original.utf8.span, isWhole || presented.isEvidence ? 0 : 1,
                        isWhole && !presented.isEvidence ? presenter : .significant)
                }
                if let previous = purchases[index].previousChain {
                    body(.originalTransaction, previous.utf8.span, 0, .significant)
                }
            }
        }
        let significantPurchases =
            proven.map { $0.significantCount } ?? self.purchases.significantCount
        if let device = presented.device, kinds.contains(.device) {
            device.withOctets { body(.device, $0, significantPurchases, ClaimTrait(underDeviceOf: self)) }
        }
        if !presented.accountID.isEmpty, kinds.contains(.account) {
            body(.account, presented.accountID.utf8.span, significantPurchases, ClaimTrait(underAccountOf: self))
        }
        if kinds.contains(.app), let app { body(.app, app.span, 0, presenter) }
        if kinds.contains(.nonce), let nonce { body(.nonce, nonce.span, 0, presenter) }
        if kinds.contains(.person), let person {
            // A refund request asks about all other refunds of the person, even if there is only one purchase.
            let significant = presented.refundRequests.isEmpty ? significantPurchases : .max
            body(.person, person.span, significant, ClaimTrait(underPersonOf: self))
        }
        if kinds.contains(.accountToken), let buyer {
            // Evidence asks whose account it is.
            body(.accountToken, buyer.utf8.span, presented.isEvidence ? .max : 0, .significant)
        }
    }

    /// Calls a body once for each wanted key, with the key's bytes and the purchases that matter under it.
    ///
    /// - Parameters:
    ///   - kinds: the keys that rules group by.
    ///   - withPeriods: whether original transactions with subscription periods are always included.
    ///   - isWanted: called with each key, possibly more than once for some. No purchases are copied for unwanted keys.
    public func forEach(
        _ kinds: KeyKinds = .all, withPeriods: Bool = true,
        where isWanted: (KeyKind, Span<UInt8>) -> Bool = { _, _ in true },
        _ body: (KeyKind, Span<UInt8>, [Purchase]) -> Void
    ) {
        func add(_ kind: KeyKind, _ key: Span<UInt8>, _ purchases: @autoclosure () -> [Purchase]) {
            if kinds.contains(kind), isWanted(kind, key) { body(kind, key, purchases()) }
        }
        let withAllOriginals = kinds.contains(.originalTransaction)
        if !presented.renewedID.isEmpty, withPeriods || withAllOriginals,
            isWanted(.originalTransaction, presented.renewedID.utf8.span)
        {
            body(.originalTransaction, presented.renewedID.utf8.span, [])
        }
        if let contentDigest { add(.receipt, contentDigest.octets, mayHold) }
        if kinds.contains(.transaction), !presented.isEvidence {
            forEachGroup(by: \.transactionID, where: { isWanted(.transaction, $0) }) { id, places in
                body(.transaction, id, [least(of: places)])
            }
        }
        if withAllOriginals || withPeriods {
            forEachGroup(by: \.original, where: { isWanted(.originalTransaction, $0) }) { id, places in
                guard withAllOriginals || places.contains(where: { purchases[$0].expiresDate != nil }) else { return }
                body(.originalTransaction, id, places.map { purchases[$0] })
            }
            // A token shows one purchase.
            if let last = purchases.last, let previous = last.previousChain,
                withAllOriginals || last.expiresDate != nil, isWanted(.originalTransaction, previous.utf8.span)
            {
                body(.originalTransaction, previous.utf8.span, [last])
            }
        }
        lazy var shown = PresentedPurchases(proven ?? purchases, isToken: presented.kind != nil)
        presented.device?.withOctets { add(.device, $0, shown.chosen(withSingle: false)) }
        if !presented.accountID.isEmpty {
            add(.account, presented.accountID.utf8.span, shown.chosen(withSingle: true))
        }
        if kinds.contains(.app), let app { add(.app, app.span, []) }
        if kinds.contains(.nonce), let nonce { add(.nonce, nonce.span, purchases) }
        if kinds.contains(.person), let person { add(.person, person.span, shown.chosen(withSingle: true)) }
        if kinds.contains(.accountToken), let buyer { add(.accountToken, buyer.utf8.span, []) }
    }

    /// The purchases that matter under a receipt. They can hold at the last presentation, which is at or after this
    /// claim, or at the receipt's creation, if no claim is dated: they were not revoked, and end after that time or
    /// never. A token's purchase with seats always matters.
    private var mayHold: [Purchase] {
        let moment = presented.presentedAt ?? presented.createdAt
        let purchases = proven ?? purchases
        let isToken = presented.kind != nil
        let held = purchases.indices.filter { index in
            isToken && purchases[index].seatCount > 1
                || purchases[index].isHeld
                    && purchases[index].expiresDate.map { end in moment.map { end > $0 } ?? true } ?? true
        }
        return held.map { purchases[$0] }
    }

    /// Returns the entry that counts if a transaction has several: the smallest by product, by purchase date, by
    /// original transaction; a refunded one comes first.
    private func least(of places: ArraySlice<Int>) -> Purchase {
        var least = places[places.startIndex]
        for place in places.dropFirst() where Self.precedes(purchases[place], purchases[least]) { least = place }
        return purchases[least]
    }

    private static func precedes(_ a: Purchase, _ b: Purchase) -> Bool {
        if a.productID != b.productID { return a.productID < b.productID }
        if a.purchaseDate != b.purchaseDate { return a.purchaseDate < b.purchaseDate }
        if a.original != b.original { return a.original < b.original }
        // The other fields are not compared between receipts, but the choice must not depend on the order of entries.
        let (first, second) = (a.cancellationDate?.milliseconds ?? .max, b.cancellationDate?.milliseconds ?? .max)
        if first != second { return first < second }
        let (kind, otherKind) = (a.kind?.rawValue ?? -1, b.kind?.rawValue ?? -1)
        return (kind, a.webOrderLineItemID ?? -1) < (otherKind, b.webOrderLineItemID ?? -1)
    }

    /// Calls a body with each wanted id, and the indices of the purchases with this id.
    ///
    /// Sorts indices, because moving purchases counts references to their texts.
    private func forEachGroup(
        by id: (Purchase) -> ExactText, where isWanted: (Span<UInt8>) -> Bool,
        _ body: (Span<UInt8>, ArraySlice<Int>) -> Void
    ) {
        var wanted: [(id: ExactText, place: Int)] = []
        var isAscending = true
        for place in purchases.indices {
            let id = id(purchases[place])
            guard id.isID, wanted.last?.id == id || isWanted(id.utf8.span) else { continue }
            if let last = wanted.last, id < last.id { isAscending = false }
            wanted.append((id, place))
        }
        if !isAscending { wanted.sort { ($0.id, $0.place) < ($1.id, $1.place) } }
        let places = wanted.map(\.place)
        var start = 0
        while start < wanted.count {
            let id = wanted[start].id
            let end = wanted[start...].firstIndex { $0.id != id } ?? wanted.count
            body(id.utf8.span, places[start..<end])
            start = end
        }
    }
}
