import Synchronization

/// The damaged rows that a run came across. The run continues without them, deletes them when it ends, and reports
/// their number.
///
/// Any thread may add to it.
final class Losses: Sendable {
    /// The kind of row, in the plural, and its table.
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

    var count: Int {
        rows.withLock { $0.names.count + $0.keys.count + $0.ids.values.reduce(0) { $0 + $1.count } }
    }

    /// The losses as text: `2 claims, 1 finding`; empty if there were none.
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

    /// Deletes the rows, so that the next run adds what its inputs still have of them.
    func delete(from connection: Connection) throws(LedgerError) {
        let (ids, names, keys) = rows.withLock { ($0.ids, $0.names, $0.keys) }
        guard !ids.isEmpty || !names.isEmpty || !keys.isEmpty else { return }
        for (kind, ids) in ids {
            try connection.run("DELETE FROM \(kind.rawValue) WHERE id=?1", for: ids) { $1.bind($0, at: 1) }
        }
        try connection.run("DELETE FROM finding WHERE subject=?1 AND rule=?2", for: names) {
            $1.bind(texts: $0.subject, $0.rule)
        }
        // A row that this run wrote in its place is intact.
        try connection.run("DELETE FROM observation WHERE key=?1 AND claim=?2 AND checksum<>?3", for: keys) {
            $1.bind(numbers: $0.key, $0.claim, Checksum($0.key, $0.claim).short)
        }
    }

    /// Reads all rows that a run might skip, and adds the damaged ones.
    func find(in connection: Connection) throws(LedgerError) {
        var count = 0
        try findClaims(in: connection, &count)
        try findStatements(in: connection, &count)
        try findObservations(in: connection, &count)
        try findFindings(in: connection, &count)
    }

    // Each reads all rows of a table, counts those that SQLite can read, and adds the damaged ones.

    func findClaims(in connection: Connection, _ count: inout Int) throws(LedgerError) {
        let rows = try Statement(connection, "SELECT id, run, record FROM claim")
        while try rows.step() {
            count += 1
            let isIntact = LedgerReader.record(rows.number(0), rows.number(1), rows.bytes(2)) != nil
            if !isIntact { add(.claims, rows.number(0)) }
        }
    }

    func findStatements(in connection: Connection, _ count: inout Int) throws(LedgerError) {
        let rows = try Statement(connection, "SELECT id, claim, run, record FROM statement")
        while try rows.step() {
            count += 1
            if LedgerReader.statement(rows) == nil { add(.statements, rows.number(0)) }
        }
    }

    func findObservations(in connection: Connection, _ count: inout Int) throws(LedgerError) {
        let rows = try Statement(connection, "SELECT key, claim, checksum FROM observation")
        while try rows.step() {
            count += 1
            if LedgerReader.key(rows) == nil { add(observation: rows.number(0), rows.number(1)) }
        }
    }

    func findFindings(in connection: Connection, _ count: inout Int) throws(LedgerError) {
        let rows = try StoredFinding.Rows(connection, self, "")
        while try rows.next() != nil { count += 1 }
    }
}
