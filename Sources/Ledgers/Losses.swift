import Synchronization

/// The damaged rows that a run met. It goes on without them, deletes them when it ends, and says how many they were.
///
/// Any thread may add to it.
final class Losses: Sendable {
    /// What a row is, in the plural, and the table that it is in.
    enum Kind: String, CaseIterable {
        case claims = "claim"
        case statements = "statement"
        case findings = "finding"
        case reviews = "review"
        case runs = "run"
        case observations = "observation"
    }

    private struct Rows: Sendable {
        var ids: [Kind: Set<Int64>] = [:]
        var names: Set<[String]> = []
        var keys: [[Int64]] = []
    }

    private let rows = Mutex(Rows())

    func add(_ kind: Kind, _ id: Int64) { rows.withLock { _ = $0.ids[kind, default: []].insert(id) } }

    /// Adds a finding, by its subject and rule.
    func add(finding name: [String]) { rows.withLock { _ = $0.names.insert(name) } }

    /// Adds an observation, by its key and claim.
    func add(observation key: Int64, _ claim: Int64) { rows.withLock { $0.keys.append([key, claim]) } }

    var count: Int { rows.withLock { $0.names.count + $0.ids.values.reduce(0) { $0 + $1.count } } }

    /// What was lost, in words: `2 claims, 1 finding`; empty if nothing was.
    var text: String {
        rows.withLock { rows in
            Kind.allCases.compactMap { kind in
                let count =
                    switch kind {
                    case .findings: rows.names.count
                    case .observations: Set(rows.keys).count
                    default: rows.ids[kind]?.count ?? 0
                    }
                return count == 0 ? nil : "\(count) \(count == 1 ? kind.rawValue : "\(kind)")"
            }.joined(separator: ", ")
        }
    }

    /// Deletes the rows, and all blocks: so the next run checks all claims again, and adds those that were lost.
    func delete(from connection: Connection) throws(LedgerError) {
        let (ids, names, keys) = rows.withLock { ($0.ids, $0.names, $0.keys) }
        guard !ids.isEmpty || !names.isEmpty || !keys.isEmpty else { return }
        for (kind, ids) in ids {
            let deletion = try Statement(connection, "DELETE FROM \(kind.rawValue) WHERE id=?1")
            for id in ids {
                deletion.bind(id, at: 1)
                try deletion.run()
            }
        }
        let deletion = try Statement(connection, "DELETE FROM finding WHERE subject=?1 AND rule=?2")
        for name in names {
            for (index, text) in name.enumerated() { deletion.bind(text, at: Int32(index + 1)) }
            try deletion.run()
        }
        // A row that this run wrote in its place is sound.
        let damaged = try Statement(connection, "DELETE FROM observation WHERE key=?1 AND claim=?2 AND seal<>?3")
        for key in keys {
            for (index, number) in (key + [Seal(key[0], key[1]).short]).enumerated() {
                damaged.bind(number, at: Int32(index + 1))
            }
            try damaged.run()
        }
        try connection.execute("DELETE FROM block")
    }
}
