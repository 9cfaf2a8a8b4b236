import Encodings

/// Finds devices that present an older receipt after a newer one.
struct SnapshotRollback: GroupRule {
    static let documentation = RuleDocumentation(
        id: "snapshot-rollback",
        title: "A device went back to an older receipt",
        severity: .low,
        confidence: .doubtful,
        raisedWhen: """
            a device presents an older receipt (attribute 12) of an app (bundle id) than it presented before. Only \
            genuine claims whose device hash matches count. Claims without a date do not count, nor do two that were \
            presented at one instant. A claim at midnight (UTC) may have come at any time of that day
            """,
        why: """
            A device replaces its receipt with newer ones and does not go back. A user who keeps an old one and sends \
            it again may want what the newer one lacks: a refunded purchase, or a subscription that ran out.
            """,
        whenWrong: """
            Often. A device restored from a backup has the backup's receipt until it is refreshed (and, often, another \
            `identifierForVendor`). A Mac has a receipt in each copy of the app. Queued claims arrive out of order if \
            `presented_at` is the time of arrival. App Review and TestFlight send sandbox receipts besides those of \
            production. Nobody else can raise it with receipts of their own, as those do not match the device. \
            Confidence is always doubtful.
            """,
        whatToDo: """
            Nothing on this alone. Together with `hidden-refund` or `expired-receipt` on the same device it shows \
            intent. Judge a device by its newest receipt.
            """)

    static let examples: [RuleExample] = [
        .raised(
            "the receipt of February is sent in after that of March", .low,
            claim(1, presented: "2026-03-05", created: "2026-03-01"),
            claim(2, presented: "2026-03-06", created: "2026-02-01")),
        .clear(
            "receipts are sent in as they were made", claim(1, presented: "2026-02-05", created: "2026-02-01"),
            claim(2, presented: "2026-03-06", created: "2026-03-01")),
        .clear(
            "somebody sends an older receipt under its id", claim(1, presented: "2026-03-05", created: "2026-03-01"),
            claim(2, presented: "2026-03-06", created: "2026-02-01", deviceHashMatches: false)),
        .clear(
            "one receipt is sent in twice", claim(1, presented: "2026-03-05", created: "2026-03-01"),
            claim(1, presented: "2026-03-06", created: "2026-03-01")),
        .clear(
            "both are sent in at one instant", claim(1, presented: "2026-03-05", created: "2026-03-01"),
            claim(2, presented: "2026-03-05", created: "2026-02-01")),
        .clear(
            "the newer one came at some time of the same day",
            claim(1, presented: "2026-03-05", created: "2026-03-01"),
            claim(2, presented: "2026-03-05T10:00:00Z", created: "2026-02-01")),
        .raised(
            "the newer one came before that day", .low, claim(1, presented: "2026-03-05", created: "2026-03-01"),
            claim(2, presented: "2026-03-06T00:00:01Z", created: "2026-02-01")),
        .clear(
            "the older receipt is another app's", claim(1, presented: "2026-03-05", created: "2026-03-01"),
            claim(2, presented: "2026-03-06", created: "2026-02-01", app: "com.example.draw")),
    ]

    private static func claim(
        _ number: Int, presented: String, created: String, app: ExactText = "com.example.notes",
        deviceHashMatches: Bool = true
    ) -> ExampleClaim {
        ExampleClaim(
            deviceHashMatches: deviceHashMatches, presented: presented,
            receipt: ExampleReceipt(number, bundleID: app, created: created))
    }

    static let keys = [KeyKind.device]
    private var apps = Apps()
    private var timelines: [ExactText: SnapshotTimeline] = [:]

    init(_ policy: Policy) {}

    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { .init(isDisorder: true) }

    func mayRaise(_ observation: borrowing Observation) -> Bool { observation.kind == nil }

    mutating func add(_ observation: Observation) {
        guard let snapshot = Snapshot(observation) else { return }
        let app = observation.bundleID.boundedID
        apps.snapshots[app, default: BottomMap()].add(snapshot, Witness(observation))
        apps.shrink()
    }

    mutating func hit() -> Hit? {
        timelines = apps.snapshots.mapValues { SnapshotTimeline($0.sorted) }
        let rollbacks = timelines.sorted { $0.key < $1.key }.flatMap { app, timeline in
            timeline.rollbacks.map { "\(app): \($0)" }
        }
        guard !rollbacks.isEmpty else { return nil }
        var evidence = rollbacks.listedOfAll(by: "; ") { $0 }
        if !apps.snapshots.values.allSatisfy(\.isComplete) {
            evidence +=
                "; only the latest \(BottomMap<Snapshot, Witness>.standardLimit) snapshots of an app were compared"
        }
        if apps.areMore { evidence += "; only \(Apps.limit) apps were compared" }
        return Hit(evidence)
    }

    func involves(_ observation: Observation) -> Bool {
        guard let snapshot = Snapshot(observation),
            let timeline = timelines[observation.bundleID.boundedID]
        else { return false }
        return timeline.isRollback(snapshot) || timeline.isContradicted(snapshot)
    }

    /// The receipts that were presented, by app.
    private struct Apps: Sendable {
        /// The maximum number of apps that are compared on one device. A company has fewer.
        static let limit = 64

        var snapshots: [ExactText: BottomMap<Snapshot, Witness>] = [:]
        private(set) var areMore = false

        /// Drops the greatest apps beyond the limit. They cannot come back: `limit` smaller ones remain.
        mutating func shrink() {
            while snapshots.count > Self.limit, let last = snapshots.keys.max() {
                snapshots[last] = nil
                areMore = true
            }
        }
    }
}

/// A receipt with its dates of presentation and creation. Sorts the latest presentation first.
private struct Snapshot: Hashable, Comparable, Sendable {
    let presentedAt: Instant
    let createdAt: Instant

    init?(_ observation: Observation) {
        // A token covers one purchase, so an older token does not roll back the state of a newer one.
        guard observation.isMatching, observation.kind == nil, let presentedAt = observation.presentedAt,
            let createdAt = observation.createdAt
        else {
            return nil
        }
        self.presentedAt = presentedAt
        self.createdAt = createdAt
    }

    static func < (a: Snapshot, b: Snapshot) -> Bool {
        (b.presentedAt, b.createdAt) < (a.presentedAt, a.createdAt)
    }
}

/// The snapshots of one app in the order in which they were presented.
private struct SnapshotTimeline: Sendable {
    typealias Entry = (key: Snapshot, value: Witness)

    private let entries: [Entry]
    /// The same snapshots sorted by their latest possible presentation: a date without a time counts at the end of the
    /// day.
    private let surely: [Entry]
    /// For each index in ``surely``, the newest receipt up to it; the first of equal ones.
    private let newestBefore: [Entry]
    /// For each index, the creation date of the oldest receipt from there on.
    private let oldestAfter: [Instant]

    /// - Parameter latestFirst: in the order of ``Snapshot``.
    init(_ latestFirst: [Entry]) {
        entries = latestFirst.reversed()
        surely = entries.sorted { ($0.key.presentedAt.latest, $1.key) < ($1.key.presentedAt.latest, $0.key) }
        var newest: [Entry] = []
        for entry in surely {
            if let last = newest.last, last.key.createdAt >= entry.key.createdAt {
                newest.append(last)
            } else {
                newest.append(entry)
            }
        }
        newestBefore = newest
        var oldest: [Instant] = []
        for entry in latestFirst { oldest.append(min(oldest.last ?? entry.key.createdAt, entry.key.createdAt)) }
        oldestAfter = oldest.reversed()
    }

    /// Whether a newer receipt was presented before.
    func isRollback(_ snapshot: Snapshot) -> Bool { newer(before: snapshot) != nil }

    /// Whether an older receipt was presented later.
    func isContradicted(_ snapshot: Snapshot) -> Bool {
        let later = entries.firstPlace { snapshot.presentedAt.isSurelyBefore($0.key.presentedAt) }
        return later < entries.count && oldestAfter[later] < snapshot.createdAt
    }

    /// The text about each older receipt that came after a newer one.
    var rollbacks: [String] {
        entries.compactMap { entry in
            newer(before: entry.key).map { "\(Self.text(entry)), after \(Self.text($0))" }
        }
    }

    private func newer(before snapshot: Snapshot) -> Entry? {
        let earlier = surely.firstPlace { !$0.key.presentedAt.isSurelyBefore(snapshot.presentedAt) }
        guard earlier > 0 else { return nil }
        let newest = newestBefore[earlier - 1]
        return newest.key.createdAt > snapshot.createdAt ? newest : nil
    }

    private static func text(_ entry: Entry) -> String {
        "\(entry.value), presented on \(entry.key.presentedAt) with a receipt made on \(entry.key.createdAt)"
    }
}
