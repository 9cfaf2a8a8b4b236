import Encodings
public import Engine
import Rules
import SQLite

/// The result of recording decisions.
public struct ReviewOutcome: Sendable {
    /// The number of reviewed findings.
    public private(set) var findings = 0
    /// The overridden earlier decisions, each with the number of its findings, in the order in which they were
    /// encountered.
    public private(set) var overridden: [(decision: ReviewDecision, findings: Int)] = []
    /// The index of each in the list.
    private var places: [ReviewDecision: Int] = [:]

    fileprivate mutating func add(overriding decision: ReviewDecision?) {
        findings += 1
        guard let decision else { return }
        if let place = places[decision] {
            overridden[place].findings += 1
        } else {
            places[decision] = overridden.count
            overridden.append((decision, 1))
        }
    }
}

extension Ledger {
    /// Records decisions about findings in the ledger.
    ///
    /// - Parameters:
    ///   - decisions: the findings with their decisions, in order.
    ///   - path: the path of an existing ledger that nobody has open.
    public static func review(
        _ decisions: [(finding: FindingName, decision: ReviewDecision)], in path: String
    ) throws(LedgerError) -> ReviewOutcome {
        let change = try LedgerChange(path)
        let connection = change.connection
        let last = change.runs.runs.last
        let rows = try StoredFinding.Rows(connection, "WHERE subject=?1 AND rule=?2")
        let reviewed = try ReviewedFindings(connection, asOf: last?.asOf ?? Instant(milliseconds: .min))
        var outcome = ReviewOutcome()
        for (name, decision) in decisions {
            guard let found = try rows.first(name.subject, name.rule) else { continue }
            let earlier = try reviewed.lastReview(of: name.rule, name.subject)?.decision
            let holds = try reviewed.status(of: found) != .open
            outcome.add(overriding: earlier.flatMap { holds && $0.disposition != decision.disposition ? $0 : nil })
            try Review(of: found, after: last?.id ?? 0, decision).write(to: connection)
        }
        try change.finish()
        try change.publish()
        return outcome
    }
}
