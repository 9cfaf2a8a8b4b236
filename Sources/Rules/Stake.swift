package import Encodings
package import Receipts

/// Which transactions a finding about a group puts at stake (columns `at_stake` and `unpriced`).
public enum StakeKind: Sendable {
    /// Those that ``GroupRule/atStake(in:)`` chooses of what the finding's claims show under the key.
    case shown
    /// Those of the receipt whose period or unlock holds when it is presented last.
    case held
    case none
}

/// The distinct transactions that a finding puts at stake, up to a number that is counted exactly.
public struct Stake: Mergeable, Sendable {
    private var transactions = BottomMap<Transaction, Item>()

    public init() {}

    /// Names a transaction: two environments may number different ones alike.
    package struct Transaction: Hashable, Comparable, Codable, Sendable {
        package var id: ExactText
        /// As keys have it.
        package var environment: ExactText

        package init(_ id: ExactText, in environment: ExactText = "Production") {
            (self.id, self.environment) = (id, environment)
        }

        package static func < (a: Transaction, b: Transaction) -> Bool {
            (a.id, a.environment) < (b.id, b.environment)
        }
    }

    /// What was bought in a transaction. If several proofs show it, the first product in the alphabet counts, and the
    /// price that was signed last.
    package struct Item: Mergeable, Sendable {
        package var bundleID: ExactText
        package var productID: ExactText
        /// As a token states it; `nil` if none does.
        package var price: SignedPrice?
        /// Whether somebody else paid for it: it is worth nothing here.
        package var isMember: Bool

        package init(bundleID: ExactText, productID: ExactText, price: SignedPrice? = nil, isMember: Bool = false) {
            (self.bundleID, self.productID, self.price, self.isMember) = (bundleID, productID, price, isMember)
        }

        package mutating func add(_ other: Item) {
            if (other.productID, other.bundleID) < (productID, bundleID) {
                (productID, bundleID) = (other.productID, other.bundleID)
            }
            price = .newest(price, other.price)
            isMember = isMember || other.isMember
        }
    }

    init(_ transactions: BottomMap<Transaction, Item>) { self.transactions = transactions }

    /// Restores what was at stake.
    package init(_ items: [(transaction: Transaction, item: Item)], isComplete: Bool) {
        transactions = BottomMap(items.map { ($0.transaction, $0.item) }, isComplete: isComplete)
    }

    package var items: [(transaction: Transaction, item: Item)] {
        transactions.sorted.map { (transaction: $0.key, item: $0.value) }
    }

    package var isComplete: Bool { transactions.isComplete }

    /// The number of transactions that are kept.
    package var count: Int { transactions.count }

    /// Adds a purchase that a claim shows.
    mutating func add(_ purchase: Purchase, of observation: Observation) {
        transactions.add(Transaction(purchase, of: observation), Item(purchase, of: observation))
    }

    package mutating func add(_ other: Stake) { transactions.add(other.transactions) }

    /// Returns the sum of what was paid for them, each as the newest token states it, else as the policy has it, and the
    /// number of transactions without a price, or with one in another currency. Those of members count as neither.
    ///
    /// The currency is that of the policy, if it has one currency and any price is in it; else the one that most prices
    /// have, of several the first in the alphabet.
    package func amount(_ rules: RuleSet) -> (amount: AmountAtStake?, unpriced: Int) {
        let apps = rules.policy.apps
        var sums: [ExactText: (count: Int, millionths: Int128)] = [:]
        var paid = 0
        transactions.forEachValue { item in
            guard !item.isMember else { return }
            paid += 1
            let signed = item.price.map { (currency: $0.currency, millionths: $0.millionths) }
            let listed = apps[item.bundleID]?.products?[item.productID]?.price
            guard let price = signed ?? listed.map({ ($0.currency, $0.millionths) }) else { return }
            let sum = sums[price.currency] ?? (0, 0)
            sums[price.currency] = (sum.count + 1, sum.millionths + Int128(price.millionths))
        }
        let commonest = sums.min { ($1.value.count, $0.key) < ($0.value.count, $1.key) }?.key
        guard let currency = rules.currency.flatMap({ sums[$0] == nil ? nil : $0 }) ?? commonest,
            let sum = sums[currency]
        else { return (nil, paid) }
        var amount = AmountAtStake(millionths: Int64(clamping: sum.millionths), currency: currency)
        amount.isLeast = !isComplete
        return (amount, paid - sum.count)
    }
}

extension Stake.Transaction {
    init(_ purchase: Purchase, of observation: Observation) {
        self.init(purchase.transactionID.boundedID, in: observation.environmentClass.name)
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
    /// The same at the prices that evidence states of the claim's purchases; `nil` if it states none of those at stake.
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
