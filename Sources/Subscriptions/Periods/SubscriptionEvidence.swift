import Encodings
import Inputs
import Receipts
import Rules

/// What the observations of a subscription say of it as a whole.
struct SubscriptionEvidence: Codable, Sendable {
    /// What the newest receipt that shows it says; of equally new ones the greatest.
    private(set) var newest: Word?
    private(set) var earliestOriginal: Instant?
    private(set) var appsDiffer = false
    private(set) var environmentsDiffer = false
    private(set) var devices = DistinctSketch<Device>()
    private(set) var accounts = DistinctSketch<ExactText>()

    mutating func take(_ observation: Observation) {
        guard observation.isGenuine, let createdAt = observation.createdAt else { return }
        if let device = observation.device { devices.insert(device) }
        if !observation.accountID.isEmpty { accounts.insert(observation.accountID) }
        var isShown = false
        for purchase in observation.purchases where purchase.mayBeAutoRenewable {
            isShown = true
            guard let original = purchase.originalPurchaseDate else { continue }
            earliestOriginal = min(earliestOriginal ?? original, original)
        }
        guard isShown else { return }
        hear(
            Word(
                createdAt: createdAt, bundleID: observation.bundleID, environment: observation.environment))
    }

    /// Adds what other observations say.
    mutating func add(_ other: SubscriptionEvidence) {
        earliestOriginal.add(other.earliestOriginal)
        appsDiffer = appsDiffer || other.appsDiffer
        environmentsDiffer = environmentsDiffer || other.environmentsDiffer
        devices.add(other.devices)
        accounts.add(other.accounts)
        if let word = other.newest { hear(word) }
    }

    private mutating func hear(_ word: Word) {
        guard let newest else { return self.newest = word }
        if newest.bundleID != word.bundleID { appsDiffer = true }
        if newest.environment != word.environment { environmentsDiffer = true }
        if newest < word { self.newest = word }
    }

    /// What a receipt says of itself.
    struct Word: Comparable, Codable {
        let createdAt: Instant
        let bundleID: ExactText
        let environment: ExactText

        static func < (a: Word, b: Word) -> Bool {
            (a.createdAt, a.bundleID, a.environment) < (b.createdAt, b.bundleID, b.environment)
        }
    }
}

extension PeriodCollector {
    mutating func take(_ observation: Observation) {
        guard observation.isGenuine, let createdAt = observation.createdAt else { return }
        for purchase in observation.purchases { take(purchase, createdAt: createdAt) }
    }
}

extension Oddity {
    /// What is odd about single periods.
    static func counts(in periods: [PeriodID: PeriodEvidence]) -> [Oddity: Int] {
        var counts: [Oddity: Int] = [:]
        for (id, evidence) in periods {
            if case .transaction = id { counts[.noLineItem, default: 0] += 1 }
            if !evidence.hasOriginal { counts[.noOriginalID, default: 0] += 1 }
            if !evidence.hasKind { counts[.noKind, default: 0] += 1 }
            if evidence.productsDiffer { counts[.productsDiffer, default: 0] += 1 }
            if evidence.expiriesDiffer { counts[.expiriesDiffer, default: 0] += 1 }
            if evidence.isRefundWithdrawn { counts[.refundWithdrawn, default: 0] += 1 }
        }
        return counts
    }
}
