import Encodings

/// An older receipt after a newer one.
public struct SnapshotRollback: GroupRule {
    public static let documentation = RuleDocumentation(
        id: "snapshot-rollback",
        title: "A device went back to an older receipt",
        severity: .low,
        raisedWhen: """
            a claim presented later carries an older genuine receipt of the same app than a claim that the device presented \
            before
            """,
        why: """
            A device replaces its receipt by newer ones and does not go back. Who keeps an old one and sends it in again may \
            want something back that the newer one no longer has: a refunded purchase, or a subscription that ran out.
            """,
        whenWrong: """
            Often. A device restored from a backup has the backup's receipt until it is refreshed (and, often, another \
            `identifierForVendor`). A Mac has a receipt in each copy of the app. Claims that wait in a queue come in out of \
            order, if `presented_at` is when they came in and not when they were made. App Review and TestFlight send \
            sandbox receipts besides those of production.
            """,
        whatToDo: """
            By itself, nothing. Together with `hidden-refund` or `expired-receipt` on the same device it shows intent. Checker \
            a device by its newest receipt.
            """)

    public static let examples: [RuleExample] = [
        .raised(
            "the receipt of February is sent in after that of March", .low,
            claim(1, presented: "2026-03-05", created: "2026-03-01"),
            claim(2, presented: "2026-03-06", created: "2026-02-01")),
        .clear(
            "receipts are sent in as they were made", claim(1, presented: "2026-02-05", created: "2026-02-01"),
            claim(2, presented: "2026-03-06", created: "2026-03-01")),
        .clear(
            "one receipt is sent in twice", claim(1, presented: "2026-03-05", created: "2026-03-01"),
            claim(1, presented: "2026-03-06", created: "2026-03-01")),
        .clear(
            "both are sent in at one instant", claim(1, presented: "2026-03-05", created: "2026-03-01"),
            claim(2, presented: "2026-03-05", created: "2026-02-01")),
        .clear(
            "the older receipt is another app's", claim(1, presented: "2026-03-05", created: "2026-03-01"),
            claim(2, presented: "2026-03-06", created: "2026-02-01", app: "com.example.draw")),
    ]

    private static func claim(
        _ number: Int, presented: String, created: String, app: ExactText = "com.example.notes"
    ) -> ExampleClaim {
        ExampleClaim(presented: presented, receipt: ExampleReceipt(number, bundleID: app, created: created))
    }

    public static let keys = [KeyKind.device]
    private var apps = Apps()
    private var timelines: [ExactText: SnapshotTimeline] = [:]

    public init(_ policy: Policy) {}

    public mutating func take(_ observation: Observation) {
        guard let snapshot = Snapshot(observation) else { return }
        let app = observation.bundleID.boundedID
        apps.snapshots[app, default: BottomK()].insert(snapshot, Witness(observation))
        apps.shrink()
    }

    public mutating func carry(_ carrier: inout StateCoder) throws {
        try carrier.carry(&apps)
    }

    public mutating func hit() -> Hit? {
        timelines = apps.snapshots.mapValues { SnapshotTimeline($0.sorted) }
        let rollbacks = timelines.sorted { $0.key < $1.key }.flatMap { app, timeline in
            timeline.rollbacks.map { "\(app): \($0)" }
        }
        guard !rollbacks.isEmpty else { return nil }
        var evidence = rollbacks.listed(of: String(rollbacks.count), by: "; ") { $0 }
        if !apps.snapshots.values.allSatisfy(\.isComplete) {
            evidence += "; only the latest \(BottomK<Snapshot, Witness>.most) snapshots of an app were compared"
        }
        if apps.areMore { evidence += "; only \(Apps.most) apps were compared" }
        return Hit(evidence)
    }

    public func involves(_ observation: Observation) -> Bool {
        guard let snapshot = Snapshot(observation),
            let timeline = timelines[observation.bundleID.boundedID]
        else { return false }
        return timeline.isRollback(snapshot) || timeline.isContradicted(snapshot)
    }

    /// What was presented of each app.
    private struct Apps: Mergeable, Sendable {
        /// More apps than that on one device are not looked at: a company has fewer.
        static let most = 64

        var snapshots: [ExactText: BottomK<Snapshot, Witness>] = [:]
        private(set) var areMore = false

        /// Leaves out what is too much. There are so many lesser apps that one that is left out cannot come back.
        mutating func shrink() {
            while snapshots.count > Self.most, let last = snapshots.keys.max() {
                snapshots[last] = nil
                areMore = true
            }
        }

        mutating func add(_ other: Apps) {
            areMore = areMore || other.areMore
            snapshots.merge(other.snapshots) { one, another in
                var sum = one
                sum.add(another)
                return sum
            }
            shrink()
        }
    }
}
