import Encodings
import Receipts

/// Finds devices and accounts with several trials in one subscription group.
struct TrialAbuse: GroupRule {
    static let documentation = RuleDocumentation(
        id: "trial-abuse",
        title: "Several trials of one subscription",
        severity: .medium,
        exceptions: [.init(.high, "if two of them are in one original transaction")],
        raisedWhen: """
            receipts of one device, or of one account, show more than \(maxTrials.standard) trial or introductory \
            period in one subscription group of an app (without a policy, each product is a group of its own)
            """,
        why: """
            Apple gives each customer one introductory offer in a subscription group. A customer who has more switches \
            from one Apple Account to the next; two within one original transaction, which belongs to one customer, \
            should not exist.
            """,
        whenWrong: """
            A pay-as-you-go introductory offer is one offer with several introductory periods, all in one original \
            transaction: raise the limit to their number if you sell such offers. A family on one device rightly has a \
            trial for each member: each gets receipts and transactions of their own. Restored purchases appear on \
            every device of an account. Upgrades change the product inside one original transaction: name the group in \
            the policy, or its products are taken for groups of their own. Testers reset their offers in the sandbox, \
            and App Review and TestFlight send such receipts to production.
            """,
        whatToDo: """
            Look at the dates: trials that follow each other without a gap are farmed. Offer the trial per account of \
            your own service, not per Apple Account, and record who had it.
            """,
        limits: [maxTrials])

    static let examples: [RuleExample] = [
        .raised("a device has a trial under each of two Apple Accounts", .medium, claim(1), claim(2)),
        .raised(
            "an account has one on each of two devices", .medium, claim(1, account: "ann"),
            claim(2, device: "B", account: "ann")),
        .raised("two trials are in one original transaction", .high, claim(1), claim(2, of: 1)),
        .raised(
            "two products are one group in the policy", .medium, policy: oneGroup, claim(1), claim(2, "silver")),
        .clear("two products are groups of their own without a policy", claim(1), claim(2, "silver")),
        .clear("one trial is sent in twice", claim(1), claim(1)),
        .clear("a restored trial is the same period", claim(1, line: 7), claim(2, of: 1, line: 7)),
        .clear("two apps have a product of the same name", claim(1), claim(2, app: "com.example.draw")),
    ]

    private static func claim(
        _ number: Int, _ product: ExactText = "gold", of original: Int? = nil, line: Int? = nil, device: String = "A",
        account: ExactText = "", app: ExactText = "com.example.notes"
    ) -> ExampleClaim {
        let trial = ExamplePurchase(
            product, "46000000000000\(number)", of: original.map { "46000000000000\($0)" },
            bought: "2026-02-0\(number)",
            expires: "2026-02-1\(number)", line: line, isTrial: true)
        return ExampleClaim(
            device: device, account: account, receipt: ExampleReceipt(number, bundleID: app, purchases: [trial]))
    }

    private static var oneGroup: Policy {
        var product = Product()
        product.group = "premium"
        var policy = Policy()
        policy.apps["com.example.notes"] = Policy.App(products: ["gold": product, "silver": product])
        return policy
    }

    static let keys = [KeyKind.device, .account]
    static let minObservations = 1
    static let looksAtPurchasesOnly = true
    private static let maxTrials = RuleLimit(
        "trials", standard: 1, in: 1...4000, "more than this many trials or introductory periods are in one group")

    private let policy: Policy
    private let maxTrials: Int
    private var periods = BottomK<TrialPeriod.Key, TrialPeriod>()
    private var abused: Set<TrialPeriod.Group> = []

    init(_ policy: Policy) {
        self.policy = policy
        maxTrials = policy.value(of: Self.maxTrials, in: Self.self)
    }

    var minSignificantPurchases: Int { maxTrials + 1 }

    mutating func add(_ observation: Observation) {
        for purchase in observation.purchases where purchase.isFirstTime {
            let key = TrialPeriod.Key(group: group(of: purchase, observation), identity: purchase.identity)
            periods.insert(key, TrialPeriod(purchase, Witness(observation)))
        }
    }

    mutating func code(_ coder: inout StateCoder) throws { try coder.code(&periods) }

    mutating func hit() -> Hit? {
        let groups = Dictionary(grouping: periods.sorted) { $0.key.group }.filter { $0.value.count > maxTrials }
        abused = Set(groups.keys)
        guard !abused.isEmpty else { return nil }
        let isWithinOne = groups.values.contains { group in
            Set(group.map(\.note.original)).count < group.count
        }
        let lists = groups.sorted { $0.key < $1.key }.map { group, periods in
            "\(periods.count) trials or introductory periods of \(group): "
                + periods.map(\.note).sorted().listedOfAll { $0.text }
        }
        var evidence = lists.listedOfAll(by: "; ") { $0 }
        if !periods.isComplete { evidence += "; of more than \(periods.count) periods only so many were compared" }
        return Hit(evidence, severity: isWithinOne ? .high : nil)
    }

    func involves(_ observation: Observation) -> Bool {
        observation.purchases.contains { $0.isFirstTime && abused.contains(group(of: $0, observation)) }
    }

    private func group(of purchase: Purchase, _ observation: Observation) -> TrialPeriod.Group {
        TrialPeriod.Group(
            app: observation.bundleID,
            name: policy.subscriptionGroup(of: purchase.productID, app: observation.bundleID))
    }
}

/// A trial or introductory period, as the first claim shows it that has it.
private struct TrialPeriod: Comparable, Codable, Sendable {
    let original: ExactText
    private let product: ExactText
    private let purchaseDate: Instant
    private let isTrial: Bool
    private let witness: Witness

    init(_ purchase: Purchase, _ witness: Witness) {
        original = purchase.original.boundedID
        product = purchase.productID.boundedID
        purchaseDate = purchase.purchaseDate
        isTrial = purchase.isTrialPeriod
        self.witness = witness
    }

    static func < (a: TrialPeriod, b: TrialPeriod) -> Bool {
        if a.purchaseDate != b.purchaseDate { return a.purchaseDate < b.purchaseDate }
        if a.witness != b.witness { return a.witness < b.witness }
        return (a.original, a.product, a.isTrial ? 0 : 1) < (b.original, b.product, b.isTrial ? 0 : 1)
    }

    var text: String {
        let kind = isTrial ? "trial" : "introductory period"
        return "\(kind) of \(product) from \(purchaseDate) (original transaction \(original), \(witness))"
    }

    /// A subscription group of an app.
    struct Group: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
        private let app: ExactText
        private let name: ExactText

        init(app: ExactText, name: ExactText) {
            self.app = app.boundedID
            self.name = name.boundedID
        }

        static func < (a: Group, b: Group) -> Bool { (a.app, a.name) < (b.app, b.name) }

        var description: String { "\(name) (\(app))" }
    }

    /// What identifies a period.
    struct Key: Hashable, Comparable, Codable, Sendable {
        let group: Group
        private let identity: ExactText

        init(group: Group, identity: ExactText) {
            self.group = group
            self.identity = identity.boundedID
        }

        static func < (a: Key, b: Key) -> Bool { (a.group, a.identity) < (b.group, b.identity) }
    }
}
