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
    /// All subscriptions that an audit of the export must report, in the order of a report: by original transaction.
    ///
    /// No subscription is in claims of two clusters, so clusters are read one by one.
    public func expectedSubscriptions() -> [ExpectedSubscription] {
        var subscriptions: [ExpectedSubscription] = []
        for number in 0..<layout.clusters {
            subscriptions += SubscriptionWitness.subscriptions(cluster(number).members.compactMap(\.witness))
        }
        for index in 0..<count where plantedMember(at: index) == nil {
            guard let witness = witnessByItself(at: index) else { continue }
            subscriptions += SubscriptionWitness.subscriptions([witness])
        }
        return subscriptions.sorted {
            $0.originalTransactionID.utf8.lexicographicallyPrecedes($1.originalTransactionID.utf8)
        }
    }

    /// The valid receipt of a claim that belongs to no cluster, if it is valid.
    private func witnessByItself(at index: Int) -> SubscriptionWitness? {
        let genuine = ClaimDraft(index: index, seed: seed, asOf: Self.asOf)
        guard let forgery = forgery(at: index) else {
            let device = genuine.row.deviceID.isEmpty ? nil : genuine.receipt.device
            return SubscriptionWitness(receipt: genuine.receipt, device: device, account: genuine.row.accountID)
        }
        guard forgery.leavesEvidence else { return nil }
        // The row names the device of the draft, whatever device the receipt is then of.
        let device = forgery == .deviceIDMalformed ? nil : genuine.receipt.device
        let forged = forgery.draft(from: genuine, seed: seed)
        return SubscriptionWitness(receipt: forged.receipt, device: device, account: forged.row.accountID)
    }
}

extension PlantedMember {
    /// The receipt of the claim, if it is valid.
    var witness: SubscriptionWitness? {
        switch form {
        case .genuine, .rewrapped:
            SubscriptionWitness(
                receipt: draft.receipt, device: draft.row.deviceID.isEmpty ? nil : device, account: draft.row.accountID)
        case .altered, .rogue, .expired, .developer, .signerless, .xcode, .bytes: nil
        }
    }
}

/// A valid receipt, with the device and the account that present it.
struct SubscriptionWitness {
    var receipt: ReceiptContent
    /// The device; `nil` if the row names none that can be read.
    var device: SampleDevice?
    /// The account; empty if the row names none.
    var account: String

    /// The subscriptions that some claims have together: an implementation as plain as possible, to compare with.
    static func subscriptions(_ witnesses: [SubscriptionWitness]) -> [ExpectedSubscription] {
        let originals = Set(witnesses.flatMap { $0.receipt.purchases.filter(\.renews).map(\.originalTransactionID) })
        return originals.compactMap { original in
            let showing = witnesses.filter { witness in
                witness.receipt.purchases.contains { $0.renews && $0.originalTransactionID == original }
            }
            return subscription(original, showing.sorted { $0.receipt.createdAt < $1.receipt.createdAt })
        }
    }

    /// One subscription, from the oldest receipt to the newest.
    private static func subscription(
        _ original: String, _ witnesses: [SubscriptionWitness]
    ) -> ExpectedSubscription? {
        // A newer receipt overrides an older one, except for the first date.
        var periods: [String: PurchaseContent] = [:]
        for witness in witnesses {
            for purchase in witness.receipt.purchases
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
        guard let newest = witnesses.last?.receipt, let started = course.first?.purchasedAt, let latest = course.last
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
            environment: newest.environment, state: state(latest, newest),
            startedAt: started.description, expiresAt: latest.end.description,
            periods: course.count, trials: course.count(where: \.isTrial),
            introOffers: course.count(where: \.isIntroOffer), refunds: refunded.count,
            lapses: lapses, productChanges: zip(course, course.dropFirst()).count { $0.productID != $1.productID },
            devices: Set(witnesses.compactMap(\.device)).count,
            accounts: Set(witnesses.map(\.account)).subtracting([""]).count,
            lastTransactionID: latest.transactionID, evidenceAt: newest.createdAt.description)
    }

    private static func state(_ latest: PurchaseContent, _ newest: ReceiptContent) -> ExpectedSubscription.State {
        if latest.cancelledAt != nil { return .refunded }
        if latest.end > SampleExport.asOf {
            if latest.isTrial { return .trial }
            return latest.isIntroOffer ? .intro : .active
        }
        return newest.createdAt < latest.end ? .notRefreshed : .expired
    }
}

extension PurchaseContent {
    /// Whether it is a period of a subscription with a readable attribute set.
    fileprivate var renews: Bool { kind == .autoRenewable && expiresAt != nil && edits.isEmpty }

    fileprivate var end: Instant { expiresAt ?? purchasedAt }

    /// The end of access.
    fileprivate var cutEnd: Instant { min(end, cancelledAt ?? end) }

    /// Whether it was bought earlier than another; of two bought at once the one that ends later is the later, and then
    /// the one with the smaller transaction id.
    fileprivate func isEarlier(than other: PurchaseContent) -> Bool {
        if purchasedAt != other.purchasedAt { return purchasedAt < other.purchasedAt }
        if cutEnd != other.cutEnd { return cutEnd < other.cutEnd }
        return other.transactionID.utf8.lexicographicallyPrecedes(transactionID.utf8)
    }

    /// Whether another product was bought later, and within five minutes of the cancellation.
    fileprivate func isUpgraded(in course: [PurchaseContent]) -> Bool {
        guard let cancelledAt else { return false }
        return course.contains { other in
            other.productID != productID && isEarlier(than: other)
                && (other.purchasedAt.seconds - cancelledAt.seconds).magnitude <= 300
        }
    }
}
