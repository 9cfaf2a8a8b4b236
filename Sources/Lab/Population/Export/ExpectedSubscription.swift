import Encodings

/// A row of the table `subscriptions` that an audit of an export must report.
///
/// Dates are text as in reports, in UTC: `2025-04-30T02:30:31Z`.
public struct ExpectedSubscription: Sendable, Hashable, Codable {
    public enum State: String, CaseIterable, Codable, Sendable {
        case refunded, trial, intro, active, expired
        case notRefreshed = "not-refreshed"
    }

    public var originalTransactionID: String
    public var bundleID: String
    public var productID: String
    public var environment: String
    public var state: State
    public var startedAt: String
    public var expiresAt: String
    public var periods: Int
    public var trials: Int
    public var introOffers: Int
    public var refunds: Int
    public var lapses: Int
    public var productChanges: Int
    public var devices: Int
    public var accounts: Int
    public var lastTransactionID: String
    public var evidenceAt: String

    enum CodingKeys: String, CodingKey {
        case originalTransactionID = "original_transaction_id"
        case bundleID = "bundle_id"
        case productID = "product_id"
        case environment, state
        case startedAt = "started_at"
        case expiresAt = "expires_at"
        case periods, trials
        case introOffers = "intro_offers"
        case refunds, lapses
        case productChanges = "product_changes"
        case devices, accounts
        case lastTransactionID = "last_transaction_id"
        case evidenceAt = "evidence_at"
    }
}

extension SampleExport {
    /// Returns all subscriptions that an audit of the export must report, in the order of a report: by original
    /// transaction.
    ///
    /// No subscription is in claims of two clusters, so clusters are read one by one.
    public func expectedSubscriptions() -> [ExpectedSubscription] {
        var subscriptions: [ExpectedSubscription] = []
        for number in 0..<layout.clusters {
            subscriptions += SubscriptionWitness.subscriptions(cluster(number).members.compactMap(\.witness))
        }
        for index in 0..<count where plantedMember(at: index) == nil && receiptWithToken(at: index) == nil {
            // The token of the next claim may be of the same person.
            let next = index + 1 < count && receiptWithToken(at: index + 1) != nil ? index + 1 : nil
            let witnesses = [index, next].compactMap { $0.flatMap(witnessByItself) }
            subscriptions += SubscriptionWitness.subscriptions(witnesses)
        }
        return subscriptions.sorted {
            $0.originalTransactionID.utf8.lexicographicallyPrecedes($1.originalTransactionID.utf8)
        }
    }

    /// Returns the proof of a claim outside clusters, if it is valid.
    private func witnessByItself(at index: Int) -> SubscriptionWitness? {
        guard let forgery = forgery(at: index) else {
            let genuine = honestDraft(at: index)
            return SubscriptionWitness(genuine, device: genuine.row.deviceID.isEmpty ? nil : genuine.receipt.device)
        }
        guard forgery.leavesEvidence else { return nil }
        let genuine = ClaimDraft(index: index, seed: seed, asOf: Self.asOf)
        // The row names the device of the draft, even if the receipt is for another one.
        let device = forgery == .deviceIDMalformed ? nil : genuine.receipt.device
        return SubscriptionWitness(forgery.draft(from: genuine, seed: seed), device: device)
    }
}

extension PlantedMember {
    /// The proof of the claim, if it is valid.
    var witness: SubscriptionWitness? {
        switch form {
        case .genuine, .rewrapped:
            SubscriptionWitness(draft, device: draft.row.namesDevice ? device : nil)
        case .altered, .rogue, .expired, .developer, .signerless, .xcode, .bytes: nil
        }
    }
}

/// A valid proof, with the device and the account that present it.
struct SubscriptionWitness {
    private let bundleID: String
    private let environment: String
    private let createdAt: Instant
    /// Whether it is a token, which shows its own purchase and no later ones.
    private let isToken: Bool
    private let purchases: [PurchaseContent]
    /// The device; `nil` if the row names none that is readable.
    private let device: String?
    /// The account; empty if the row names none.
    private let account: String

    /// - Parameter device: the device that the row names. For a token it is in another column, if present.
    init(_ draft: ClaimDraft, device: SampleDevice?) {
        bundleID = draft.receipt.bundleID
        environment = draft.environment
        createdAt = draft.madeAt
        isToken = draft.token != nil
        purchases = draft.shown
        let verification = draft.token == nil ? "" : draft.row.deviceVerificationID
        self.device = verification.isEmpty ? device?.text : verification
        account = draft.row.accountID
    }

    /// Returns the subscriptions in some claims: an implementation as plain as possible, for comparison.
    static func subscriptions(_ witnesses: [SubscriptionWitness]) -> [ExpectedSubscription] {
        let originals = Set(witnesses.flatMap { $0.purchases.filter(\.renews).map(\.originalTransactionID) })
        return originals.compactMap { original in
            let showing = witnesses.filter { witness in
                witness.purchases.contains { $0.renews && $0.originalTransactionID == original }
            }
            return subscription(original, showing.sorted { $0.createdAt < $1.createdAt })
        }
    }

    /// Returns one subscription, from the oldest proof to the newest.
    private static func subscription(
        _ original: String, _ witnesses: [SubscriptionWitness]
    ) -> ExpectedSubscription? {
        // A newer receipt overrides an older one, except for the first date.
        var periods: [String: PurchaseContent] = [:]
        for witness in witnesses {
            for purchase in witness.purchases
            where purchase.renews && purchase.originalTransactionID == original {
                let line = purchase.webOrderLineItemID
                let name = line == 0 ? purchase.transactionID : "line \(line)"
                let known = periods[name]
                periods[name] = purchase.with {
                    $0.purchasedAt = min(purchase.purchasedAt, known?.purchasedAt ?? purchase.purchasedAt)
                }
            }
        }
        let course = periods.values.sorted { $0.isEarlier(than: $1) }
        guard let newest = witnesses.last, let started = course.first?.purchasedAt, let latest = course.last
        else { return nil }
        let refunded = course.filter { $0.cancelledAt != nil && !$0.isUpgraded(in: course) }
        let lasting = course.filter { $0.cancelledAt == nil || $0.isUpgraded(in: course) }
        let day: Int64 = 86_400
        let lapses = lasting.indices.dropFirst().count { index in
            let end = lasting[..<index].map(\.cutEnd.seconds).max() ?? 0
            return lasting[index].purchasedAt.seconds - end > day
        }
        return ExpectedSubscription(
            originalTransactionID: original, bundleID: newest.bundleID, productID: latest.productID,
            environment: newest.environment, state: state(latest, witnesses),
            startedAt: started.description, expiresAt: latest.end.description,
            periods: course.count, trials: course.count(where: \.isTrial),
            introOffers: course.count(where: \.isIntroOffer), refunds: refunded.count,
            lapses: lapses, productChanges: zip(course, course.dropFirst()).count { $0.productID != $1.productID },
            devices: Set(witnesses.compactMap(\.device)).count,
            accounts: Set(witnesses.map(\.account)).subtracting([""]).count,
            lastTransactionID: latest.transactionID, evidenceAt: newest.createdAt.description)
    }

    private static func state(
        _ latest: PurchaseContent, _ witnesses: [SubscriptionWitness]
    ) -> ExpectedSubscription.State {
        if latest.cancelledAt != nil { return .refunded }
        if latest.end > SampleExport.asOf {
            if latest.isTrial { return .trial }
            return latest.isIntroOffer ? .intro : .active
        }
        // A later period that a receipt does not show had not begun when the receipt was made.
        let isEnd = witnesses.contains { !$0.isToken && $0.createdAt >= latest.end }
        return isEnd ? .expired : .notRefreshed
    }
}

extension PurchaseContent {
    /// Whether it is a period of a subscription with a readable attribute set.
    fileprivate var renews: Bool { kind == .autoRenewable && expiresAt != nil && edits.isEmpty }

    fileprivate var end: Instant { expiresAt ?? purchasedAt }

    /// The end of access.
    fileprivate var cutEnd: Instant { min(end, cancelledAt ?? end) }

    /// Whether it was bought earlier than another. For equal dates the one that ends later is the later, and then the
    /// one with the smaller transaction id.
    fileprivate func isEarlier(than other: PurchaseContent) -> Bool {
        if purchasedAt != other.purchasedAt { return purchasedAt < other.purchasedAt }
        if cutEnd != other.cutEnd { return cutEnd < other.cutEnd }
        return other.transactionID.utf8.lexicographicallyPrecedes(transactionID.utf8)
    }

    /// Whether another product was bought from a minute before to five minutes after the cancellation.
    fileprivate func isUpgraded(in course: [PurchaseContent]) -> Bool {
        guard let cancelledAt else { return false }
        return course.contains { other in
            other.productID != productID
                && (-60...300).contains(other.purchasedAt.seconds - cancelledAt.seconds)
        }
    }
}
