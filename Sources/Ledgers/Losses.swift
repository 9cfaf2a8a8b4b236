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

    /// A finding, by its subject and rule.
    private struct Name: Hashable {
        let subject: String
        let rule: String
    }

    private struct Observation: Hashable {
        let key: Int64
        let claim: Int64
    }

    private struct Rows: Sendable {
        var ids: [Kind: Set<Int64>] = [:]
        var names: Set<Name> = []
        var keys: Set<Observation> = []
    }

    private let rows = Mutex(Rows())

    func add(_ kind: Kind, _ id: Int64) { rows.withLock { _ = $0.ids[kind, default: []].insert(id) } }

    func add(findingOf rule: String, _ subject: String) {
        rows.withLock { _ = $0.names.insert(Name(subject: subject, rule: rule)) }
    }

    func add(observation key: Int64, _ claim: Int64) {
        rows.withLock { _ = $0.keys.insert(Observation(key: key, claim: claim)) }
    }

    var count: Int { rows.withLock { $0.names.count + $0.ids.values.reduce(0) { $0 + $1.count } } }

    /// What was lost, in words: `2 claims, 1 finding`; empty if nothing was.
    var text: String {
        rows.withLock { rows in
            Kind.allCases.compactMap { kind in
                let count =
                    switch kind {
                    case .findings: rows.names.count
                    case .observations: rows.keys.count
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
            try connection.run("DELETE FROM \(kind.rawValue) WHERE id=?1", for: ids) { $1.bind($0, at: 1) }
        }
        try connection.run("DELETE FROM finding WHERE subject=?1 AND rule=?2", for: names) {
            $1.bind(texts: $0.subject, $0.rule)
        }
        // A row that this run wrote in its place is sound.
        try connection.run("DELETE FROM observation WHERE key=?1 AND claim=?2 AND seal<>?3", for: keys) {
            $1.bind(numbers: $0.key, $0.claim, Seal($0.key, $0.claim).short)
        }
        try connection.execute("DELETE FROM block")
    }

    /// Reads all rows that a run might not, and adds those that are damaged.
    func find(in connection: Connection) throws(LedgerError) {
        let claims = try Statement(connection, "SELECT id, run, record FROM claim")
        while try claims.step() {
            let isIntact = LedgerReader.record(claims.number(0), claims.number(1), claims.bytes(2)) != nil
            if !isIntact { add(.claims, claims.number(0)) }
        }
        let statements = try Statement(connection, "SELECT id, claim, run, record FROM statement")
        while try statements.step() {
            if LedgerReader.statement(statements) == nil { add(.statements, statements.number(0)) }
        }
        let keys = try Statement(connection, "SELECT key, claim, seal FROM observation")
        while try keys.step() {
            if LedgerReader.key(keys) == nil { add(observation: keys.number(0), keys.number(1)) }
        }
        let findings = try StoredFinding.Rows(connection, self, "")
        while try findings.next() != nil {}
    }
}
