package import Encodings
package import Receipts

/// The transactions that a finding about a group puts at stake (columns `at_stake` and `unpriced`).
public enum StakeKind: Sendable {
    /// The transactions that ``GroupRule/atStake(in:)`` selects from the finding's claims under the key.
    case shown
    /// The receipt's transactions with a period or unlock that holds at the last presentation.
    case held
    case none
}

/// The distinct transactions that a finding puts at stake, up to a number that is counted exactly.
public struct Stake: Mergeable, Sendable {
    private var transactions = BottomMap<Transaction, Item>()

    public init() {}

    /// Identifies a purchase: two environments may use the same number. Its id is the transaction; but where receipts
    /// show one purchase under several transactions, because it was restored, it is what these have in common: the
    /// original transaction, for a period with its web order line item.
    package typealias Transaction = ScopedID

    /// The purchase of a transaction. If several proofs show it, the alphabetically first product counts, and the price
    /// that was signed last.
    package struct Item: Mergeable, Sendable {
        package var bundleID: ExactText
        package var productID: ExactText
        /// The price in a token; `nil` if no token has one.
        package var price: SignedPrice?
        /// Whether somebody else paid for it, so that it is worth nothing here.
        package var isMember: Bool

        package init(bundleID: ExactText, productID: ExactText, price: SignedPrice? = nil, isMember: Bool = false) {
            self.bundleID = bundleID
            self.productID = productID
            self.price = price
            self.isMember = isMember
        }

        package mutating func add(_ other: Item) {
            if (other.productID, other.bundleID) < (productID, bundleID) {
                productID = other.productID
                bundleID = other.bundleID
            }
            price = .newest(price, other.price)
            isMember = isMember || other.isMember
        }
    }

    init(_ transactions: BottomMap<Transaction, Item>) { self.transactions = transactions }

    /// Restores transactions at stake.
    package init(_ items: [(transaction: Transaction, item: Item)], isComplete: Bool) {
        transactions = BottomMap(items.map { ($0.transaction, $0.item) }, isComplete: isComplete)
    }

    package var items: [(transaction: Transaction, item: Item)] {
        transactions.sorted.map { (transaction: $0.key, item: $0.value) }
    }

    package var isComplete: Bool { transactions.isComplete }

    /// The number of kept transactions.
    package var count: Int { transactions.count }

    /// Adds a purchase that a claim shows.
    mutating func add(_ purchase: Purchase, of observation: Observation) {
        transactions.add(Transaction(purchase, of: observation), Item(purchase, of: observation))
    }

    package mutating func add(_ other: Stake) { transactions.add(other.transactions) }

    /// Returns the total price, and the number of transactions without a price or with one in another currency. A price
    /// is the newest one in a token, or the policy's if no token has one. Transactions that nobody here paid for count
    /// for neither: members', tests, and what the policy excludes.
    ///
    /// The currency is the policy's, if it has a single one and any price is in it; otherwise the most frequent one,
    /// and the alphabetically first of equals.
    package func amount(_ rules: RuleSet) -> (amount: AmountAtStake?, unpriced: Int) {
        totals(rules).amount(rules, isLeast: !isComplete)
    }

    /// Returns the totals in all currencies, that of ``amount(_:)`` first, then the most frequent ones, and the number
    /// of transactions without a price.
    package func amounts(_ rules: RuleSet) -> (amounts: [AmountAtStake], unpriced: Int) {
        let totals = totals(rules)
        let first = totals.currency(rules)
        let sorted = totals.sums.sorted { a, b in
            (a.key == first ? 0 : 1, b.value.count, a.key) < (b.key == first ? 0 : 1, a.value.count, b.key)
        }
        return (
            sorted.map { AmountAtStake($0.value.millionths, $0.key, isLeast: !isComplete) },
            totals.paid - sorted.reduce(0) { $0 + $1.value.count }
        )
    }

    /// The transactions at stake by app.
    package var byApp: [ExactText: Stake] {
        Dictionary(grouping: items, by: \.item.bundleID).mapValues { Stake($0, isComplete: isComplete) }
    }

    func totals(_ rules: RuleSet) -> StakeTotals {
        var totals = StakeTotals()
        for (transaction, item) in transactions.unordered { totals.count(item, of: transaction, 1, rules) }
        return totals
    }

    /// The maximum number of kept transactions.
    static let limit = BottomMap<Transaction, Item>.standardLimit
}

/// An id in an environment.
package struct ScopedID: Hashable, Comparable, Sendable {
    package var id: ExactText
    /// The environment as it is in keys.
    package var environment: ExactText

    package init(_ id: ExactText, in environment: ExactText = "Production") {
        self.id = id
        self.environment = environment
    }

    package static func < (a: ScopedID, b: ScopedID) -> Bool { (a.id, a.environment) < (b.id, b.environment) }
}

/// The number of transactions that somebody paid for, and the total price by currency.
struct StakeTotals: Sendable {
    private(set) var sums: [ExactText: (count: Int, millionths: Int128)] = [:]
    private(set) var paid = 0

    /// Counts a transaction, or takes it back.
    ///
    /// - Parameter change: 1, or -1.
    mutating func count(_ item: Stake.Item, of transaction: Stake.Transaction, _ change: Int, _ rules: RuleSet) {
        guard !item.isMember, rules.policy.isMoney(of: item.bundleID, in: transaction.environment) else { return }
        paid += change
        let signed = item.price.map { (currency: $0.currency, millionths: $0.millionths) }
        let listed = rules.policy.apps[item.bundleID]?.products?[item.productID]?.price
        guard let price = signed ?? listed.map({ ($0.currency, $0.millionths) }) else { return }
        var sum = sums[price.currency] ?? (0, 0)
        sum = (sum.count + change, sum.millionths + Int128(change) * Int128(price.millionths))
        sums[price.currency] = sum.count == 0 ? nil : sum
    }

    /// Returns the total price in one currency, and the number of transactions without a price in it.
    ///
    /// - Parameter isLeast: whether not all transactions are known.
    func amount(_ rules: RuleSet, isLeast: Bool) -> (amount: AmountAtStake?, unpriced: Int) {
        guard let currency = currency(rules), let sum = sums[currency] else { return (nil, paid) }
        return (AmountAtStake(sum.millionths, currency, isLeast: isLeast), paid - sum.count)
    }

    func currency(_ rules: RuleSet) -> ExactText? {
        let commonest = sums.min { ($1.value.count, $0.key) < ($0.value.count, $1.key) }?.key
        return rules.currency.flatMap { sums[$0] == nil ? nil : $0 } ?? commonest
    }
}

extension AmountAtStake {
    fileprivate init(_ millionths: Int128, _ currency: ExactText, isLeast: Bool) {
        self.init(millionths: Int64(clamping: millionths), currency: currency)
        self.isLeast = isLeast
    }
}

extension SignedPrice: Mergeable {
    package mutating func add(_ other: SignedPrice) { if other.counts(before: self) { self = other } }
}

extension Stake.Transaction {
    init(_ purchase: Purchase, of observation: Observation) {
        var id = purchase.transactionID.boundedID
        if purchase.original.isID, !purchase.mayBeAddition {
            if let line = purchase.webOrderLineItemID {
                id = "\(purchase.original.boundedID) \(line)"
            } else if purchase.expiresDate == nil, observation.kind == nil {
                id = purchase.original.boundedID
            }
        }
        self.init(id, in: observation.environmentClass.name)
    }
}

extension Stake.Item {
    init(_ purchase: Purchase, of observation: Observation) {
        self.init(
            bundleID: observation.bundleID.boundedID, productID: purchase.productID.boundedID,
            price: purchase.signedPrice(at: observation.createdAt), isMember: purchase.isMember)
    }
}

extension Finding {
    /// Returns the finding with the prices that evidence states for the claim's purchases; `nil` if it states none of
    /// those at stake.
    package func priced(by amended: ClaimObservations) -> Finding? {
        guard !stake.items.isEmpty else { return nil }
        let atStake = Set(stake.items.map(\.transaction))
        var priced = self
        var isPriced = false
        for purchase in amended.purchases where purchase.evidencePrice != nil {
            guard atStake.contains(Stake.Transaction(purchase, of: amended.presented)) else { continue }
            priced.stake.add(purchase, of: amended.presented)
            isPriced = true
        }
        return isPriced ? priced : nil
    }
}
