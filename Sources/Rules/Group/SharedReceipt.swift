import Encodings
import Inputs

/// Finds receipts that several devices send.
package struct SharedReceipt: GroupRule {
    package static let documentation = RuleDocumentation(
        id: "shared-receipt",
        title: "One receipt was sent in by several devices",
        severity: .critical,
        exceptions: [
            .init(
                .medium,
                """
                for a hand-over: at most one account is named and at most \(handOverDevices.standard) devices present \
                the receipt; or two accounts present it, each on one device, and the earlier device presents it no \
                more from day \(handOverDays.standard) after the later one began; or two accounts that have a device \
                in common present it on as few devices, and the earlier account presents it no more from that day
                """)
        ],
        raisedWhen: """
            the content of one receipt is claimed with \(minDevices.standard) or more device ids. Claims without a \
            usable device do not count. In a hand-over between two accounts there are two devices, and each has claims \
            of one of the accounts, besides any that name none; the device with the earlier first claim is the earlier \
            one, at one instant the one whose octets are less; of two accounts the one with the earlier first claim is \
            the earlier, at one instant the smaller one; claims without a date do not speak against a hand-over
            """,
        why: """
            A receipt is made for one device, whose identifier is hashed into it. The same receipt from a second \
            device was copied there, by a person who passes it on or by a tool that hands it out.
            """,
        whenWrong: """
            `identifierForVendor` changes when all of a vendor's apps are removed, and after some restores: an old \
            receipt that is sent in again then comes with a new id, and a new phone that was set up from a backup \
            sends its predecessor's receipt until it is refreshed: most of these are hand-overs, also where somebody \
            opened another account in between. A Mac hashes the address of en0, or en1: export both, with `|` between. \
            Anybody who has a copy of a receipt can present it; the claims of its owner, the first to present it with \
            a hash that matches, are then marked by what the owner's own claims say. Confidence: hand-overs are \
            possible, and doubtful if a claim has no date; without any claim that matches, possible at most.
            """,
        whatToDo: """
            Honour the claim whose device hash matches, if one does. Ask the other devices to refresh their receipt; \
            who bought the app gets one that matches.
            """,
        limits: [minDevices, handOverDevices, handOverDays])

    package static let examples: [RuleExample] = [
        .raised(
            "two accounts use one receipt at the same time", .critical,
            claim("A", account: "ann", presented: "2026-03-01"), claim("B", account: "bob", presented: "2026-03-02"),
            claim("A", account: "ann", presented: "2026-05-01")),
        .raised(
            "four devices without an account present it", .critical,
            claim("A"), claim("B"), claim("C"), claim("D")),
        .raised(
            "one account moves to a second phone", .medium,
            claim("A", account: "ann", presented: "2026-03-01"), claim("B", account: "ann", presented: "2026-03-02")),
        .raised(
            "the phone is sold, and the next owner sends the old receipt", .medium,
            claim("A", account: "ann", presented: "2026-03-01"), claim("B", account: "bob", presented: "2026-03-20"),
            claim("A", account: "ann", presented: "2026-04-18T23:59:59Z")),
        .raised(
            "the first phone still sends it after thirty days", .critical,
            claim("A", account: "ann", presented: "2026-03-01"), claim("B", account: "bob", presented: "2026-03-20"),
            claim("A", account: "ann", presented: "2026-04-19")),
        .raised(
            "somebody opens another account, and later has a new phone", .medium,
            claim("A", account: "ann", presented: "2026-03-01"), claim("A", account: "ann-2", presented: "2026-03-20"),
            claim("B", account: "ann-2", presented: "2026-05-01")),
        .raised(
            "two accounts on one phone, of which both go on, and a second phone", .critical,
            claim("A", account: "ann", presented: "2026-03-01"), claim("A", account: "bob", presented: "2026-03-20"),
            claim("B", account: "bob", presented: "2026-05-01"), claim("A", account: "ann", presented: "2026-05-02")),
        .clear("one phone sends in its receipt twice", ExampleClaim(device: "A"), ExampleClaim(device: "A")),
        .clear(
            "two phones send in receipts of their own", ExampleClaim(device: "A"),
            ExampleClaim(device: "B", receipt: ExampleReceipt(2))),
        .clear("a claim without a device proves nothing", ExampleClaim(device: "A"), ExampleClaim(device: "")),
    ]

    /// A claim to the receipt of device A.
    private static func claim(_ device: String, account: ExactText = "", presented: String? = nil) -> ExampleClaim {
        ExampleClaim(device: device, deviceHashMatches: device == "A", account: account, presented: presented)
    }

    package static let keys = [KeyKind.receipt]
    private static let minDevices = RuleLimit(
        "devices", standard: 2, in: 2...4000, "at least this many devices send in one receipt")
    private static let handOverDevices = RuleLimit(
        "hand-over-devices", standard: 3, in: 0...4000,
        "the severity is medium for at most this many devices of one account or of none")
    private static let handOverDays = RuleLimit(
        "hand-over-days", standard: 30, in: 0...10_000,
        "the severity is medium if the earlier of two devices stops this many days after the later one began")

    private let minDevices: Int
    private let handOverDevices: Int
    private let handOverSeconds: Int64
    private var devices = DeviceCount()
    private var accounts = DistinctSketch<ExactText>()
    /// When the receipt was presented, and with which accounts, by each of the least devices.
    private var presented = BottomMap<Device, Presented>(limit: 16)
    /// When each of the least accounts presented it.
    private var accountDates = BottomMap<ExactText, DateSpan>(limit: 3)
    private var isUndated = SeenFlag()

    package init(_ policy: Policy) {
        minDevices = policy.value(of: Self.minDevices, in: Self.self)
        handOverDevices = policy.value(of: Self.handOverDevices, in: Self.self)
        handOverSeconds = policy.seconds(of: Self.handOverDays, each: 86_400, in: Self.self)
    }

    package mutating func add(_ observation: Observation) {
        // A token that is bound to no device comes from a server, and may reach any number of devices from there.
        guard observation.isBound, let device = observation.device else { return }
        devices.add(observation)
        if !observation.accountID.isEmpty { accounts.insert(observation.accountID) }
        presented.add(device, Presented(observation))
        if !observation.accountID.isEmpty {
            var dates = DateSpan()
            dates.add(observation.presentedAt)
            accountDates.add(observation.accountID, dates)
        }
        if observation.presentedAt == nil { isUndated.isSet = true }
    }

    package mutating func code(_ coder: inout StateCoder) throws {
        try coder.code(&devices)
        try coder.code(&accounts)
        try coder.code(&presented)
        try coder.code(&accountDates)
        try coder.code(&isUndated)
    }

    package func hit() -> Hit? {
        guard devices.all.isMore(than: minDevices - 1) else { return nil }
        var evidence = "\(devices.all.countText) devices: \(devices.list)"
        if accounts.isMore(than: 0) { evidence += "; \(accounts.accountsText)" }
        guard isHandOver else { return Hit(evidence) }
        return Hit(
            evidence + "; it may have been handed over", severity: .medium,
            confidence: isUndated.isSet ? .doubtful : .possible)
    }

    private var isHandOver: Bool {
        guard accounts.isMore(than: 1) else { return !devices.all.isMore(than: handOverDevices) }
        guard !accounts.isMore(than: 2) else { return false }
        let shown = presented.sorted
        if shown.contains(where: { $0.value.accounts.count == 2 }) {
            return !devices.all.isMore(than: handOverDevices) && isSuccession(accountDates.sorted.map(\.value))
        }
        // Each device has one of the accounts, and there are no others.
        guard shown.count == 2, shown.allSatisfy({ $0.value.accounts.count == 1 }) else { return false }
        return isSuccession(shown.map(\.value.dates))
    }

    /// Whether the earlier of two spans ends before the later one has lasted for ``handOverDays``.
    private func isSuccession(_ both: [DateSpan]) -> Bool {
        // The smaller key comes first, also of two that began at one instant.
        let ordered = both.enumerated().sorted {
            ($0.element.first?.milliseconds ?? .max, $0.offset) < ($1.element.first?.milliseconds ?? .max, $1.offset)
        }.map(\.element)
        guard ordered.count == 2, let last = ordered[0].last, let begin = ordered[1].first else { return true }
        return last < begin.adding(seconds: handOverSeconds)
    }

    package func involves(_ observation: Observation) -> Bool { observation.isBound && observation.device != nil }

    /// How one device presents the receipt.
    private struct Presented: Mergeable, Sendable {
        var dates = DateSpan()
        /// At most the two least.
        private(set) var accounts: [ExactText] = []

        init(_ observation: Observation) {
            dates.add(observation.presentedAt)
            if !observation.accountID.isEmpty { accounts = [observation.accountID] }
        }

        mutating func add(_ other: Presented) {
            dates.add(other.dates)
            accounts = Array(Set(accounts + other.accounts).sorted().prefix(2))
        }
    }
}

/// The first and the last of many instants.
private struct DateSpan: Mergeable, Sendable {
    private(set) var first: Instant?
    private(set) var last: Instant?
    /// Whether something without an instant was added.
    private(set) var isUndated = false

    mutating func add(_ instant: Instant?) {
        guard let instant else { return isUndated = true }
        first.add(instant)
        last = last.map { max($0, instant) } ?? instant
    }

    mutating func add(_ other: DateSpan) {
        if let otherFirst = other.first { add(otherFirst) }
        if let otherLast = other.last { add(otherLast) }
        isUndated = isUndated || other.isUndated
    }
}
