import Encodings
import Inputs
import Receipts
import Rules

/// What the observations of a subscription say about it as a whole.
struct SubscriptionEvidence: Codable, Sendable {
    /// The newest receipt that shows the subscription; of equally new ones the one with the smaller ids.
    private(set) var newest: ReceiptIdentity?
    /// Attribute 1704 of any period. Every purchase has it, so that attribute 1706 is not needed.
    private(set) var earliestPurchase: Instant?
    private(set) var appsDiffer = false
    private(set) var environmentsDiffer = false
    private(set) var devices = DistinctSketch<Device>()
    private(set) var accounts = DistinctSketch<ExactText>()
    private(set) var proofs = LatestProofs()
    /// When another chain of transactions began that took the place of this one, as its tokens of production say; the
    /// earliest.
    private var movedInProductionAt: Instant?
    /// The same, as tokens of test environments say, whose numbers are others.
    private var movedInTestsAt: Instant?

    /// When another chain of transactions of the same kind of environment began that took the place of this one.
    var movedAt: Instant? {
        guard let newest else { return nil }
        return EnvironmentClass(newest.environment) == .production ? movedInProductionAt : movedInTestsAt
    }

    mutating func add(_ observation: Observation, _ policy: Policy) {
        guard observation.isGenuine, let createdAt = observation.createdAt else { return }
        if let device = observation.device { devices.insert(device) }
        if !observation.accountID.isEmpty { accounts.insert(observation.accountID) }
        var isShown = false
        for purchase in observation.purchases where purchase.isPeriod(of: observation.bundleID, policy) {
            isShown = true
            earliestPurchase = min(earliestPurchase ?? purchase.purchaseDate, purchase.purchaseDate)
        }
        proofs.add(observation, showsPeriod: isShown, createdAt: createdAt)
        guard isShown else { return }
        update(
            ReceiptIdentity(
                createdAt: createdAt, bundleID: observation.bundleID, environment: observation.environment))
    }

    /// Adds what a token says of a chain that took the place of this one.
    mutating func add(successor observation: Observation, _ policy: Policy, asOf: Instant) {
        for purchase in observation.purchases where purchase.isPeriod(of: observation.bundleID, policy) {
            let start = purchase.originalPurchaseDate ?? purchase.purchaseDate
            guard start <= asOf else { continue }
            if observation.environmentClass == .production {
                movedInProductionAt.add(start)
            } else {
                movedInTestsAt.add(start)
            }
        }
    }

    /// Adds what other observations say.
    mutating func add(_ other: SubscriptionEvidence) {
        movedInProductionAt.add(other.movedInProductionAt)
        movedInTestsAt.add(other.movedInTestsAt)
        earliestPurchase.add(other.earliestPurchase)
        appsDiffer = appsDiffer || other.appsDiffer
        environmentsDiffer = environmentsDiffer || other.environmentsDiffer
        devices.add(other.devices)
        accounts.add(other.accounts)
        proofs.add(other.proofs)
        if let receipt = other.newest { update(receipt) }
    }

    private mutating func update(_ receipt: ReceiptIdentity) {
        guard let newest else { return self.newest = receipt }
        if newest.bundleID != receipt.bundleID { appsDiffer = true }
        if newest.environment != receipt.environment { environmentsDiffer = true }
        if newest < receipt { self.newest = receipt }
    }

    /// What identifies a receipt here. Of equally new ones the one with the smaller ids is the greater.
    struct ReceiptIdentity: Comparable, Codable {
        let createdAt: Instant
        let bundleID: ExactText
        let environment: ExactText

        static func < (a: ReceiptIdentity, b: ReceiptIdentity) -> Bool {
            (a.createdAt, b.bundleID, b.environment) < (b.createdAt, a.bundleID, a.environment)
        }
    }
}
