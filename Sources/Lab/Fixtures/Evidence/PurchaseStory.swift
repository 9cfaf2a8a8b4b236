import Encodings

/// What the App Store sent to the company's server about one person's purchases: App Store Server Notifications,
/// version 2, that match the receipt, and now and then a refund after it.
struct PurchaseStory {
    /// An event that the App Store reports.
    struct Event {
        let type: String
        var subtype: String?
        /// The purchase in its state at that time.
        let purchase: PurchaseContent
        let date: Instant
        /// The status of a subscription: 1 active, 5 revoked.
        var status: Int?
    }

    /// In the order of the purchases.
    private(set) var events: [Event] = []
    /// A refund after the proofs were made, which they do not show.
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

    /// Adds the purchase of one transaction, and its refund if the receipt shows one.
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

    /// Adds, for one person in five, a refund of the last purchase in the three weeks after the last proof was made.
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

    /// The delay of the App Store's notifications, in seconds.
    fileprivate static let delay: Int64 = 2
}

extension PurchaseStory {
    /// Returns the notifications about it, each with nested tokens signed by the App Store's server.
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
        // Tokens signed by the App Store's server are not bound to a device.
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

/// A refund in a notification that the claim's own proof does not show, because it was made earlier.
public struct LateRefund: Sendable, Hashable, Codable {
    /// The name of the claim.
    public var source: String
    public var transactionID: String
    public var originalTransactionID: String
    /// The date of the refund in UTC, as in reports. The claim may have been presented before or after it.
    public var refundedAt: String

    enum CodingKeys: String, CodingKey {
        case source
        case transactionID = "transaction_id"
        case originalTransactionID = "original_transaction_id"
        case refundedAt = "refunded_at"
    }
}

extension SampleExport {
    /// Whether there is evidence in addition to the claims: with tokens, the server also has notifications.
    public var hasEvidence: Bool { tokensPerMillion > 0 }

    /// Returns the lines of `evidence.ndjson` about the person of a claim, each with one notification as received; one
    /// in a hundred arrived twice.
    ///
    /// There are some for about every fourth honest claim with purchases in production since StoreKit 2. The
    /// notifications cover all of the person's purchases, whether the claim presents the receipt or a token.
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

    /// Returns the refunds in `evidence.ndjson` that the claims do not show, in claim order.
    public func lateRefunds() -> [LateRefund] { (0..<count).compactMap { story(at: $0)?.lateRefund } }

    /// Returns the events of a claim's person, if there are notifications about any.
    func story(at index: Int) -> PurchaseStory? {
        guard hasEvidence, forgery(at: index) == nil, plantedMember(at: index) == nil,
            // The previous claim belongs to the same person.
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
