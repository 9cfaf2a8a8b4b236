import Encodings
import Receipts

/// Finds devices, accounts and people with several trials in one subscription group.
struct TrialAbuse: GroupRule {
    static let documentation = RuleDocumentation(
        id: "trial-abuse",
        title: "Several trials of one subscription",
        severity: .medium,
        exceptions: [.init(.high, "if two of them are in one original transaction")],
        raisedWhen: """
            genuine proofs of one account, of one `appTransactionId`, or of one device whose hash matches, show more \
            than \(maxTrials.standard) trial or introductory period in one subscription group of an app
            """,
        details: """
            Without a policy each product is a group of its own. A group and a product of the same name are two.
            Periods are told apart by web order line item (attribute 1711) or, without one, by transaction.
            Introductory periods of one product in one original transaction count as one unless a paid period that \
            some proof shows lies between them.
            A token shows its own period. A receipt contributes these paid periods of a product: those between its \
            own trial or introductory periods, the last one before them and the first one after them. A receipt \
            without such a period contributes its first and its last paid period, unless it shows the original \
            transaction itself.
            Promotional, code and win-back offers (attribute 1721, a token's `offerType` other than 1) are no \
            trials. Their periods count as paid unless they are marked as trial or introductory.
            Nor are those of a receipt that a token shows at such an offer: of evidence, or of the same account, \
            person or device.
            Purchases of somebody else (`inAppOwnershipType` is not PURCHASED) are no trials.
            Nor is a trial in a chain that took the place of another (`previousOriginalTransactionId`): there one \
            customer goes on.
            """,
        why: """
            Apple gives each customer one introductory offer in a subscription group. A customer who has more \
            switches from one Apple Account to the next. Two within one original transaction, which belongs to one \
            customer, should not exist.
            """,
        whenWrong: """
            A family on one device rightly has a trial for each member: each gets receipts and transactions of their \
            own. Restored purchases appear on every device of an account. Receipts do not say that a free period is \
            that of an offer code: give tokens as evidence. Upgrades change the product inside one original \
            transaction: name the group in the policy, or each product counts as a group of its own. Testers reset \
            their offers in the sandbox, and App Review and TestFlight send such receipts to production. Proofs \
            that somebody else sends under a device's id do not match it and do not count. Confidence is likely for \
            accounts and people and possible for devices, and doubtful if all periods are of test environments.
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
        .raised(
            "two trials are in one original transaction, with a paid period between", .high,
            ExampleClaim(receipt: ExampleReceipt(1, trial(1), paid(2), trial(3, of: 1)))),
        .raised(
            "they stand in two receipts, one with the paid period", .high,
            ExampleClaim(receipt: ExampleReceipt(1, trial(1))),
            ExampleClaim(receipt: ExampleReceipt(2, paid(2), trial(3, of: 1)))),
        .raised(
            "they and the paid period stand in three receipts", .high,
            ExampleClaim(receipt: ExampleReceipt(1, trial(1))), ExampleClaim(receipt: ExampleReceipt(2, paid(2))),
            ExampleClaim(receipt: ExampleReceipt(3, trial(3, of: 1)))),
        .raised(
            "two trials of one group are in one original transaction", .high, policy: oneGroup, claim(1),
            claim(2, "silver", of: 1)),
        .raised(
            "two products are one group in the policy", .medium, policy: oneGroup, claim(1), claim(2, "silver")),
        .raised(
            "tokens of one person show two", .medium, token(1, of: "704"), token(2, of: "704", product: "gold")),
        .clear(
            "two strangers have one each, and an export has a placeholder for their accounts",
            claim(1, account: "NULL"), claim(2, device: "B", account: "NULL")),
        .clear(
            "a bundle goes on where a subscription ended, with a trial", token(1, of: "704"),
            token(2, of: "704", after: "460000000000001")),
        .clear(
            "a seat that an employer gives is at a trial, too", token(1, of: "704"),
            token(2, of: "704", ownership: "ASSIGNED")),
        .clear("the members of a family have one each", token(1, of: "704"), token(2, of: "705")),
        .clear(
            "an introductory price for three periods is one offer",
            ExampleClaim(receipt: ExampleReceipt(1, trial(1), trial(2, of: 1), trial(3, of: 1)))),
        .clear("a promotional offer is none", claim(1), claim(2, offer: "come-back")),
        .clear(
            "a token shows that the second free month of a receipt is that of an offer code",
            ExampleClaim(receipt: ExampleReceipt(1, trial(1), paid(2), trial(3, of: 1))),
            ExampleClaim(token: ExampleToken(2, trial(3, of: 1, offer: "spring")))),
        .clear("two products are groups of their own without a policy", claim(1), claim(2, "silver")),
        .clear("somebody sends another's receipt under the device's id", claim(1), claim(2, deviceHashMatches: false)),
        .clear("one trial is sent in twice", claim(1), claim(1)),
        .clear("a restored trial is the same period", claim(1, line: 7), claim(2, of: 1, line: 7)),
        .clear("two apps have a product of the same name", claim(1), claim(2, app: "com.example.draw")),
    ]

    private static func claim(
        _ number: Int, _ product: ExactText = "gold", of original: Int? = nil, line: Int? = nil, device: String = "A",
        deviceHashMatches: Bool = true, account: ExactText = "", app: ExactText = "com.example.notes",
        offer: ExactText? = nil
    ) -> ExampleClaim {
        ExampleClaim(
            device: device, deviceHashMatches: deviceHashMatches, account: account,
            receipt: ExampleReceipt(
                number, bundleID: app, trial(number, product, of: original, line: line, offer: offer)))
    }

    private static func token(
        _ number: Int, of person: ExactText, product: ExactText = "gold", after previous: ExactText? = nil,
        ownership: ExactText = "PURCHASED"
    ) -> ExampleClaim {
        ExampleClaim(
            device: "D\(number)",
            token: ExampleToken(
                number, person: person, trial(number, product, after: previous, ownership: ownership)))
    }

    private static func trial(
        _ number: Int, _ product: ExactText = "gold", of original: Int? = nil, line: Int? = nil,
        offer: ExactText? = nil, after previous: ExactText? = nil, ownership: ExactText = "PURCHASED"
    ) -> ExamplePurchase {
        ExamplePurchase(
            product, "46000000000000\(number)", of: original.map { "46000000000000\($0)" },
            bought: "2026-02-0\(number)", expires: "2026-02-1\(number)", line: line, isTrial: true, offer: offer,
            ownership: ownership, previousOriginal: previous)
    }

    private static func paid(_ number: Int) -> ExamplePurchase {
        ExamplePurchase(
            "gold", "46000000000000\(number)", of: "460000000000001", bought: "2026-02-0\(number)",
            expires: "2026-02-1\(number)")
    }

    private static var oneGroup: Policy {
        var product = Product()
        product.group = "premium"
        var policy = Policy()
        policy.apps["com.example.notes"] = Policy.App(products: ["gold": product, "silver": product])
        return policy
    }

    static let keys = [KeyKind.device, .account, .person]
    static let addsEvents = true
    static let minObservations = 1
    static let looksAtPurchasesOnly = true
    private static let maxTrials = RuleLimit(
        "trials", standard: 1, in: 1...4000, "more than this many trials or introductory periods are in one group")

    private let policy: Policy
    private let maxTrials: Int
    private var key = KeyKind.account
    private var periods = BottomMap<TrialPeriod.Key, TrialPeriod>()
    /// The periods that tokens show at other offers. Receipts do not name offer codes.
    private var others = BottomSet<TrialPeriod.Key>()
    /// The start dates of paid periods.
    private var paid = BottomSet<PaidPeriod>()
    private var abused: Set<TrialPeriod.Group> = []

    init(_ policy: Policy) {
        self.policy = policy
        maxTrials = policy.value(of: Self.maxTrials, in: Self.self)
    }

    var minSignificantPurchases: Int { maxTrials + 1 }

    mutating func begin(_ key: KeyKind) { self.key = key }

    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { key == .device ? .init(marked: 2) : .init(contents: 2) }

    func mayRaise(_ observation: borrowing Observation) -> Bool {
        observation.purchases.hasAny { $0.isTrialPeriod || $0.isInIntroOfferPeriod }
    }

    mutating func add(_ observation: Observation) {
        guard isCounted(observation) else { return }
        for purchase in observation.purchases {
            var period: TrialPeriod.Key {
                TrialPeriod.Key(group: group(of: purchase, observation), identity: purchase.identity)
            }
            if purchase.isAtOtherOffer { others.insert(period) }
            if purchase.isFirstTime {
                periods.add(period, TrialPeriod(purchase, observation))
            } else if purchase.isPaidPeriod, !purchase.isMember {
                paid.insert(
                    PaidPeriod(
                        product: purchase.productID.boundedID, original: purchase.original.boundedID,
                        date: purchase.purchaseDate))
            }
        }
    }

    mutating func hit() -> Hit? {
        let paidDates = Dictionary(grouping: paid.keys, by: \.subscription)
            .mapValues { $0.map(\.date).sorted() }
        let others = Set(others.keys)
        let groups = Dictionary(grouping: periods.unordered.filter { !others.contains($0.key) }) { $0.key.group }
            .mapValues { TrialPeriod.offers(in: $0.map(\.value), paidDates) }
            .filter { $0.value.count > maxTrials }
        abused = Set(groups.keys)
        guard !abused.isEmpty else { return nil }
        let isWithinOne = groups.values.contains { Set($0.map(\.original)).count < $0.count }
        let lists = groups.sorted { $0.key < $1.key }.map { group, offers in
            "\(offers.count) trials or introductory offers of \(group): "
                + offers.sorted().listedOfAll { $0.text }
        }
        var evidence = lists.listedOfAll(by: "; ") { $0 }
        if !periods.isComplete { evidence += "; only \(periods.count) of more periods were compared" }
        let isTest = groups.values.allSatisfy { $0.allSatisfy(\.isTest) }
        return Hit(
            evidence, severity: isWithinOne ? .high : nil,
            confidence: isTest ? .doubtful : key == .device ? .possible : .likely,
            events: groups.values.reduce(0) { $0 + $1.count })
    }

    func involves(_ observation: Observation) -> Bool {
        isCounted(observation)
            && observation.purchases.contains { $0.isFirstTime && abused.contains(group(of: $0, observation)) }
    }

    /// Only matching claims of a device count: anybody who knows its id can make the others.
    private func isCounted(_ observation: Observation) -> Bool {
        key == .device ? observation.isMatching : observation.isGenuine
    }

    private func group(of purchase: Purchase, _ observation: Observation) -> TrialPeriod.Group {
        let group = policy.apps[observation.bundleID]?.products?[purchase.productID]?.group
        return TrialPeriod.Group(
            app: observation.bundleID, name: group ?? purchase.productID, isProduct: group == nil)
    }
}
