import Encodings
import Receipts

/// Finds bursts of purchases across several receipts of one account, on behalf of ``PurchaseBurst``.
struct AccountBurst: GroupRule {
    static var documentation: RuleDocumentation { PurchaseBurst.documentation }
    static let examples: [RuleExample] = []
    static let keys = [KeyKind.account]
    static let minObservations = 1
    static let looksAtPurchasesOnly = true
    /// ``PurchaseBurst`` finds the bursts of single receipts.
    var minSignificantPurchases: Int { .max }

    private let limits: BurstLimits
    /// By transaction, up to a limit.
    private var purchases = BottomMap<ExactText, Burst.Entry>()
    /// Whether one receipt shows a burst by itself, and whether any receipt is from production.
    private var isInOneReceipt = false
    private var isProduction = false
    private var burst: Burst?

    init(_ policy: Policy) { limits = PurchaseBurst.limits(policy) }

    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { .init(contents: 2) }

    func mayRaise(_ observation: borrowing Observation) -> Bool {
        observation.purchases.hasAny { $0.expiresDate == nil }
    }

    mutating func add(_ observation: Observation) {
        guard observation.isGenuine else { return }
        if observation.isBurst { isInOneReceipt = true }
        let single = observation.purchases.filter { Self.isCounted($0) }
        guard !single.isEmpty else { return }
        if observation.environmentClass == .production { isProduction = true }
        for purchase in single {
            let transaction = purchase.transactionID.boundedID
            purchases.add(
                transaction,
                Burst.Entry(
                    date: purchase.purchaseDate, transaction: transaction, product: purchase.productID.boundedID))
        }
    }

    mutating func hit() -> Hit? {
        guard !isInOneReceipt else { return nil }
        guard let found = limits.burst(in: purchases.sorted.map(\.value)) else { return nil }
        burst = found
        return Hit(
            found.text + ", in several receipts", confidence: isProduction ? nil : .doubtful,
            events: found.purchases.count)
    }

    func involves(_ observation: Observation) -> Bool {
        guard observation.isGenuine, let first = burst?.purchases.first, let last = burst?.purchases.last else {
            return false
        }
        return observation.purchases.contains {
            Self.isCounted($0) && $0.purchaseDate >= first.date && $0.purchaseDate <= last.date
        }
    }

    /// Periods renew automatically, and somebody else buys what a member has.
    private static func isCounted(_ purchase: Purchase) -> Bool { purchase.expiresDate == nil && !purchase.isMember }
}
