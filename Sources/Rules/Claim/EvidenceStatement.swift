import Checks
public import Encodings
public import Receipts

/// One statement of a token, with its date. It is about a purchase (whether it was revoked, or its price) or about a
/// chain of purchases (when another chain replaced it).
///
/// The newest statement about an item wins, by the date of signing: after a reversed refund the transaction no longer
/// shows the refund. What tokens say counts the same whether the company's server got them from Apple or devices
/// presented them as claims (``TokenFacts``).
public struct EvidenceStatement: Sendable {
    /// The environment whose App Store numbered the transactions, by name.
    public var environment: ExactText
    /// What the statement is about, in the form of ``items(of:isToken:)``, ``priceItems(of:isToken:)`` or
    /// ``moveItem(of:day:)``.
    public var item: ExactText
    public var signedAt: Instant
    /// When the purchase was revoked; `nil` if it was not.
    public var cancellationDate: Instant?
    /// The other fields that decide why it was revoked.
    public var details: TransactionDetails?
    /// The price, in millionths of the currency's unit, if the statement is about the price.
    public var millionths: Int64?
    /// ISO 4217; `nil` without a price.
    public var currency: ExactText?
    /// The token.
    package var witness: Witness

    /// A statement with nothing read yet.
    public static let unread = EvidenceStatement(
        environment: "", item: "", signedAt: Instant(milliseconds: 0), witness: Witness(evidence: .none))

    /// Returns the names of a purchase. The first is its transaction. Receipts also show a subscription's period by its
    /// original transaction and its web order line item, because a restored period has another transaction, and a
    /// purchase that never expires by its original transaction. So evidence has these names, too, except additions to a
    /// period, which share its line item, and the purchases of members, who have transactions of their own. A claim's
    /// token has only the first.
    ///
    /// - Parameter isToken: whether a claim's token shows the purchase.
    public static func items(of purchase: Purchase, isToken: Bool) -> [ExactText] {
        var items: [ExactText] = []
        if purchase.transactionID.isID { items.append("t\(purchase.transactionID.boundedID)") }
        // An addition for an unknown reason may show that the period is whole, and nothing more.
        let isAdded = purchase.isAddition || purchase.mayBeAddition && purchase.cancellationDate != nil
        guard purchase.original.isID, !isToken, !isAdded, purchase.details?.isMember != true else { return items }
        if let line = purchase.webOrderLineItemID {
            items.append("l\(purchase.original.boundedID) \(line)")
        } else if purchase.expiresDate == nil {
            items.append("o\(purchase.original.boundedID)")
        }
        return items
    }

    /// Whether the statement may be about a purchase that has one of its names. Under one original transaction, what
    /// never expires can be bought again after a refund.
    fileprivate func mayConcern(_ purchase: Purchase) -> Bool {
        !item.utf8.starts(with: "o".utf8) || cancellationDate.map { $0 >= purchase.purchaseDate } ?? true
    }

    /// Returns the items of statements about the price of a purchase, under the same names. They are separate: the
    /// newest token with a price counts, even if a newer token has none.
    public static func priceItems(of purchase: Purchase, isToken: Bool) -> [ExactText] {
        items(of: purchase, isToken: isToken).map { "p\($0)" }
    }

    /// Returns the items of statements that a period was bought at another offer than an introductory one, under the
    /// same names. Receipts do not say so of offer codes, and no token changes it later.
    static func offerItems(of purchase: Purchase, isToken: Bool) -> [ExactText] {
        items(of: purchase, isToken: isToken).map { "f\($0)" }
    }

    /// Returns the item of a statement about a replaced chain: its original transaction, and the day on which its
    /// successor began.
    static func moveItem(of original: ExactText, day: Int64) -> ExactText { "m\(original.boundedID) \(day)" }

    /// The price that it states.
    public var price: SignedPrice? {
        guard let millionths, let currency else { return nil }
        return SignedPrice(millionths: millionths, currency: currency, signedAt: signedAt)
    }

    /// Returns the statements of a token of evidence, one under each name of its purchase.
    public static func statements(of told: ClaimObservations) -> [EvidenceStatement] {
        told.presented.isEvidence ? statements(of: told.purchases, in: told.presented) : []
    }

    /// Returns the statements of a token about its purchase.
    static func statements(of purchases: [Purchase], in token: Observation) -> [EvidenceStatement] {
        guard token.kind != nil, let signedAt = token.createdAt else { return [] }
        var statements: [EvidenceStatement] = []
        let bare = EvidenceStatement(
            environment: token.environmentClass.name, item: "", signedAt: signedAt, witness: Witness(token))
        for purchase in purchases {
            var statement = bare
            statement.cancellationDate = purchase.cancellationDate
            statement.details = purchase.details?.ofRevocation
            if let previous = purchase.previousChain {
                var moved = bare
                moved.item = moveItem(of: previous, day: purchase.chainBegin.day)
                moved.details = TransactionDetails()
                moved.details?.movedAt = purchase.chainBegin
                statements.append(moved)
            }
            for item in items(of: purchase, isToken: false) {
                statement.item = item
                statements.append(statement)
            }
            if purchase.isAtOtherOffer {
                for item in offerItems(of: purchase, isToken: false) {
                    var offered = bare
                    offered.item = item
                    offered.details = TransactionDetails()
                    offered.details?.offerType = purchase.details?.offerType
                    statements.append(offered)
                }
            }
            guard let price = purchase.signedPrice(at: signedAt) else { continue }
            for item in priceItems(of: purchase, isToken: false) {
                var priced = bare
                priced.item = item
                priced.millionths = price.millionths
                priced.currency = price.currency
                statements.append(priced)
            }
        }
        return statements
    }

    /// Whether this statement takes precedence over another about the same item: the newer one; for equal dates the one
    /// with more information, then the one with the smaller id.
    public func counts(before other: EvidenceStatement) -> Bool {
        if signedAt != other.signedAt { return signedAt > other.signedAt }
        if isCancelled != other.isCancelled { return isCancelled }
        let (type, otherType) = (details?.revocationType, other.details?.revocationType)
        if (type == nil) != (otherType == nil) { return type != nil }
        if let price, let otherPrice = other.price, price != otherPrice { return price.counts(before: otherPrice) }
        if witness != other.witness { return witness < other.witness }
        return (type ?? "", item) < (otherType ?? "", other.item)
    }

    /// Whether the purchase was revoked, for any reason.
    public var isCancelled: Bool { cancellationDate != nil }

    /// Whether the statement can change anything about a purchase that its own proof shows whole, or about its chain.
    public var isNews: Bool {
        isCancelled || millionths != nil || details?.movedAt != nil || details?.offerType != nil
    }

    /// Returns the purchase as amended by this statement; `nil` if its own proof counts.
    ///
    /// Receipts do not state why a purchase is missing, so the statement wins over a receipt without it, whichever is
    /// newer. Otherwise the newer of the two wins.
    ///
    /// - Parameter createdAt: when the claim's own proof was made.
    func amended(_ purchase: Purchase, shownAt createdAt: Instant) -> Purchase? {
        // A notification may be about the very token that the claim presents.
        let isSame =
            signedAt == createdAt && details?.revocationType != nil && purchase.details?.revocationType == nil
        let saysWhy = isCancelled && purchase.cancellationDate != nil && (purchase.details == nil || isSame)
        guard signedAt > createdAt || saysWhy else { return nil }
        var amended = purchase
        amended.cancellationDate = saysWhy ? purchase.cancellationDate : cancellationDate
        if purchase.details != nil || details.map({ $0 != TransactionDetails() }) == true {
            amended.details = (purchase.details ?? TransactionDetails()).amended(by: details ?? TransactionDetails())
        }
        return amended
    }
}

extension ClaimObservations {
    /// Returns the observations with the evidence about the claim's purchases; `nil` if it does not differ from the
    /// claim's own proof.
    ///
    /// - Parameter statement: returns the statement that counts for an item in an environment. It is asked only for
    ///   statements that are ``EvidenceStatement/isNews``, where no others matter.
    public func amended(
        by statement: (_ item: ExactText, _ environment: ExactText, _ onlyNews: Bool) -> EvidenceStatement?
    ) -> ClaimObservations? {
        guard !presented.isEvidence, !purchases.isEmpty, let createdAt = presented.createdAt else { return nil }
        let environment = presented.environmentClass.name
        var proven: [Purchase]?
        lazy var upgrades = UpgradeIndex(purchases)
        var prices: [(index: Int, price: SignedPrice)] = []
        for (index, purchase) in purchases.enumerated() {
            let told = EvidenceStatement.priceItems(of: purchase, isToken: presented.kind != nil)
                .compactMap { statement($0, environment, true)?.price }
                .reduce(nil as SignedPrice?) { .newest($0, $1) }
            if let told, purchase.signedPrice(at: createdAt).map({ told.counts(before: $0) }) ?? true {
                prices.append((index, told))
            }
            let isAtOffer =
                purchase.isFirstTime && presented.kind == nil
                && EvidenceStatement.offerItems(of: purchase, isToken: false)
                    .contains { statement($0, environment, true)?.details?.offerType != nil }
            let amended = purchase.proven(in: presented, upgrades, by: { statement($0, environment, $1) })
            guard amended != nil || isAtOffer else { continue }
            proven = proven ?? purchases
            if let amended { proven?[index] = amended.purchase }
            // Evidence does not name the offer.
            if isAtOffer { proven?[index].promotionalOfferID = "" }
        }
        return proven == nil && prices.isEmpty ? nil : amended(proven, prices)
    }
}

extension Purchase {
    /// Returns the purchase in the state that the newest statements show; `nil` if they do not change why it was
    /// revoked, or that it was not.
    ///
    /// - Parameters:
    ///   - claim: the claim whose proof shows the purchase.
    ///   - upgrades: the purchases of the claim's proof.
    ///   - statement: returns the statement that counts for an item. It is asked only for statements that are
    ///     ``EvidenceStatement/isNews``, where no others matter.
    func proven(
        in claim: Observation, _ upgrades: UpgradeIndex,
        by statement: (_ item: ExactText, _ onlyNews: Bool) -> EvidenceStatement?
    ) -> ProvenPurchase? {
        guard let createdAt = claim.createdAt else { return nil }
        var newest: EvidenceStatement?
        for item in EvidenceStatement.items(of: self, isToken: claim.kind != nil) {
            guard let found = statement(item, cancellationDate == nil), found.mayConcern(self) else { continue }
            if newest.map({ found.counts(before: $0) }) ?? true { newest = found }
        }
        let told = newest?.amended(self, shownAt: createdAt)
        var proven = ProvenPurchase(purchase: told ?? self, witness: told == nil ? nil : newest?.witness)
        if let moved = proven.purchase.move(in: { statement($0, true) }) {
            var details = proven.purchase.details ?? TransactionDetails()
            details.movedAt = moved.details?.movedAt
            proven.purchase.details = details
            proven.witness = moved.witness
        }
        let isChanged =
            proven.witness != nil && upgrades.revocation(of: proven.purchase) != upgrades.revocation(of: self)
        return isChanged ? proven : nil
    }

    /// Returns the statement that another chain replaced this one when it was revoked.
    ///
    /// - Parameter statement: returns the statement that counts for an item.
    fileprivate func move(in statement: (ExactText) -> EvidenceStatement?) -> EvidenceStatement? {
        guard let cancellationDate, mayHaveMoved, original.isID else { return nil }
        let day = cancellationDate.day
        for day in [day, day.addingSaturating(-1), day.addingSaturating(1)] {
            guard let moved = statement(EvidenceStatement.moveItem(of: original, day: day)),
                let begin = moved.details?.movedAt, isMove(begin)
            else { continue }
            return moved
        }
        return nil
    }
}

extension TransactionDetails {
    /// The same details, reduced to the fields that decide why a purchase was revoked. Most are absent.
    package var ofRevocation: TransactionDetails {
        var kept = TransactionDetails()
        kept.movedAt = movedAt
        kept.isUpgraded = isUpgraded
        kept.commerce = commerce
        kept.seatsRefundedAt = seatsRefundedAt
        kept.ownership = ownership == "PURCHASED" ? nil : ownership
        kept.revocationType = revocationType
        kept.revocationReason = revocationReason
        kept.revocationPercentage = revocationPercentage
        if commerce != nil { kept.price = price }
        if let revoked = seats?.revoked { kept.seats = SeatInfo(revoked: revoked) }
        return kept
    }

    /// Returns the same details with the reason for the revocation from a newer token.
    fileprivate func amended(by newer: TransactionDetails) -> TransactionDetails {
        var amended = self
        amended.isUpgraded = newer.isUpgraded || isUpgraded
        amended.ownership = newer.ownership ?? ownership
        amended.revocationType = newer.revocationType
        amended.revocationReason = newer.revocationReason
        amended.revocationPercentage = newer.revocationPercentage
        amended.commerce = newer.commerce ?? commerce
        amended.seatsRefundedAt = newer.seatsRefundedAt ?? seatsRefundedAt
        if let revoked = newer.seats?.revoked { amended.seats = SeatInfo(tiers: seats?.tiers ?? [], revoked: revoked) }
        return amended
    }
}

/// A purchase in its state according to a claim's proof and to tokens.
struct ProvenPurchase {
    var purchase: Purchase
    /// The token with this state; `nil` if it is the claim's own proof.
    var witness: Witness?
}

extension EvidenceStatement: Mergeable {
    package mutating func add(_ other: EvidenceStatement) { if other.counts(before: self) { self = other } }
}
