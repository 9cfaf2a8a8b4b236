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
            shows no transaction, as a paid app's may
            """,
        details: """
            Claims without an account do not count. Dates do not matter.
            Purchases of a member of a family or a group (`inAppOwnershipType` is not PURCHASED) are compared by \
            their own transaction, and the finding is then about the one that most accounts present.
            Where several members (`appTransactionId`) are known under one original transaction, proofs that do not \
            say whose they are count only if more accounts present them than people are known.
            For a paid app's receipt, accounts whose claims match on one device count as one. The rule is then \
            silent if `shared-receipt` reports the receipt at least as severely, and for all of the accounts.
            """,
        why: """
            A purchase belongs to one buyer. If several of your accounts present it, somebody buys once for many, or \
            sells receipts. Leaving out the device id, or inventing one, hides nobody from this rule.
            """,
        whenWrong: """
            Restored purchases appear on every device of an Apple Account, whichever of your accounts is signed in. A \
            person with two of your accounts, or with a new one after deleting the first, looks the same. So does a \
            couple or a family that shares one Apple Account. Family Sharing does not: each member gets receipts and \
            transactions of their own. \(Seats.text). For up to that many accounts, the severity is medium and \
            confidence doubtful. \(Seats.validityText). Test departments and App Review sign in with many accounts on \
            one Apple Account. An \
            export without device ids makes a shared iPad look like many devices. \(MarkRole.text). Confidence is \
            possible, and likely for the severity high. \(AccountsAsOne.text).
            """,
        whatToDo: """
            Bind a purchase to the first account that claims it, and move it only on request. Many accounts, or \
            accounts in different countries, suggest a trade; two that alternate on one device suggest one person.
            """,
        limits: [maxAccounts, manyAccounts])

    static let keys = [KeyKind.originalTransaction, .receipt]
    static let usesEvidence = true
    static let countsAccounts = true
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
    private var seats = Seats()
    /// The holder that the finding is about.
    private var found: Holder?
    private var isUnsaidCounted = true
    /// How seats cover the claims, if the finding is about those that they do not cover.
    private var cover: Seats.Cover?
    /// The accounts with matching claims. Only for a receipt, which can match only one device.
    private var matching = DistinctSketch<ExactText>()
    /// Who presents the receipt to ``SharedReceipt``, and how it judges them; `nil` if that rule is off.
    private var receipt = SharedProof.Presenters()
    private let receiptProof: SharedProof?

    init(_ policy: Policy) {
        maxAccounts = policy.value(of: Self.maxAccounts, in: Self.self)
        manyAccounts = policy.value(of: Self.manyAccounts, in: Self.self)
        severity = policy.rules[Self.documentation.id]?.severity
        let settings = policy.rules[SharedReceipt.documentation.id]
        severityOfReceipt = settings?.severity
        receiptProof =
            settings?.isOff == true ? nil : SharedProof(policy, in: SharedReceipt.self, SharedReceipt.minDevices)
    }

    mutating func begin(_ key: KeyKind) { isOfReceipt = key == .receipt }

    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { .init(marked: maxAccounts + 1) }

    func mayRaise(_ observation: borrowing Observation) -> Bool { !observation.accountID.isEmpty }

    mutating func add(_ observation: Observation) {
        if isOfReceipt, receiptProof != nil, !observation.hasTransactions { receipt.add(observation) }
        if observation.isEvidence { seats.add(observation) }
        guard isCounted(observation) else { return }
        if isOfReceipt {
            buyers.add(observation)
            if observation.isMatching { matching.insert(observation.accountID) }
            return
        }
        switch Holder(observation) {
        case .buyer:
            buyers.add(observation)
            members.addBuyer(observation)
        case .unsaid: unsaid.add(observation)
        case .member:
            members.add(observation, withDays: false)
            return seats.addPeriods(of: observation)
        }
        seats.add(observation)
    }

    mutating func hit() -> Hit? {
        found = .buyer
        cover = nil
        var all = buyers
        all.add(unsaid)
        // Matching accounts share one device, the receipt's.
        let together = max(0, matching.count - 1)
        isUnsaidCounted = isOfReceipt || all.accounts.isMore(than: members.knownPeople)
        var worst = Part(presenters: isUnsaidCounted ? all : buyers)
        worst.count = max(0, worst.count - together)
        if let cover = seats.cover(withUnsaid: isUnsaidCounted, { claims, _ in Presenters(claims).accounts.count }) {
            worst.seats = cover.covers(worst.count) ? cover.seats : 1
            let excess = Part(presenters: Presenters(cover.excess))
            if rank(worst) < rank(excess) { (worst, self.cover) = (excess, cover) }
        }
        // Each transaction of a member belongs to one person.
        for (transaction, claims) in members.byTransaction {
            var part = Part(presenters: Presenters(claims))
            let seats = claims.reduce(1) { max($0, $1.claim.seats) }
            part.seats = part.count <= seats ? seats : 1
            guard rank(worst) < rank(part) else { continue }
            worst = part
            found = .member(transaction: transaction)
            cover = nil
        }
        guard worst.count > maxAccounts else { return nil }
        var evidence = "\(worst.presenters.accounts.accountsText); on \(worst.presenters.devices.text)"
        if together > 0 { evidence += "; \(matching.accountsText) on its own device count as one" }
        if case .member(let transaction) = found {
            let transactions = members.isComplete ? "" : ", one of the first \(members.byTransaction.count)"
            evidence = "transaction \(transaction) of a member\(transactions): \(evidence)"
        }
        let hit =
            worst.count > manyAccounts ? Hit(evidence, severity: .high, confidence: .likely) : Hit(evidence)
        return found == .buyer && isReported(hit) ? nil : hit.eased(bySeats: worst.seats)
    }

    /// The compared part of the group.
    private struct Part {
        var presenters: Presenters
        var count: Int
        /// The number of seats, if they cover all claims of the part; otherwise 1.
        var seats = 1

        init(presenters: Presenters) { (self.presenters, count) = (presenters, presenters.accounts.count) }
    }

    /// Ranks the worse finding higher.
    private func rank(_ part: Part) -> Int {
        let level = part.count <= maxAccounts ? 0 : part.seats > 1 ? 1 : part.count > manyAccounts ? 3 : 2
        return part.count.addingSaturating(level << 52)
    }

    /// Whether ``SharedReceipt`` reports the same accounts with at least the same severity.
    private func isReported(_ hit: Hit) -> Bool {
        guard isOfReceipt, let shared = receiptProof?.hit(receipt) else { return false }
        let reported = Set(receipt.accounts.sorted)
        guard buyers.accounts.sorted.allSatisfy(reported.contains) else { return false }
        let other = severityOfReceipt ?? shared.severity ?? SharedReceipt.documentation.severity
        return other >= severity ?? hit.severity ?? Self.documentation.severity
    }

    func involves(_ observation: Observation) -> Bool {
        guard isCounted(observation) else { return false }
        guard !isOfReceipt else { return true }
        if let cover, !seats.isExcess(observation, of: cover) { return false }
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

        init(_ claims: [PresentedTransaction.Matched]) {
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
