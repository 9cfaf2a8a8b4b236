import Encodings
import Inputs
import Receipts
import Rules

/// The state over observations of a subscription as a whole.
struct SubscriptionEvidence: Sendable {
    /// The newest receipt with the subscription; for equal dates the one with the smaller ids.
    private(set) var newest: ReceiptIdentity?
    /// Attribute 1704 of any period. Every purchase has it, so that attribute 1706 is not needed.
    private(set) var earliestPurchase: Instant?
    private(set) var appsDiffer = false
    private(set) var environmentsDiffer = false
    private(set) var devices = DistinctSketch<Device>()
    private(set) var accounts = DistinctSketch<ExactText>()
    private(set) var proofs = LatestProofs()
    /// Whether a claim shows it, and not only evidence.
    private(set) var isClaimed = false
    /// The earliest start of a chain of transactions that replaced this one, according to that chain's tokens from
    /// production.
    private var movedInProductionAt: Instant?
    /// The same according to tokens from test environments, which have different numbers.
    private var movedInTestsAt: Instant?

    /// When a chain of transactions in the same kind of environment that replaced this one began.
    var movedAt: Instant? {
        guard let newest else { return nil }
        return EnvironmentClass(newest.environment) == .production ? movedInProductionAt : movedInTestsAt
    }

    mutating func add(_ observation: Observation, _ policy: Policy) {
        guard observation.isGenuine, let createdAt = observation.createdAt else { return }
        isClaimed = isClaimed || !observation.isEvidence
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

    /// Adds a token of a chain that replaced this one.
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

    private mutating func update(_ receipt: ReceiptIdentity) {
        guard let newest else { return self.newest = receipt }
        if newest.bundleID != receipt.bundleID { appsDiffer = true }
        if newest.environment != receipt.environment { environmentsDiffer = true }
        if newest < receipt { self.newest = receipt }
    }

    /// The identity of a receipt here. For equal dates the one with the smaller ids is the greater.
    struct ReceiptIdentity: Comparable {
        let createdAt: Instant
        let bundleID: ExactText
        let environment: ExactText

        static func < (a: ReceiptIdentity, b: ReceiptIdentity) -> Bool {
            (a.createdAt, b.bundleID, b.environment) < (b.createdAt, a.bundleID, a.environment)
        }
    }
}
