import Encodings
import Files
import Inputs
import Receipts
import Rules
import Sorting

/// A transaction of a product that sales reports name, as one proof shows it.
struct ShownSale: SortedRecord {
    /// What is the same in each proof of it: the period of a subscription, otherwise the first transaction, because a
    /// restore has another id.
    var identity: ExactText = ""
    /// Whether evidence shows it, and not a claim.
    var isEvidence = false
    /// The day of the purchase in Pacific time, in days since 1970-01-01.
    var day = 0
    /// The index of its product in the reports.
    var product = 0
    var quantity = 1
    var bundleID: ExactText = ""

    init() {}

    /// - Returns: `nil` if it is no sale: a member's, or free.
    init?(_ purchase: Purchase, isEvidence: Bool, product: Int, _ bundleID: ExactText) {
        let details = purchase.details
        let isFree = purchase.isTrialPeriod || details?.price == 0 && details?.seats?.tiers.isEmpty ?? true
        guard !isFree, details?.isMember != true else { return nil }
        let isRestorable = purchase.expiresDate == nil
        let date = isRestorable ? purchase.originalPurchaseDate ?? purchase.purchaseDate : purchase.purchaseDate
        // Seats that are added share the line of their period, and are sold separately.
        let isAddition = details?.additionalReason != nil
        identity =
            isRestorable ? purchase.original : isAddition ? purchase.transactionID : purchase.identity
        self.isEvidence = isEvidence
        day = Int(PacificTime.day(of: date))
        self.product = product
        quantity = min(max(1, purchase.quantity ?? 1), Self.maxQuantity)
        self.bundleID = bundleID
    }

    private static let maxQuantity = 1 << 20

    static var unread: ShownSale { ShownSale() }

    var prefix: UInt64 { identity.stableHash }

    /// Writes or reads it. Records sort by identity, claims before evidence.
    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.sortable(&identity)
        try coder.bool(&isEvidence)
        var number = Int64(day)
        try coder.signed(&number)
        day = Int(number)
        try coder.count(&product)
        try coder.count(&quantity)
        try coder.text(&bundleID)
    }
}

/// Collects what one worker sees of the products in sales reports, sorted by transaction.
final class SaleCollector {
    private let sales: SalesReports
    private let policy: Policy
    private let sorter: ValueSorter<ShownSale>

    init(_ sales: SalesReports, _ policy: Policy, _ storage: Storage) {
        self.sales = sales
        self.policy = policy
        sorter = ValueSorter(storage.divided(by: 32))
    }

    /// Adds what a claim, or evidence, shows. Nobody pays in test environments.
    func add(_ observations: ClaimObservations) throws(FileError) {
        let shown = observations.presented
        guard shown.isGenuine, policy.isMoney(of: shown.bundleID, in: shown.environment) else { return }
        for purchase in observations.purchases {
            guard !purchase.original.isEmpty, purchase.details?.commerce == nil,
                let product = sales.place(of: purchase.productID),
                let sale = ShownSale(purchase, isEvidence: shown.isEvidence, product: product, shown.bundleID.boundedID)
            else { continue }
            try sorter.add(sale)
        }
    }

    func finish() throws(FileError) -> [SortedRun] { try sorter.finish() }
}
