import Encodings
import Receipts

/// Finds accounts, people and devices with several refunded purchases.
struct RepeatRefunds: GroupRule {
    static let documentation = RuleDocumentation(
        id: "repeat-refunds",
        title: "Several purchases of one account, person or device were refunded",
        severity: .medium,
        confidence: .possible,
        raisedWhen: """
            genuine receipts of one account show \(minPurchases.standard) or more refunded purchases (attribute \
            1712, a token's `revocationDate`, or evidence) on \(minDays.standard) or more days (in UTC)
            """,
        details: """
            Claims that name no account are grouped by `appTransactionId`. Without that, they are grouped by device, \
            and only claims whose device hash matches count.
            Purchases are told apart by web order line item (attribute 1711) or, without one, by original \
            transaction. If a purchase has several dates, the earliest counts.
            Refunds that `refunded-purchase` does not count do not count here.
            Neither does a purchase if a token of the same account, person or device shows that another chain took \
            its place within a day.
            """,
        why: """
            One refund is a mistake or a disappointment. A customer who habitually buys, uses and returns consumes for \
            free, and others follow.
            """,
        whenWrong: """
            Apple refunds the periods of a subscription one by one, so that one complaint can be several refunds, but \
            on one day. Restored purchases appear on every device of an account: refunds of a relative who uses the \
            same Apple Account count here, though family members proper get receipts of their own. In receipts, the \
            end of family sharing and a revoked licence have such a date as well; in tokens these do not count. Test \
            departments refund in the sandbox, and so can TestFlight. A consumable leaves the receipt once finished, \
            so that the true number is often greater. An account id comes from the company's own server, and of a \
            device's claims only those count that match it. Others can present copies of a person's tokens, but the \
            refunds in them are that person's. Confidence is possible, and doubtful if all refunds are of test \
            environments.
            """,
        whatToDo: """
            Look at the dates: refunds on one day are one complaint, refunds month after month are a habit. Answer \
            Apple's requests for consumption information for this account.
            """,
        limits: [minPurchases, minDays])

    static let examples: [RuleExample] = [
        .raised(
            "an account has three refunds on two devices", .medium,
            claims: [
                claim(account: "ann", refunded: 1...2), claim(device: "B", account: "ann", refunded: 2...3),
            ]),
        .raised("a device without an account has three refunds", .medium, claims: [claim(refunded: 1...3)]),
        .raised("a person's tokens show three refunds", .medium, claims: (1...3).map { token($0, of: "704") }),
        .clear("sharing with a family ended three times", claims: (1...3).map { token($0, of: "704", isEnded: true) }),
        .clear(
            "an administrator ended the seats of three apps, which Apple says in a type that nobody knows",
            claims: (1...3).map { token($0, of: "704", ownership: "ASSIGNED", type: "SEAT_TAKEN") }),
        .clear(
            "the buyer of what a child shares was refunded three times",
            claims: (1...3).map { token($0, of: "704", ownership: "FAMILY_SHARED") }),
        .clear(
            "nobody knows why three purchases were taken back",
            claims: (1...3).map { token($0, of: "704", type: "TAKEN") }),
        .clear(
            "somebody switched three times between a bundle and a subscription",
            claims: (1...3).flatMap { [token($0, of: "704", type: nil), next($0, of: "704")] }),
        .raised(
            "three purchases were refunded in full for a reason that buyers give, before a bundle each", .medium,
            claims: (1...3).flatMap { [token($0, of: "704", reason: 0), next($0, of: "704")] }),
        .clear("three people have one each", claims: (1...3).map { token($0, of: "70\($0)") }),
        .clear(
            "three refunds on one day", claim(account: "ann", refunded: 1...3, onDay: 5)),
        .clear(
            "three receipts of others that somebody sends under a device's id",
            claim(deviceHashMatches: false, refunded: 1...3)),
        .clear(
            "a third period was ended by an upgrade", claim(account: "ann", refunded: 1...2), upgrade),
        .clear("two refunds", claim(account: "ann", refunded: 1...2)),
        .clear(
            "the same two refunds in two receipts", claim(account: "ann", refunded: 1...2),
            claim(account: "ann", refunded: 1...2)),
        .clear(
            "a device's three refunds are those of two accounts", claim(account: "ann", refunded: 1...2),
            claim(account: "bob", refunded: 3...3)),
        .clear(
            "a restored period has another transaction, but is the same period",
            claims: (1...3).map { number in
                ExampleClaim(
                    receipt: ExampleReceipt(
                        number, ExamplePurchase("gold", "46000000000000\(number)", refunded: "2026-02-10", line: 7)))
            }),
    ]

    private static func claim(
        device: String = "A", deviceHashMatches: Bool = true, account: ExactText = "",
        refunded numbers: ClosedRange<Int>, onDay day: Int? = nil
    ) -> ExampleClaim {
        let purchases = numbers.map {
            ExamplePurchase("pack-\($0)", "46000000000000\($0)", refunded: "2026-02-1\(day ?? $0)")
        }
        return ExampleClaim(
            device: device, deviceHashMatches: deviceHashMatches, account: account,
            receipt: ExampleReceipt(purchases: purchases))
    }

    private static func token(
        _ number: Int, of person: ExactText, isEnded: Bool = false, ownership: ExactText = "PURCHASED",
        type: ExactText? = "REFUND_FULL", reason: Int? = nil
    ) -> ExampleClaim {
        let date = "2026-02-1\(number)"
        return ExampleClaim(
            device: "D\(number)",
            token: ExampleToken(
                number, person: person,
                ExamplePurchase(
                    "pack-\(number)", "46000000000000\(number)", refunded: isEnded ? nil : date, ownership: ownership,
                    sharingEnded: isEnded ? date : nil, refundType: type, refundReason: reason)))
    }

    /// Returns a claim to a token of the chain that replaced a token's chain.
    private static func next(_ number: Int, of person: ExactText) -> ExampleClaim {
        ExampleClaim(
            device: "E\(number)",
            token: ExampleToken(
                10 + number, person: person,
                ExamplePurchase(
                    "bundle", "46000000000001\(number)", bought: "2026-02-1\(number)",
                    previousOriginal: "46000000000000\(number)")))
    }

    private static let upgrade = ExampleClaim(
        account: "ann",
        receipt: ExampleReceipt(
            2, ExamplePurchase("silver", "460000000000007", expires: "2026-03-01", refunded: "2026-02-18"),
            ExamplePurchase(
                "gold", "460000000000008", of: "460000000000007", bought: "2026-02-18T00:00:05Z", expires: "2026-03-18")
        ))

    static let keys = [KeyKind.device, .account, .person]
    static let addsEvents = true
    static let minObservations = 1
    static let looksAtPurchasesOnly = true
    private static let minPurchases = RuleLimit(
        "purchases", standard: 3, in: 1...4000, "at least this many purchases were refunded")

    private static let minDays = RuleLimit(
        "days", standard: 3, in: 1...4000, "they were refunded on at least this many days")

    private let minPurchases: Int
    private let minDays: Int
    private var key = KeyKind.account
    private var refunds = BottomMap<ExactText, Refund>()
    /// The start dates of chains that replaced others.
    private var moves = BottomSet<Move>()
    /// The same dates, by the original transaction of the replaced chain.
    private var begins: [ExactText: [Instant]] = [:]

    init(_ policy: Policy) {
        minPurchases = policy.value(of: Self.minPurchases, in: Self.self)
        minDays = policy.value(of: Self.minDays, in: Self.self)
    }

    var minSignificantPurchases: Int { minPurchases }

    mutating func begin(_ key: KeyKind) { self.key = key }

    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { key == .device ? .init(marked: 2) : .init(contents: 2) }

    func mayRaise(_ observation: borrowing Observation) -> Bool {
        observation.purchases.hasAny { $0.cancellationDate != nil }
    }

    mutating func add(_ observation: Observation) {
        guard isCounted(observation) else { return }
        for purchase in observation.purchases {
            if let previous = purchase.previousChain {
                moves.insert(Move(chain: previous.boundedID, begin: purchase.chainBegin))
            }
            guard let date = purchase.refundDate else { continue }
            refunds.add(Self.key(of: purchase), Refund(purchase, on: date, observation))
        }
    }

    mutating func hit() -> Hit? {
        guard refunds.count >= minPurchases else { return nil }
        begins = Dictionary(grouping: moves.keys, by: \.chain).mapValues { $0.map(\.begin) }
        let notes = refunds.unordered.map(\.value).filter { !$0.isMove(begins) }.sorted()
        let days = Set(notes.map(\.date.day)).count
        guard notes.count >= minPurchases, days >= minDays else { return nil }
        let total = refunds.isComplete ? String(notes.count) : nil
        let list = notes.listed(of: total, by: "; ") { $0.text }
        return Hit(
            "\(total ?? refunds.countText) refunded purchases on \(days) days: \(list)",
            confidence: notes.allSatisfy(\.isTest) ? .doubtful : nil, events: notes.count)
    }

    static func stake(under key: KeyKind) -> StakeKind { .shown }

    func atStake(in observation: Observation) -> [Purchase] { observation.purchases.filter(isRefunded) }

    func involves(_ observation: Observation) -> Bool {
        isCounted(observation) && observation.purchases.haveRefund && observation.purchases.contains(where: isRefunded)
    }

    /// Whether the buyer got the price back, and no other chain replaced the purchase.
    private func isRefunded(_ purchase: Purchase) -> Bool {
        purchase.refundDate != nil && !(begins[purchase.original.boundedID] ?? []).contains { purchase.isMove($0) }
    }

    /// Whether an observation counts: a claim that names an account counts for the account only, and otherwise, if it
    /// names a person, for the person only.
    private func isCounted(_ observation: Observation) -> Bool {
        guard observation.isGenuine, key == .account || observation.accountID.isEmpty else { return false }
        return key != .device || observation.isMatching && observation.appTransactionID.isEmpty
    }

    /// Returns the key that distinguishes refunded purchases.
    private static func key(of purchase: Purchase) -> ExactText {
        purchase.webOrderLineItemID.map { "line \($0)" } ?? purchase.original.boundedID
    }

    /// The start of a chain that replaced another.
    private struct Move: Hashable, Comparable, Sendable {
        /// The original transaction of the replaced chain.
        let chain: ExactText
        let begin: Instant

        static func < (a: Move, b: Move) -> Bool { (a.chain, a.begin) < (b.chain, b.begin) }
    }

    private struct Refund: Comparable, Mergeable, Sendable {
        let date: Instant
        let isTest: Bool
        private let chain: ExactText
        private let mayBeMove: Bool
        private let product: ExactText
        private let transaction: ExactText
        private let witness: Witness

        init(_ purchase: Purchase, on date: Instant, _ observation: Observation) {
            self.date = date
            isTest = observation.environmentClass != .production
            witness = Witness(observation)
            product = purchase.productID.boundedID
            transaction = purchase.transactionID.boundedID
            chain = purchase.original.boundedID
            mayBeMove = purchase.mayHaveMoved
        }

        /// - Parameter begins: the start dates of chains that replaced others, by the original transaction of the
        ///   replaced ones.
        func isMove(_ begins: [ExactText: [Instant]]) -> Bool {
            mayBeMove
                && begins[chain]?.contains { $0.isWithin(seconds: Revocation.moveSeconds, of: date) } ?? false
        }

        static func < (a: Refund, b: Refund) -> Bool {
            if a.isTest != b.isTest, a.date == b.date { return b.isTest }
            return (a.date, a.product, a.transaction, a.witness) < (b.date, b.product, b.transaction, b.witness)
        }

        var text: String { "\(product) on \(date) (transaction \(transaction), \(witness))" }
    }
}
