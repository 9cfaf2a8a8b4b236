import Encodings
import Receipts

/// Finds purchases that are used after family sharing ended, or by more people than a family has.
struct FamilyOverreach: GroupRule {
    static let documentation = RuleDocumentation(
        id: "family-overreach",
        title: "A family's purchase is used beyond the family",
        severity: .low,
        exceptions: [
            .init(
                .info,
                """
                if nothing ended but seats (`inAppOwnershipType` is ASSIGNED) and shared purchases whose buyer was \
                refunded
                """)
        ],
        confidence: .possible,
        raisedWhen: """
            a genuine StoreKit 2 token, or evidence, shows the end of a sharing, and a claim that is presented more \
            than \(days.standard) days later shows the transaction whole. It is also raised when tokens of more than \
            \(maxPersons.standard) people show one original transaction
            """,
        details: """
            A sharing ends when Apple revokes it (`revocationType` is FAMILY_REVOKE; without it, \
            `inAppOwnershipType` is FAMILY_SHARED or ASSIGNED), or when the buyer of what somebody else has is \
            refunded.
            The claim must be of the same person (`appTransactionId`). Tokens without that id do not count.
            Tokens of members must show one transaction, as members may have transactions of their own under one \
            original.
            An end of an unknown type, reason or ownership does not count. Nor does a claim whose own proof shows \
            the end.
            A proof that was made after the end and shows the transaction whole means that it was shared again, and \
            silences the rule for it.
            """,
        why: """
            Apple revokes a shared purchase when the buyer stops sharing it or a member leaves the family (App Store \
            Server Notifications, REVOKE). A family can have six members. A token from before still looks whole.
            """,
        whenWrong: """
            An app that was not opened for a long time, or is offline, presents stored tokens and learns of the end \
            later. Nobody tells an employee that a seat was taken back, or a child that a parent was refunded. \
            Members of a family rightly have an `appTransactionId` and transactions of their own, so few people \
            should ever show one original transaction. Test departments share in the sandbox. \(MarkRole.text). \
            Confidence is possible, and doubtful if all is of test environments.
            """,
        whatToDo: """
            Unlock shared purchases for a limited time only. Ask the App Store Server API for their state, or receive \
            App Store Server Notifications and act on REVOKE.
            """,
        limits: [days, maxPersons])

    static let examples: [RuleExample] = [
        .raised(
            "an old token is presented thirty-one days after the end", .low, claim(1, ended: "2026-03-01"),
            claim(2, presented: "2026-04-02")),
        .raised("seven people show one purchase", .low, claims: (1...7).map { claim($0, person: "70\($0)") }),
        .clear(
            "it is presented thirty days after the end", claim(1, ended: "2026-03-01"),
            claim(2, presented: "2026-03-31")),
        .clear(
            "the token itself shows the end", claim(1, ended: "2026-03-01"),
            claim(2, presented: "2026-04-02", ended: "2026-03-01")),
        .clear(
            "a newer token shows that it was shared again", claim(1, ended: "2026-03-01"),
            claim(2, presented: "2026-04-02"), claim(3, presented: "2026-04-03", signed: "2026-03-20")),
        .clear(
            "another member of the family still shares it", claim(1, ended: "2026-03-01"),
            claim(2, person: "705", presented: "2026-04-02")),
        .clear(
            "the tokens do not say whose they are", claim(1, person: "", ended: "2026-03-01"),
            claim(2, person: "", presented: "2026-04-02")),
        .raised(
            "a child presents what its buyer was refunded for", .info, claim(1, refunded: "2026-03-01"),
            claim(2, presented: "2026-04-02")),
        .raised(
            "an employee presents a seat that was taken back", .info,
            claim(1, ownership: "ASSIGNED", ended: "2026-03-01"),
            claim(2, ownership: "ASSIGNED", presented: "2026-04-02")),
        .raised(
            "seven people present one employee's token", .low,
            claims: (1...7).map { claim($0, ownership: "ASSIGNED", person: "70\($0)") }),
        .clear(
            "eight employees have a transaction each under one original",
            claims: (1...8).map { claim($0, ownership: "ASSIGNED", person: "70\($0)", transaction: $0) }),
        .clear(
            "a seat ended for a type that nobody knows",
            claim(1, ownership: "ASSIGNED", refunded: "2026-03-01", type: "SEAT_TAKEN"),
            claim(2, ownership: "ASSIGNED", presented: "2026-04-02")),
        .clear(
            "the ownership of what ended is one that nobody knows",
            claim(1, ownership: "LOANED", ended: "2026-03-01"), claim(2, ownership: "LOANED", presented: "2026-04-02")),
        .clear("six people show one purchase", claims: (1...6).map { claim($0, person: "70\($0)") }),
    ]

    private static func claim(
        _ number: Int, ownership: ExactText = "FAMILY_SHARED", person: ExactText = "704",
        presented: String = "2026-03-02", signed: String = "2026-02-20", ended: String? = nil, refunded: String? = nil,
        type: ExactText = "REFUND_FULL", transaction: Int = 1
    ) -> ExampleClaim {
        ExampleClaim(
            device: "D\(number)", presented: presented,
            token: ExampleToken(
                number, signed: ended ?? refunded ?? signed, person: person,
                ExamplePurchase(
                    "gold", "46000000000000\(transaction)", of: "460000000000001", refunded: refunded,
                    ownership: ownership, sharingEnded: ended, refundType: type)))
    }

    static let keys = [KeyKind.originalTransaction]
    static let usesEvidence = true
    private static let days = RuleLimit(
        "days", standard: 30, in: 0...10_000, "claims are presented more than this many days after the end")
    private static let maxPersons = RuleLimit(
        "persons", standard: 6, in: 1...4000, "more than this many people show one purchase")

    private let seconds: Int64
    private let maxPersons: Int
    private var items = BottomMap<Item, Sharing>()
    /// The items that are presented too late, each with the first instant at which it was.
    private var overdue: [Item: Instant] = [:]
    /// The shared purchases with too many people.
    private var crowded: Set<FamilyShare> = []

    init(_ policy: Policy) {
        seconds = policy.seconds(of: Self.days, each: 86_400, in: Self.self)
        maxPersons = policy.value(of: Self.maxPersons, in: Self.self)
    }

    /// A revocation may be the end of sharing.
    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { .init(presenters: maxPersons + 1) }

    func mayRaise(_ observation: borrowing Observation) -> Bool { observation.kind != nil }

    mutating func add(_ observation: Observation) {
        guard Self.isCounted(observation) else { return }
        for purchase in observation.purchases {
            items.add(Item(purchase, observation), Sharing(purchase, observation))
        }
    }

    /// Whether it is a token of a person. Tokens without an id cannot be attributed to anybody.
    private static func isCounted(_ observation: Observation) -> Bool {
        observation.isGenuine && observation.kind != nil && !observation.appTransactionID.isEmpty
    }

    mutating func hit() -> Hit? {
        let entries = items.sorted
        var persons: [FamilyShare: Set<ExactText>] = [:]
        for (item, sharing) in entries {
            persons[FamilyShare(item, isMember: sharing.isMember), default: []].insert(item.person)
        }
        let many = persons.filter { $0.value.count > maxPersons }.sorted { $0.key < $1.key }
        crowded = Set(many.map(\.key))
        var texts = entries.compactMap { item, sharing in note(item, sharing.presented(laterThan: seconds)) }
        texts += many.map { shared, persons in
            let few = items.isComplete ? "" : "at least "
            return "\(few)\(persons.count) people\(shared.text): \(persons.sorted().listedOfAll { $0.text })"
        }
        // An end that nobody is notified about matters only if there is no other reason.
        let isInfo = texts.isEmpty
        if isInfo {
            texts = entries.compactMap { item, sharing in
                note(item, sharing.presented(laterThan: seconds, untold: true))
            }
        }
        guard !texts.isEmpty else { return nil }
        let isTest =
            !crowded.contains { $0.environment == .production }
            && !overdue.keys.contains { $0.environment == .production }
        return Hit(
            texts.listedOfAll(by: "; ") { $0 }, severity: isInfo ? .info : nil, confidence: isTest ? .doubtful : nil)
    }

    /// Records an item that is presented too late, and returns the text about it.
    private mutating func note(_ item: Item, _ late: (ended: Sharing.Dated, whole: Sharing.Dated)?) -> String? {
        guard let late else { return nil }
        overdue[item] = late.ended.date.adding(seconds: seconds)
        return """
            access to transaction \(item.transaction) ended on \(late.ended.date), as \(late.ended.witness) \
            shows; \(late.whole.witness) presents it on \(late.whole.date)
            """
    }

    func part(of observation: Observation) -> ExactText { Holder(observation).part }

    func involves(_ observation: Observation) -> Bool {
        guard Self.isCounted(observation) else { return false }
        return observation.purchases.contains { purchase in
            let item = Item(purchase, observation)
            if crowded.contains(FamilyShare(item, isMember: purchase.isMember)) { return true }
            guard purchase.cancellationDate == nil, let date = observation.presentedAt,
                let end = overdue[item]
            else { return false }
            return date > end
        }
    }
}

/// A transaction as one person has it.
private struct Item: Hashable, Comparable, Sendable {
    let environment: EnvironmentClass
    let person: ExactText
    let transaction: ExactText

    init(_ purchase: Purchase, _ observation: Observation) {
        environment = observation.environmentClass
        person = observation.appTransactionID
        transaction = purchase.transactionID.boundedID
    }

    static func < (a: Item, b: Item) -> Bool {
        if a.environment != b.environment { return a.environment < b.environment }
        return (a.person, a.transaction) < (b.person, b.transaction)
    }
}

/// What people share: the original transaction, or a member's own transaction.
private struct FamilyShare: Hashable, Comparable, Sendable {
    let environment: EnvironmentClass
    /// The member's transaction; `nil` for the original one.
    let transaction: ExactText?

    init(_ item: Item, isMember: Bool) {
        environment = item.environment
        transaction = isMember ? item.transaction : nil
    }

    static func < (a: FamilyShare, b: FamilyShare) -> Bool {
        (a.environment, a.transaction ?? "") < (b.environment, b.transaction ?? "")
    }

    var text: String { transaction.map { " with transaction \($0) of a member" } ?? "" }
}

/// How all tokens show one transaction.
private struct Sharing: Mergeable, Sendable {
    /// Whether it is a member's.
    private(set) var isMember: Bool
    /// When Apple ended the sharing.
    private var ended: Dated?
    /// When access ended for a reason that the person is not notified about: the buyer got a refund, or withdrew the
    /// seat.
    private var endedUntold: Dated?
    /// When the newest token was made that shows the transaction whole.
    private var made: Dated?
    /// When a token that shows the transaction whole was last presented.
    private var presented: Dated?

    /// Sorts later dates first.
    struct Dated: Comparable, Sendable {
        let date: Instant
        let witness: Witness

        static func < (a: Dated, b: Dated) -> Bool { (b.date, a.witness) < (a.date, b.witness) }
    }

    init(_ purchase: Purchase, _ observation: Observation) {
        let witness = Witness(observation)
        isMember = purchase.isMember
        if let date = purchase.cancellationDate {
            guard let details = purchase.details, purchase.isSharingEnded, details.isEndKnown else { return }
            let isTold = details.ownership != "ASSIGNED" && !details.isRefunded
            if isTold { ended = Dated(date: date, witness: witness) }
            if !isTold { endedUntold = Dated(date: date, witness: witness) }
        } else {
            made = observation.createdAt.map { Dated(date: $0, witness: witness) }
            presented = observation.presentedAt.map { Dated(date: $0, witness: witness) }
        }
    }

    mutating func add(_ other: Sharing) {
        isMember = isMember || other.isMember
        ended.add(other.ended)
        endedUntold.add(other.endedUntold)
        made.add(other.made)
        presented.add(other.presented)
    }

    /// Returns the end and the last presentation, if the presentation is more than a number of seconds later and
    /// nothing shows that sharing began again.
    ///
    /// - Parameter untold: whether to use the end that the person is not notified about.
    func presented(laterThan seconds: Int64, untold: Bool = false) -> (ended: Dated, whole: Dated)? {
        guard let ended = untold ? endedUntold : ended, let presented, made.map({ $0.date <= ended.date }) ?? false,
            presented.date > ended.date.adding(seconds: seconds)
        else { return nil }
        return (ended, presented)
    }
}

extension TransactionDetails {
    /// Whether the buyer got the price back.
    fileprivate var isRefunded: Bool { revocationType == "REFUND_FULL" || revocationType == "REFUND_PRORATED" }

    /// Whether all fields that explain the end of access are known.
    fileprivate var isEndKnown: Bool {
        let isKnownType = revocationType == nil || revocationType == "FAMILY_REVOKE" || isRefunded
        return isKnownType && !isOfUnknownOwner && revocationReason.map { (0...1).contains($0) } ?? true
    }
}
