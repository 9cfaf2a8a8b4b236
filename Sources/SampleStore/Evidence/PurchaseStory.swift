import Encodings

/// What the App Store told the company's server about one person's purchases: App Store Server Notifications, version 2,
/// that tell the same as the receipt, and now and then a refund that came after it.
struct PurchaseStory {
    /// Something that the App Store tells.
    struct Event {
        let type: String
        var subtype: String?
        /// The purchase in its state at that time.
        let purchase: PurchaseContent
        let date: Instant
        /// Of a subscription: 1 active, 5 revoked.
        var status: Int?
    }

    /// In the order of the purchases.
    private(set) var events: [Event] = []
    /// What was refunded after the proofs were made, which do not show it.
    private(set) var lateRefund: LateRefund?
    private let draft: ClaimDraft

    /// - Parameters:
    ///   - draft: the claim of the person.
    ///   - last: when the last proof of the person was made.
    init(of draft: ClaimDraft, until last: Instant, _ random: inout SeededGenerator) {
        self.draft = draft
        for purchase in draft.receipt.purchases where purchase.purchasedAt >= ClaimDraft.firstToken { tell(purchase) }
        refundLate(after: last, &random)
    }

    /// The purchase of one transaction, and its refund if the receipt shows one.
    private mutating func tell(_ purchase: PurchaseContent) {
        let isFirst = purchase.transactionID == purchase.originalTransactionID
        let charged = purchase.with { $0.cancelledAt = nil }
        events.append(
            purchase.kind != .autoRenewable
                ? Event(type: "ONE_TIME_CHARGE", purchase: charged, date: purchase.purchasedAt)
                : Event(
                    type: isFirst ? "SUBSCRIBED" : "DID_RENEW", subtype: isFirst ? "INITIAL_BUY" : nil,
                    purchase: charged, date: purchase.purchasedAt, status: 1))
        if let date = purchase.cancelledAt { refund(purchase, at: date) }
    }

    private mutating func refund(_ purchase: PurchaseContent, at date: Instant) {
        let refunded = purchase.with { $0.cancelledAt = date }
        let status = purchase.kind == .autoRenewable ? 5 : nil
        events.append(Event(type: "REFUND", purchase: refunded, date: date, status: status))
    }

    /// Of one person in five, a refund of the last purchase in the three weeks after the last proof was made.
    private mutating func refundLate(after last: Instant, _ random: inout SeededGenerator) {
        guard random.chance(percent: 20), let purchase = draft.receipt.purchases.last, purchase.cancelledAt == nil,
            !purchase.isTrial
        else { return }
        let date = last.adding(seconds: Int64(60 + random.below(20 * PurchaseHistory.day)))
        guard date.adding(seconds: Self.delay) < SampleExport.asOf else { return }
        refund(purchase, at: date)
        lateRefund = LateRefund(
            source: SampleClaim.source(at: draft.index), transactionID: purchase.transactionID,
            originalTransactionID: purchase.originalTransactionID, refundedAt: date.description)
    }

    /// The seconds after which the App Store tells.
    fileprivate static let delay: Int64 = 2
}

extension PurchaseStory {
    /// Returns the notifications that tell it, each with tokens inside that the App Store's server signed.
    func notifications(
        to owner: TokenOwner, by authority: TokenAuthority, _ random: inout SeededGenerator
    ) throws(SigningError) -> [NotificationContent] {
        var notifications: [NotificationContent] = []
        for event in events { notifications.append(try notification(of: event, to: owner, by: authority, &random)) }
        return notifications
    }

    private func notification(
        of event: Event, to owner: TokenOwner, by authority: TokenAuthority, _ random: inout SeededGenerator
    ) throws(SigningError) -> NotificationContent {
        let purchase = event.purchase
        let signedAt = event.date.adding(seconds: Self.delay)
        var transaction = draft.transaction(purchase, of: owner, signedAt: signedAt, &random)
        // What the App Store's server signs is bound to no device.
        transaction.deviceVerification = nil
        if purchase.cancelledAt != nil { transaction.revocationType = "REFUND_FULL" }
        var data = NotificationData(bundleID: draft.receipt.bundleID)
        data.appItemID = draft.receipt.appItemID
        data.bundleVersion = draft.receipt.appVersion
        data.signedTransaction = try authority.token(transaction).text
        data.status = event.status
        if purchase.kind == .autoRenewable {
            let renewal = RenewalContent(
                originalTransactionID: purchase.originalTransactionID, productID: purchase.productID, signedAt: signedAt
            ).with {
                $0.autoRenewStatus = purchase.cancelledAt == nil ? 1 : 0
                $0.renewsAt = purchase.cancelledAt == nil ? purchase.expiresAt : nil
                $0.appTransactionID = transaction.appTransactionID
                $0.currency = owner.storefront.currency
                $0.renewalPrice = draft.app.products.first { $0.id == purchase.productID }?.thousandths
            }
            data.signedRenewal = try authority.token(renewal).text
        }
        return NotificationContent(
            event.type, subtype: event.subtype, uuid: TokenOwner.uuid(&random), body: .data(data), signedAt: signedAt)
    }
}

/// A refund that a notification tells and the claim's own proof does not show, as it was made before.
public struct LateRefund: Sendable, Hashable, Codable {
    /// The name of the claim.
    public var source: String
    public var transactionID: String
    public var originalTransactionID: String
    /// In UTC, as reports have it. The claim may have been presented before or after.
    public var refundedAt: String

    enum CodingKeys: String, CodingKey {
        case source
        case transactionID = "transaction_id"
        case originalTransactionID = "original_transaction_id"
        case refundedAt = "refunded_at"
    }
}

extension SampleExport {
    /// Whether there is evidence beside the claims: where there are tokens, the server has notifications, too.
    public var hasEvidence: Bool { tokensPerMillion > 0 }

    /// The lines of `evidence.ndjson` about the person of a claim, each with one notification as it came; one in a
    /// hundred came twice.
    ///
    /// There are some about every fourth honest claim with purchases in production since StoreKit 2. The notifications are
    /// about all of the person's purchases, whether the claim presents the receipt or a token.
    public func evidence(at index: Int) throws(SigningError) -> [String] {
        guard let story = story(at: index) else { return [] }
        var random = storyGenerator(at: ~index)
        let owner = TokenOwner(index, seed: seed)
        var lines: [String] = []
        for notification in try story.notifications(to: owner, by: authorities.tokens, &random) {
            let line = "{\"signedPayload\":\"\(try authorities.tokens.token(notification).text)\"}\n"
            lines += random.chance(percent: 1) ? [line, line] : [line]
        }
        return lines
    }

    /// What `evidence.ndjson` tells and the claims do not show, in claim order.
    public func lateRefunds() -> [LateRefund] { (0..<count).compactMap { story(at: $0)?.lateRefund } }

    /// What happened to the person of a claim, if something is told of it.
    func story(at index: Int) -> PurchaseStory? {
        guard hasEvidence, forgery(at: index) == nil, plantedMember(at: index) == nil,
            // The claim before it is the same person's.
            receiptWithToken(at: index) == nil
        else { return nil }
        var random = storyGenerator(at: index)
        let draft = honestDraft(at: index)
        guard random.chance(percent: 25), draft.environment == "Production",
            draft.receipt.createdAt >= ClaimDraft.firstToken
        else { return nil }
        let next = index + 1 < count && receiptWithToken(at: index + 1) != nil ? honestDraft(at: index + 1) : draft
        return PurchaseStory(of: draft, until: next.madeAt, &random)
    }

    private func storyGenerator(at index: Int) -> SeededGenerator {
        SeededGenerator(seed: seed ^ 0x6576_6964_656e_6365, index: index)
    }
}
