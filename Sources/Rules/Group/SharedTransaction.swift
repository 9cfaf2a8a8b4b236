import Encodings
import Inputs

/// Finds purchases on more devices than one person has.
struct SharedTransaction: GroupRule {
    static let documentation = RuleDocumentation(
        id: "shared-transaction",
        title: "One purchase is used on many devices",
        severity: .medium,
        exceptions: [
            .init(
                .high,
                """
                for more than \(highDevices.standard) devices with dates (Apple allows an account ten), and for more \
                than \(maxDevices.standard) with dates whose claims all mismatch
                """)
        ],
        confidence: .possible,
        raisedWhen: """
            more than \(maxDevices.standard) devices present one original transaction on days that are at most \
            \(days.standard) apart (in UTC)
            """,
        details: """
            Devices without a dated claim are added to any such days, but count towards medium only.
            Of all such spans of days, the one with the highest severity is reported, then the one with the most \
            devices, then the one that begins first, then the shortest.
            Purchases of a member of a family or a group (`inAppOwnershipType` is not PURCHASED) are compared by \
            their own transaction, and the finding is then about the worst one.
            Where several members (`appTransactionId`) are known under one original transaction, proofs that do not \
            say whose they are count only if they come from more than \(maxDevices.standard) times as many devices \
            as people are known.
            """,
        why: """
            Anybody who signs in with the buyer's Apple Account gets a genuine receipt with the buyer's purchases. \
            Apple allows an account ten devices at a time, and few people have more than five. Beyond that, an \
            account is probably lent, rented or sold, or its receipts are copied.
            """,
        whenWrong: """
            Restored purchases appear on every device of an account. `identifierForVendor` changes when all of a \
            vendor's apps are removed, and after some restores, so one device may count twice. So may a Mac that \
            sends the address of en0 one day and of en1 another. App Review and test departments use one account on \
            many devices. \(Seats.text). For up to that many devices, or \(maxDevices.standard) times as many devices \
            of up to that many accounts, the severity is medium and confidence doubtful. \(Seats.validityText). \
            Family Sharing does \
            not explain it: each member gets receipts and transactions of their own. \(MarkRole.text). Confidence is \
            possible, likely for the severity high, and doubtful if it takes devices without a date.
            """,
        whatToDo: """
            Look at when the devices appeared: a few per year suggest one person, many in a week suggest a trade. \
            Limit how many devices of one purchase your service unlocks at once.
            """,
        limits: [maxDevices, highDevices, days])

    static let examples: [RuleExample] = [
        .raised("six devices restore one purchase within a month", .medium, claims: claims(6)),
        .raised("eleven devices restore it", .high, claims: claims(11)),
        .raised("six devices present copies of its receipts", .high, claims: claims(6, deviceHashesMatch: false)),
        .raised("of six devices one is verified", .medium, claims: claims(1) + claims(6, deviceHashesMatch: false)),
        .raised("eleven devices without dates", .medium, claims: claims(11, isDated: false)),
        .raised("ten devices are no more than Apple allows", .medium, claims: claims(10)),
        .clear(
            "eight employees have a seat each, under one original transaction",
            claims: (1...8).map { seat($0, transaction: $0) }),
        .raised(
            "eleven devices present one employee's token", .high, claims: (1...11).map { seat($0, transaction: 1) }),
        .raised(
            "twenty devices present the token of who bought twenty seats", .medium,
            claims: (1...20).map { seat($0, transaction: 1, ownership: "PURCHASED", quantity: 20) }),
        .raised(
            "twelve accounts present the token of who bought twelve seats, on twenty-four devices", .medium,
            claims: (1...24).map {
                seat($0, account: "user-\($0 % 12)", transaction: 1, ownership: "PURCHASED", quantity: 12)
            }),
        .raised(
            "twenty-one devices present that of twenty seats", .high,
            claims: (1...21).map { seat($0, transaction: 1, ownership: "PURCHASED", quantity: 20) }),
        .raised(
            "twenty seats of another period cover no copies of a later token of one seat", .high,
            claims: (1...20).map { seat($0, transaction: 2, ownership: "PURCHASED") }
                + [seat(1, transaction: 1, ownership: "PURCHASED", quantity: 20)]),
        .raised(
            "eleven devices present receipts, and two members are known", .high,
            claims: claims(11) + [
                seat(1, transaction: 1, ownership: "FAMILY_SHARED"),
                seat(2, transaction: 2, ownership: "FAMILY_SHARED"),
            ]),
        .clear(
            "ten devices do, as two people may have",
            claims: claims(10) + [
                seat(1, transaction: 1, ownership: "FAMILY_SHARED"),
                seat(2, transaction: 2, ownership: "FAMILY_SHARED"),
            ]),
        .clear("five devices are what one person may have", claims: claims(5)),
        .clear("six devices in six quarters are what one person may have", claims: claims(6, apart: 92)),
        .clear("one device presents it six times", claims: (0..<6).flatMap { _ in claims(1) }),
    ]

    private static func claims(
        _ count: Int, deviceHashesMatch: Bool = true, isDated: Bool = true, apart days: Int = 2
    ) -> [ExampleClaim] {
        let start = Instant(example: "2026-03-01") ?? Instant(seconds: 0)
        return (0..<count).map {
            ExampleClaim(
                device: "D\($0)", deviceHashMatches: deviceHashesMatch,
                presented: isDated ? start.adding(seconds: Int64($0 * days) * 86_400).description : nil,
                receipt: ExampleReceipt($0, ExamplePurchase()))
        }
    }

    /// Returns a claim to a token of a subscription with seats.
    private static func seat(
        _ number: Int, account: ExactText = "", transaction: Int, ownership: ExactText = "ASSIGNED",
        quantity: Int? = nil
    ) -> ExampleClaim {
        ExampleClaim(
            device: "D\(number)", account: account, presented: "2026-03-02",
            token: ExampleToken(
                transaction, person: "70\(transaction)",
                ExamplePurchase(
                    "gold", "46000000000000\(transaction)", of: "460000000000001", expires: "2026-04-01",
                    ownership: ownership, quantity: quantity)))
    }

    static let keys = [KeyKind.originalTransaction]
    static let usesEvidence = true
    private static let maxDevices = RuleLimit(
        "devices", standard: 5, in: 1...4000, "more than this many devices present one purchase")
    private static let highDevices = RuleLimit(
        "many-devices", standard: 10, in: 1...4000, "the severity is high above this many devices")
    private static let days = RuleLimit(
        "days", standard: 90, in: 1...10_000, "they present it on days at most this far apart")

    private let maxDevices: Int
    private let highDevices: Int
    private let days: Int64
    /// The days on which the buyer's tokens, and proofs without an owner, are presented.
    private var buyers = PresentedDays()
    private var unsaid = PresentedDays()
    /// Who presents members' tokens, and on which days.
    private var members = MemberClaims()
    private var seats = Seats()
    private var accounts = DistinctSketch<ExactText>()
    /// The holder that the finding is about.
    private var found: Holder?
    private var isUnsaidCounted = true
    /// How seats cover the claims, if the finding is about those that they do not cover.
    private var cover: Seats.Cover?
    private var window = PresentedDays.Window()

    init(_ policy: Policy) {
        maxDevices = policy.value(of: Self.maxDevices, in: Self.self)
        highDevices = policy.value(of: Self.highDevices, in: Self.self)
        days = policy.seconds(of: Self.days, each: 1, in: Self.self)
    }

    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { .init(contents: maxDevices + 1) }

    mutating func add(_ observation: Observation) {
        if observation.isEvidence { seats.add(observation) }
        guard observation.isGenuine, observation.device != nil else { return }
        switch Holder(observation) {
        case .buyer:
            buyers.add(observation)
            members.addBuyer(observation)
        case .unsaid: unsaid.add(observation)
        case .member:
            members.add(observation, withDays: true)
            return seats.addPeriods(of: observation)
        }
        seats.add(observation)
        if !observation.accountID.isEmpty { accounts.insert(observation.accountID) }
    }

    mutating func hit() -> Hit? {
        found = .buyer
        cover = nil
        var presented = buyers
        presented.add(unsaid)
        var worst = Part(window: window(of: presented), accounts: accounts)
        isUnsaidCounted = (worst.window.devices.count - 1) / maxDevices >= members.knownPeople
        if !isUnsaidCounted {
            presented = buyers
            worst.window = window(of: presented)
        }
        var isComplete = presented.isComplete
        if let cover = seats.cover(withUnsaid: isUnsaidCounted, { people(in: part(of: $0), with: $1) }) {
            worst.seats = cover.covers(people(in: worst, with: cover.seats)) ? cover.seats : 1
            let excess = part(of: cover.excess)
            if rank(worst) < rank(excess) { (worst, self.cover) = (excess, cover) }
        }
        // Each transaction of a member belongs to one person.
        for (transaction, claims) in members.byTransaction {
            var part = part(of: claims)
            let seats = claims.reduce(1) { max($0, $1.claim.seats) }
            part.seats = people(in: part, with: seats) <= seats ? seats : 1
            guard rank(worst) < rank(part) else { continue }
            worst = part
            found = .member(transaction: transaction)
            isComplete = members.isComplete
            cover = nil
        }
        window = worst.window
        guard window.devices.count > maxDevices else { return nil }
        var evidence = window.text(of: "devices", isComplete: isComplete)
        if case .member(let transaction) = found { evidence = "transaction \(transaction) of a member: \(evidence)" }
        let hit =
            isHigh(window.dated.count, window.mismatched)
            ? Hit(evidence, severity: .high, confidence: .likely)
            : Hit(evidence, confidence: window.dated.count > maxDevices ? .possible : .doubtful)
        return hit.eased(bySeats: worst.seats)
    }

    /// The compared part of the group: the buyer's transactions, some of their claims, or a member's transaction.
    private struct Part {
        var window = PresentedDays.Window()
        var accounts = DistinctSketch<ExactText>()
        /// The number of seats, if they cover all claims of the part; otherwise 1.
        var seats = 1
    }

    private func part(of claims: [PresentedTransaction.Matched]) -> Part {
        var (presented, part) = (PresentedDays(), Part())
        for (claim, match) in claims {
            if let device = claim.device { presented.add(device, on: claim.day, match) }
            if !claim.account.isEmpty { part.accounts.insert(claim.account) }
        }
        part.window = window(of: presented)
        return part
    }

    private func isHigh(_ devices: Int, _ mismatched: Int) -> Bool {
        devices > highDevices || mismatched > maxDevices
    }

    private func window(of presented: PresentedDays) -> PresentedDays.Window {
        presented.best(within: days) { isHigh($0, $1) ? 1_000_000 + $0 : $0 }
    }

    /// Returns the number of people: the number of accounts if each may have that many devices, otherwise the number of
    /// devices.
    private func people(in part: Part, with seats: Int) -> Int {
        let devices = part.window.devices.count
        let areFew = part.accounts.isMore(than: 0) && (devices - 1) / maxDevices < seats
        return areFew ? min(devices, part.accounts.count) : devices
    }

    /// Ranks the worse part higher.
    private func rank(_ part: Part) -> Int {
        let isHigh = isHigh(part.window.dated.count, part.window.mismatched)
        let devices = part.window.devices.count
        return (devices > maxDevices && part.seats == 1 ? isHigh ? 2_000_000 : 1_000_000 : 0) + devices
    }

    func involves(_ observation: Observation) -> Bool {
        guard observation.isGenuine, window.contains(observation) else { return false }
        if let cover, !seats.isExcess(observation, of: cover) { return false }
        let holder = Holder(observation)
        return holder == found || holder == .unsaid && found == .buyer && isUnsaidCounted
    }

    func part(of observation: Observation) -> ExactText { Holder(observation).part }

    func isAbout(part: ExactText) -> Bool { part == found?.part }
}
