import Encodings

/// A receipt as it was presented: when, and when it was made. The latest presented is the least.
struct Snapshot: Hashable, Comparable, Codable, Sendable {
    let presentedAt: Instant
    let createdAt: Instant

    init?(_ observation: Observation) {
        guard observation.isGenuine, let presentedAt = observation.presentedAt, let createdAt = observation.createdAt
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
struct SnapshotTimeline: Sendable {
    typealias Entry = (key: Snapshot, note: Witness)

    private let entries: [Entry]
    /// At each place, the newest receipt of those up to it, the first of several.
    private let newestBefore: [Entry]
    /// At each place, when the oldest receipt from there on was made.
    private let oldestAfter: [Instant]

    /// - Parameter latestFirst: in the order of ``Snapshot``.
    init(_ latestFirst: [Entry]) {
        entries = latestFirst.reversed()
        var newest: [Entry] = []
        for entry in entries {
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
        let later = firstIndex { $0.presentedAt > snapshot.presentedAt }
        return later < entries.count && oldestAfter[later] < snapshot.createdAt
    }

    /// Each older receipt that came after a newer one, in words.
    var rollbacks: [String] {
        entries.compactMap { entry in
            newer(before: entry.key).map { "\(Self.text(entry)), after \(Self.text($0))" }
        }
    }

    private func newer(before snapshot: Snapshot) -> Entry? {
        let earlier = firstIndex { $0.presentedAt >= snapshot.presentedAt }
        guard earlier > 0 else { return nil }
        let newest = newestBefore[earlier - 1]
        return newest.key.createdAt > snapshot.createdAt ? newest : nil
    }

    /// The first place from which on a condition holds.
    private func firstIndex(where holds: (Snapshot) -> Bool) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(entries[middle].key) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private static func text(_ entry: Entry) -> String {
        "\(entry.note.source), presented on \(entry.key.presentedAt) with a receipt made on \(entry.key.createdAt)"
    }
}
