import Encodings
import Inputs

/// Who presents one proof, on which devices and when, and whether it was handed over: the shared part of
/// ``SharedReceipt`` and ``TokenReplay``.
struct SharedProof: Sendable {
    static let handOverDevices = RuleLimit(
        "hand-over-devices", standard: 3, in: 0...4000,
        "the severity is medium for at most this many devices of one account or of none")
    static let handOverDays = RuleLimit(
        "hand-over-days", standard: 30, in: 0...10_000,
        "the severity is medium if the earlier of two devices stops within this many days of the later one's"
            + " first claim")

    /// The text for a medium severity.
    static let handOverText = """
        for a hand-over, as described below
        """
    /// The text about a hand-over that strangers make look like more.
    static let heirText = """
        If the first presenter's claims and those of one other presenter are a hand-over when taken alone, the other \
        presenter, the earliest such one, is marked medium at most
        """
    /// What both rules mean by a device and by a hand-over: the last items of their details.
    static let details = """
        A token's device is the `device_verification_id` if that matches it, or if the claim names no usable \
        `device_id`; otherwise it is the `device_id`.
        It is a hand-over if at most one account is named, and at most \(handOverDevices.standard) devices present the \
        proof.
        It is one, too, if two accounts present it, each on one device, and the earlier device stops within \
        \(handOverDays.standard) days of the later one's first claim. There are then two devices, and each has claims \
        of one of the accounts, besides claims that name none.
        It is one, too, if two accounts with a device in common present it on at most \(handOverDevices.standard) \
        devices, and the earlier account stops within \(handOverDays.standard) days of the later one's first claim.
        The earlier device or account is the one with the earlier first claim; at the same instant, the one with the \
        smaller bytes. Claims without a date do not rule out a hand-over.
        """

    private let minDevices: Int
    private let maxHandOverDevices: Int
    private let handOverSeconds: Int64

    /// - Parameters:
    ///   - rule: the rule whose limits apply.
    ///   - minDevices: the limit for the number of devices.
    init(_ policy: Policy, in rule: (some Rule).Type, _ minDevices: RuleLimit) {
        self.minDevices = policy.value(of: minDevices, in: rule)
        maxHandOverDevices = policy.value(of: Self.handOverDevices, in: rule)
        handOverSeconds = policy.seconds(of: Self.handOverDays, each: 86_400, in: rule)
    }

    /// Whether a claim counts: it names a device, and its proof is bound to one. An unbound token comes from a server,
    /// which may send it to any number of devices.
    static func isCounted(_ observation: Observation) -> Bool { observation.isBound && observation.device != nil }

    /// The number of claims that must differ.
    var minTraits: ClaimTrait.Minimum { .init(contents: minDevices) }

    /// Who presents one proof.
    struct Presenters: Sendable {
        private(set) var devices = DeviceCount()
        private(set) var accounts = DistinctSketch<ExactText>()
        /// When the proof was presented, and with which accounts, for each of the smallest devices.
        fileprivate private(set) var presented = BottomMap<Device, Presented>(limit: 16)
        /// When each of the smallest accounts presented it.
        fileprivate private(set) var accountDates = BottomMap<ExactText, DateSpan>(limit: 3)
        fileprivate private(set) var isUndated = false
        fileprivate private(set) var seats = Seats()

        mutating func add(_ observation: Observation) {
            guard SharedProof.isCounted(observation), let device = observation.device else { return }
            devices.add(observation)
            if !observation.accountID.isEmpty { accounts.insert(observation.accountID) }
            presented.update(device, from: Presented()) { $0.add(observation) }
            if !observation.accountID.isEmpty {
                accountDates.update(observation.accountID, from: DateSpan()) { $0.add(observation.presentedAt) }
            }
            if observation.presentedAt == nil { isUndated = true }
            if observation.kind != nil { seats.add(observation) }
        }
    }

    /// Returns what is wrong with a proof, or `nil`.
    func hit(_ proof: Presenters) -> Hit? {
        let (devices, accounts) = (proof.devices, proof.accounts)
        guard devices.all.isMore(than: minDevices - 1) else { return nil }
        var evidence = "\(devices.all.countText) devices: \(devices.list)"
        if accounts.isMore(than: 0) { evidence += "; \(accounts.accountsText)" }
        let hit =
            isHandOver(proof)
            ? Hit(
                evidence + "; it may have been handed over", severity: .medium,
                confidence: proof.isUndated ? .doubtful : .possible)
            : Hit(evidence)
        guard let cover = proof.seats.cover({ claims, _ in Self.people(in: claims) }), cover.excess.isEmpty,
            cover.covers(max(devices.all.count, accounts.count))
        else { return hit }
        return hit.eased(bySeats: cover.seats)
    }

    private static func people(in claims: [PresentedTransaction.Matched]) -> Int {
        let accounts = Set(claims.map(\.claim.account).filter { !$0.isEmpty })
        return max(Set(claims.compactMap(\.claim.device)).count, accounts.count)
    }

    func isHandOver(_ proof: Presenters) -> Bool {
        let (devices, accounts) = (proof.devices, proof.accounts)
        guard accounts.isMore(than: 1) else { return !devices.all.isMore(than: maxHandOverDevices) }
        guard !accounts.isMore(than: 2) else { return false }
        let shown = proof.presented.sorted
        if shown.contains(where: { $0.value.accounts.count == 2 }) {
            return !devices.all.isMore(than: maxHandOverDevices) && isSuccession(proof.accountDates.sorted.map(\.value))
        }
        // Each of the two devices has one of the two accounts, and there are no others.
        guard shown.count == 2, shown.allSatisfy({ $0.value.accounts.count == 1 }) else { return false }
        return isSuccession(shown.map(\.value.dates))
    }

    /// Whether the earlier of two spans ends within ``handOverDays`` of the start of the later one.
    private func isSuccession(_ both: [DateSpan]) -> Bool {
        // The smaller key comes first if both spans begin at the same instant.
        let ordered = both.enumerated().sorted {
            ($0.element.first?.milliseconds ?? .max, $0.offset) < ($1.element.first?.milliseconds ?? .max, $1.offset)
        }.map(\.element)
        guard ordered.count == 2, let last = ordered[0].last, let begin = ordered[1].first else { return true }
        return last < begin.adding(seconds: handOverSeconds)
    }

    /// How one device presents the proof.
    fileprivate struct Presented: Sendable {
        var dates = DateSpan()
        /// The two smallest accounts at most.
        private(set) var accounts: [ExactText] = []

        mutating func add(_ observation: Observation) {
            dates.add(observation.presentedAt)
            if !observation.accountID.isEmpty { accounts.insertSmallest(observation.accountID, atMost: 2) }
        }
    }
}

/// The first and the last of many instants.
struct DateSpan: Sendable {
    private(set) var first: Instant?
    private(set) var last: Instant?
    /// Whether a value without an instant was added.
    private(set) var isUndated = false

    mutating func add(_ instant: Instant?) {
        guard let instant else { return isUndated = true }
        first.add(instant)
        last.addGreatest(instant)
    }

    /// Whether no instant is certainly after the first one of another span.
    func mayEnd(before other: DateSpan) -> Bool {
        guard let last, let begin = other.first else { return true }
        return !begin.isSurelyBefore(last)
    }
}
