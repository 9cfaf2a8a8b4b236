import Checks
import Encodings
import Receipts

/// Finds purchases and paid apps that several of the company's own accounts claim.
struct SharedAccount: GroupRule {
    static let documentation = RuleDocumentation(
        id: "shared-account",
        title: "One purchase is claimed by several accounts",
        severity: .medium,
        exceptions: [.init(.high, "for more than \(manyAccounts.standard) accounts")],
        confidence: .possible,
        raisedWhen: """
            genuine claims of more than \(maxAccounts.standard) `account_id` present one original transaction, with \
            any device ids or none. It is also raised when they present one receipt, or one app transaction, that \
            shows no transaction, as a paid app's may. Claims without an account do not count; dates do not matter. \
            Purchases of a member of a family or a group (`inAppOwnershipType` is not PURCHASED) are compared by \
            their own transaction, and the finding is then about the one that most accounts present. Where several \
            members are under one original transaction, proofs that do not say whose they are do not count. For a \
            paid app's receipt, accounts whose claims match on one device count as one. The rule is then silent if \
            `shared-receipt` reports the receipt at least as severely, and for all of the accounts
            """,
        why: """
            A purchase belongs to one buyer. If several of your accounts present it, somebody buys once for many, or \
            sells receipts. Leaving out the device id, or inventing one, hides nobody from this rule.
            """,
        whenWrong: """
            Restored purchases appear on every device of an Apple Account, whichever of your accounts is signed in. A \
            person with two of your accounts, or with a new one after deleting the first, looks the same. So does a \
            couple or a family that shares one Apple Account. Family Sharing does not: each member gets receipts and \
            transactions of their own. \(SeatCount.text). For up to that many accounts, the severity is medium and \
            confidence doubtful. Test departments and App Review sign in with many accounts on one Apple Account. An \
            export without device ids makes a shared iPad look like many devices. \(MarkRole.text). Confidence is \
            possible, and likely for the severity high.
            """,
        whatToDo: """
            Bind a purchase to the first account that claims it, and move it only on request. Many accounts, or \
            accounts in different countries, suggest a trade; two that alternate on one device suggest one person.
            """,
        limits: [maxAccounts, manyAccounts])

    static let examples: [RuleExample] = [
        .raised(
            "two accounts present one purchase", .medium, claim(account: "ann"), claim(account: "bob", device: "B")),
        .raised("they do so on one device", .medium, claim(account: "ann"), claim(account: "bob")),
        .raised(
            "six accounts may be a family", .medium, claims: (1...6).map { claim(account: "user-\($0)") }),
        .raised("seven accounts", .high, claims: (1...7).map { claim(account: "user-\($0)") }),
        .clear("one account presents it on two devices", claim(account: "ann"), claim(account: "ann", device: "B")),
        .clear(
            "eight employees have a seat each, under one original transaction",
            claims: (1...8).map { seat(account: "user-\($0)", transaction: $0) }),
        .clear(
            "they do, and nobody knows their kind of seat",
            claims: (1...8).map { seat(account: "user-\($0)", transaction: $0, ownership: "LOANED") }),
        .raised(
            "seven accounts present one employee's token, and another presents one of its own", .high,
            claims: (1...7).map { seat(account: "user-\($0)", transaction: 1) }
                + [seat(account: "user-8", transaction: 2)]),
        .raised(
            "ten accounts present the token of who bought ten seats", .medium,
            claims: (1...10).map { seat(account: "user-\($0)", transaction: 1, ownership: "PURCHASED", quantity: 10) }),
        .raised(
            "ten accounts do, and seven present the token of somebody who has a seat", .high,
            claims: (1...10).map { seat(account: "user-\($0)", transaction: 1, ownership: "PURCHASED", quantity: 10) }
                + (1...7).map { seat(account: "user-\($0)", transaction: 2) }),
        .raised(
            "eleven accounts present it", .high,
            claims: (1...11).map { seat(account: "user-\($0)", transaction: 1, ownership: "PURCHASED", quantity: 10) }),
        .clear("a claim without an account proves nothing", claim(account: "ann"), claim(account: "", device: "B")),
        .clear(
            "two accounts present purchases of their own", claim(account: "ann"),
            claim(account: "bob", device: "B", transaction: "460000000000002")),
        .raised(
            "seven accounts present a paid app's receipt without a device", .high,
            claims: (1...7).map { app(account: "user-\($0)", device: "") }),
        .raised(
            "seven accounts present its app transaction", .high,
            claims: (1...7).map { number in
                ExampleClaim(
                    device: "", account: ExactText("user-\(number)"),
                    token: ExampleToken(1, kind: .appTransaction, isBound: false))
            }),
        .raised(
            "its owner and seven others who invent device ids that are none", .high,
            claims: [app(account: "ann")]
                + (1...7).map { app(account: "user-\($0)", device: "", malformed: "id-\($0)") }),
        .raised(
            "a couple present it, one of them without a device", .medium, app(account: "ann"),
            app(account: "bob", device: "")),
        .clear(
            "seven accounts on one shared tablet, which the receipt matches",
            claims: (1...7).map { app(account: "user-\($0)") }),
        .clear(
            "two accounts present it on two devices: a shared receipt, which is as severe",
            app(account: "ann", presented: "2026-03-01"),
            app(account: "bob", device: "B", presented: "2026-03-02")),
        .raised(
            "of two devices one is handed over, but seven accounts present it", .high,
            claims: [
                app(account: "ann", presented: "2026-03-01"), app(account: "bob", device: "B", presented: "2026-03-02"),
            ] + (1...6).map { app(account: "user-\($0)", device: "") }),
        .raised(
            "four invented devices make a shared receipt, which is not about the seven accounts without one", .high,
            claims: ["B", "C", "D", "E"].map { app(account: "user-1", device: $0) }
                + (1...7).map { app(account: "user-\($0)", device: "") }),
        .clear("a guest presents it, too", app(account: "ann"), app(account: "", device: "")),
        .raised(
            "seven who have the receipt and its device id present it in the morning, its owner in the evening", .high,
            claims: (1...7).map { claim(account: "user-\($0)", presented: "2026-03-01T08:0\($0):00Z") }
                + [claim(account: "ann", presented: "2026-03-01T20:00:00Z")]
        ).about(marking: [.info] + Array(repeating: .medium, count: 7)),
        .raised(
            "the day says nothing of who was first", .high,
            claims: (1...7).map { claim(account: "user-\($0)", presented: "2026-03-01") }
                + [claim(account: "ann", presented: "2026-03-01T20:00:00Z")]
        ).about(marking: Array(repeating: .medium, count: 8)),
        .raised(
            "seven people with one Apple Account have receipts of their own, each for their own device", .high,
            claims: (1...7).map {
                claim(account: "user-\($0)", device: "D\($0)", number: $0, presented: "2026-03-0\($0)")
            }
        ).about(marking: Array(repeating: .info, count: 7)),
    ]

    private static func claim(
        account: ExactText, device: String = "A", number: Int = 1, transaction: ExactText = "460000000000001",
        presented: String? = nil
    ) -> ExampleClaim {
        ExampleClaim(
            device: device, account: account, presented: presented,
            receipt: ExampleReceipt(number, ExamplePurchase("gold", transaction)))
    }

    /// Returns a claim to a token of a subscription with seats.
    private static func seat(
        account: ExactText, transaction: Int, ownership: ExactText = "ASSIGNED", quantity: Int? = nil
    ) -> ExampleClaim {
        ExampleClaim(
            device: "", account: account,
            token: ExampleToken(
                transaction, person: "70\(transaction)", isBound: false,
                ExamplePurchase(
                    "gold", "46000000000000\(transaction)", of: "460000000000001", expires: "2026-04-01",
                    ownership: ownership, quantity: quantity)))
    }

    /// Returns a claim to a paid app's receipt, for device A.
    private static func app(
        account: ExactText, device: String = "A", malformed: ExactText = "", presented: String? = nil
    ) -> ExampleClaim {
        ExampleClaim(
            device: device, malformedDevice: malformed, deviceHashMatches: device == "A", account: account,
            presented: presented, failed: malformed.isEmpty ? [] : [.deviceIDMalformed], receipt: ExampleReceipt(1))
    }

    static let keys = [KeyKind.originalTransaction, .receipt]
    private static let maxAccounts = RuleLimit(
        "accounts", standard: 1, in: 1...4000, "more than this many accounts present one purchase")
    private static let manyAccounts = RuleLimit(
        "many-accounts", standard: 6, in: 1...4000, "the severity is high above this many accounts")

    private let maxAccounts: Int
    private let manyAccounts: Int
    /// The severities that the policy sets for this rule and for ``SharedReceipt``.
    private let severity: Severity?
    private let severityOfReceipt: Severity?
    private var isOfReceipt = false
    /// The claims with the buyer's tokens; for a receipt all claims.
    private var buyers = Presenters()
    /// The claims with proofs that do not show an owner.
    private var unsaid = Presenters()
    /// The claims with members' tokens.
    private var members = MemberClaims()
    private var seats = SeatCount()
    /// The holder that the finding is about.
    private var found: Holder?
    private var isUnsaidCounted = true
    /// The accounts with matching claims. Only for a receipt, which can match only one device.
    private var matching = DistinctSketch<ExactText>()
    /// The state of ``SharedReceipt``; `nil` if that rule is off.
    private var receipt: SharedProof?

    init(_ policy: Policy) {
        maxAccounts = policy.value(of: Self.maxAccounts, in: Self.self)
        manyAccounts = policy.value(of: Self.manyAccounts, in: Self.self)
        severity = policy.rules[Self.documentation.id]?.severity
        let settings = policy.rules[SharedReceipt.documentation.id]
        severityOfReceipt = settings?.severity
        receipt =
            settings?.isOff == true ? nil : SharedProof(policy, in: SharedReceipt.self, SharedReceipt.minDevices)
    }

    mutating func begin(_ key: KeyKind) { isOfReceipt = key == .receipt }

    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { .init(marked: maxAccounts + 1) }

    func mayRaise(_ observation: borrowing Observation) -> Bool { !observation.accountID.isEmpty }

    mutating func add(_ observation: Observation) {
        if isOfReceipt, !observation.hasTransactions { receipt?.add(observation) }
        guard isCounted(observation) else { return }
        if isOfReceipt {
            buyers.add(observation)
            if observation.isMatching { matching.insert(observation.accountID) }
            return
        }
        switch Holder(observation) {
        case .buyer: buyers.add(observation)
        case .unsaid: unsaid.add(observation)
        case .member(let transaction): return members.add(observation, transaction: transaction, withDays: false)
        }
        seats.add(observation.purchases)
    }

    mutating func code(_ coder: inout StateCoder) throws {
        try coder.code(&buyers)
        guard isOfReceipt else {
            try coder.code(&unsaid)
            try coder.code(&members)
            return try coder.code(&seats)
        }
        try coder.code(&matching)
        try receipt?.code(&coder)
    }

    mutating func hit() -> Hit? {
        (found, isUnsaidCounted) = (.buyer, !members.areOfSeveral)
        var (presenters, seatsOfFound) = (buyers, seats)
        if isUnsaidCounted { presenters.add(unsaid) }
        // Matching accounts share one device, the receipt's.
        let together = max(0, matching.count - 1)
        var worst = max(0, presenters.accounts.count - together)
        // Each transaction of a member belongs to one person.
        for (transaction, claims) in members.byTransaction {
            let others = Presenters(claims)
            var seats = SeatCount()
            for (claim, _) in claims { seats.add(claim.seats) }
            guard rank(others.accounts.count, seats) > rank(worst, seatsOfFound) else { continue }
            (worst, presenters, found) = (others.accounts.count, others, .member(transaction: transaction))
            seatsOfFound = seats
        }
        guard worst > maxAccounts else { return nil }
        var evidence = "\(presenters.accounts.accountsText); on \(presenters.devices.text)"
        if together > 0 { evidence += "; \(matching.accountsText) on its own device count as one" }
        if case .member(let transaction) = found {
            let transactions = members.isComplete ? "" : ", one of the first \(members.byTransaction.count)"
            evidence = "transaction \(transaction) of a member\(transactions): \(evidence)"
        }
        let hit =
            worst > manyAccounts ? Hit(evidence, severity: .high, confidence: .likely) : Hit(evidence)
        return found == .buyer && isReported(hit) ? nil : seatsOfFound.eased(hit, worst)
    }

    /// Ranks the worse finding higher.
    private func rank(_ accounts: Int, _ seats: SeatCount) -> Int {
        accounts > manyAccounts && !seats.covers(accounts) ? accounts.addingSaturating(1 << 32) : accounts
    }

    /// Whether ``SharedReceipt`` reports the same accounts with at least the same severity.
    private func isReported(_ hit: Hit) -> Bool {
        guard isOfReceipt, let receipt, let shared = receipt.hit() else { return false }
        let reported = Set(receipt.accounts.sorted)
        guard buyers.accounts.sorted.allSatisfy(reported.contains) else { return false }
        let other = severityOfReceipt ?? shared.severity ?? SharedReceipt.documentation.severity
        return other >= severity ?? hit.severity ?? Self.documentation.severity
    }

    func involves(_ observation: Observation) -> Bool {
        guard isCounted(observation) else { return false }
        guard !isOfReceipt else { return true }
        let holder = Holder(observation)
        return holder == found || holder == .unsaid && found == .buyer && isUnsaidCounted
    }

    func part(of observation: Observation) -> ExactText { isOfReceipt ? "" : Holder(observation).part }

    func isAbout(part: ExactText) -> Bool { part == found?.part }

    private func isCounted(_ observation: Observation) -> Bool {
        guard observation.isGenuine, !observation.accountID.isEmpty else { return false }
        guard isOfReceipt else { return true }
        return !observation.hasTransactions && (observation.kind == nil || observation.kind == .appTransaction)
    }

    /// The accounts that present something, and their devices.
    private struct Presenters: Mergeable, Sendable {
        private(set) var accounts = DistinctSketch<ExactText>()
        private(set) var devices = DeviceCount()

        init() {}

        init(_ claims: [(claim: MemberClaims.Claim, match: PresentedDays.DeviceMatch)]) {
            for (claim, match) in claims {
                accounts.insert(claim.account)
                if let device = claim.device { devices.add(device, isVerified: match == .match) }
            }
        }

        mutating func add(_ observation: Observation) {
            accounts.insert(observation.accountID)
            devices.add(observation)
        }

        mutating func add(_ other: Presenters) {
            accounts.add(other.accounts)
            devices.add(other.devices)
        }
    }
}
