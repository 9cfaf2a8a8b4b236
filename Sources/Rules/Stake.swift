package import Encodings
import Receipts

/// Which transactions a finding of a rule puts at stake (columns `at_stake` and `unpriced`).
public enum StakeKind: Sendable {
    /// The transaction that is the finding's subject.
    case subject
    /// The refunded purchases that claims show.
    case refunds
    /// The latest purchase of the product that the claim asks for.
    case asked
    case none
}

/// The distinct transactions that a finding puts at stake, up to a number that is counted exactly.
public struct Stake: Mergeable, Sendable {
    private var transactions = BottomK<ExactText, Item>()

    public init() {}

    /// What was bought in a transaction. Of several, one that names a product is the least, and then one that names a
    /// price.
    package struct Item: Comparable, Codable, Sendable {
        package var bundleID: ExactText
        package var productID: ExactText
        /// As a token shows it, in millionths of the currency's unit; `nil` if none does.
        package var millionths: Int64?
        /// ISO 4217; empty without a price.
        package var currency: ExactText = ""

        package init(bundleID: ExactText, productID: ExactText, price: Product.Price? = nil) {
            (self.bundleID, self.productID) = (bundleID, productID)
            (millionths, currency) = (price?.millionths, price?.currency.boundedID ?? "")
        }

        init(_ purchase: Purchase, bundleID: ExactText) {
            self.init(
                bundleID: bundleID.boundedID, productID: purchase.productID.boundedID, price: purchase.shownPrice)
        }

        /// The price that a token shows.
        var shownPrice: Product.Price? { millionths.map { Product.Price(millionths: $0, currency: currency) } }

        package static func < (a: Item, b: Item) -> Bool {
            if a.productID.isEmpty != b.productID.isEmpty { return b.productID.isEmpty }
            if (a.millionths == nil) != (b.millionths == nil) { return b.millionths == nil }
            return (a.productID, a.bundleID, a.currency, a.millionths ?? 0)
                < (b.productID, b.bundleID, b.currency, b.millionths ?? 0)
        }
    }

    /// Restores what was at stake.
    package init(_ items: [(transaction: ExactText, item: Item)], isComplete: Bool) {
        transactions = BottomK(items.map { ($0.transaction, $0.item) }, isComplete: isComplete)
    }

    package var items: [(transaction: ExactText, item: Item)] {
        transactions.sorted.map { (transaction: $0.key, item: $0.note) }
    }

    package var isComplete: Bool { transactions.isComplete }

    /// Adds what a claim shows of the transactions that are at stake.
    ///
    /// - Parameter subject: the finding's subject.
    mutating func add(_ observation: Observation, _ kind: StakeKind, subject: ExactText) {
        switch kind {
        case .none: break
        case .refunds:
            for purchase in observation.purchases where purchase.refundDate != nil { add(purchase, observation) }
        case .subject:
            guard let id = subject.rest(behind: "transaction:") else { return }
            let shown = observation.purchases.filter { $0.transactionID == id }.map {
                Item($0, bundleID: observation.bundleID)
            }
            transactions.insert(
                id.boundedID, shown.min() ?? Item(bundleID: observation.bundleID.boundedID, productID: ""))
        case .asked:
            let asked = observation.purchases.filter { $0.productID == observation.askedProduct }
            let latest = asked.max { ($0.purchaseDate, $1.transactionID) < ($1.purchaseDate, $0.transactionID) }
            if let latest { add(latest, observation) }
        }
    }

    private mutating func add(_ purchase: Purchase, _ observation: Observation) {
        transactions.insert(purchase.transactionID.boundedID, Item(purchase, bundleID: observation.bundleID))
    }

    package mutating func add(_ other: Stake) { transactions.add(other.transactions) }

    /// Adds what is known of the one transaction that is a finding's subject; nothing if its subject is none.
    package mutating func add(_ other: Stake, ofSubject subject: ExactText) {
        guard let id = subject.rest(behind: "transaction:")?.boundedID else { return }
        if let item = other.transactions.note(of: id) { transactions.insert(id, item) }
    }

    /// Returns the sum of the prices, each as a token shows it, else as the policy has it, and the number of transactions
    /// without a price, or with one in another currency.
    ///
    /// The currency is that of the policy, if it has one currency and any price is in it; else the one that most prices
    /// have, of several the first in the alphabet.
    package func amount(_ rules: RuleSet) -> (amount: AmountAtStake?, unpriced: Int) {
        let apps = rules.policy.apps
        var sums: [ExactText: (count: Int, millionths: Int128)] = [:]
        transactions.forEachNote { item in
            guard let price = item.shownPrice ?? apps[item.bundleID]?.products?[item.productID]?.price else { return }
            let sum = sums[price.currency] ?? (0, 0)
            sums[price.currency] = (sum.count + 1, sum.millionths + Int128(price.millionths))
        }
        let commonest = sums.min { ($1.value.count, $0.key) < ($0.value.count, $1.key) }?.key
        guard let currency = rules.currency.flatMap({ sums[$0] == nil ? nil : $0 }) ?? commonest,
            let sum = sums[currency]
        else { return (nil, transactions.count) }
        var amount = AmountAtStake(millionths: Int64(clamping: sum.millionths), currency: currency)
        amount.isLeast = !isComplete
        return (amount, transactions.count - sum.count)
    }
}
