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
            By itself, nothing. Together with `hidden-refund` or `expired-receipt` on the same device it shows intent. Judge \
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
        _ number: Int, presented: String, created: String, app: String = "com.example.notes"
    ) -> ExampleClaim {
        ExampleClaim(presented: presented, receipt: ExampleReceipt(number, bundleID: app, created: created))
    }

    public static let keys = [KeyKind.device]
    /// More apps than that on one device are not looked at: a company has fewer.
    private static let mostApps = 64

    private var apps: [ExactText: Least<Snapshot, Witness>] = [:]
    private var hasMoreApps = false
    private var timelines: [ExactText: SnapshotTimeline] = [:]

    public init(_ policy: Policy) {}

    public mutating func take(_ sighting: Sighting) {
        guard let snapshot = Snapshot(sighting) else { return }
        let app = ExactText(sighting.bundleID.boundedID)
        apps[app, default: Least()].insert(snapshot, Witness(sighting))
        guard apps.count > Self.mostApps, let last = apps.keys.max() else { return }
        // There are so many lesser apps that this one cannot come back.
        apps[last] = nil
        hasMoreApps = true
    }

    public mutating func hit() -> Hit? {
        timelines = apps.mapValues { SnapshotTimeline($0.sorted) }
        let rollbacks = timelines.sorted { $0.key < $1.key }.flatMap { app, timeline in
            timeline.rollbacks.map { "\(app): \($0)" }
        }
        guard !rollbacks.isEmpty else { return nil }
        var evidence = rollbacks.listed(of: String(rollbacks.count), by: "; ") { $0 }
        if !apps.values.allSatisfy(\.isComplete) {
            evidence += "; only the latest 4096 snapshots of an app were compared"
        }
        if hasMoreApps { evidence += "; only \(Self.mostApps) apps were compared" }
        return Hit(evidence)
    }

    public func involves(_ sighting: Sighting) -> Bool {
        guard let snapshot = Snapshot(sighting),
            let timeline = timelines[ExactText(sighting.bundleID.boundedID)]
        else { return false }
        return timeline.isRollback(snapshot) || timeline.isContradicted(snapshot)
    }
}
