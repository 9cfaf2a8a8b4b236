public import Checks
import Encodings
public import Engine
public import Ledgers

/// Compares the reviewed rows of a report with the findings of a ledger.
public struct ReviewComparison {
    /// The rows with a new decision, each with its finding.
    public private(set) var new: [(row: ReviewedRows.Row, name: FindingName)] = []
    /// The first row about a finding that is not in the ledger.
    public private(set) var unknown: ReviewedRows.Row?
    /// Messages for an analyst: counts, and what is left out.
    public private(set) var lines: [String] = []

    private var (recorded, untouched) = (0, 0)
    private var later: [(row: ReviewedRows.Row, decision: ReviewDecision)] = []

    /// The maximum number of rows named in a message.
    private static let maxNamed = 10

    /// - Parameter findings: the findings of the ledger.
    public init(_ report: ReviewedRows, with findings: [FindingID: ReviewedFinding]) {
        for row in report.rows {
            guard let finding = findings[row.finding] else {
                unknown = unknown ?? row
                continue
            }
            add(row, finding, of: report)
        }
        let left = [(recorded, "already recorded"), (new.count, "new")].map { "\($0) \($1)" }
        let more = [(untouched, "unchanged since the file was written"), (later.count, "reviewed later")]
            .filter { $0.0 > 0 }.map { "\($0) \($1)" }
        lines = [
            "\(report.rows.count + report.open) rows: "
                + (["\(report.open) open"] + left + more).joined(separator: ", ")
        ]
        addLater()
        addOpen(report, findings)
    }

    private mutating func add(_ row: ReviewedRows.Row, _ finding: ReviewedFinding, of report: ReviewedRows) {
        guard let last = finding.decision else { return new.append((row, finding.name)) }
        // A reopened finding, or one with an expired review, is decided again, unless nobody touched the row.
        if finding.status.rawValue == row.disposition.rawValue, row.note.isEmpty || row.hasNote(of: last) {
            recorded += 1
        } else if row.isUntouched(since: finding.earlier + [last]) {
            untouched += 1
        } else if row.isOlder(than: last, finding.earlier, in: report) {
            later.append((row, last))
        } else {
            new.append((row, finding.name))
        }
    }

    private mutating func addLater() {
        guard !later.isEmpty else { return }
        lines.append(
            "warning: the ledger's reviews stay for \(counted(later.count, "row")), because they are later than the file. To decide "
                + "otherwise: audit review FINDING --as STATUS")
        for (row, decision) in later.prefix(Self.maxNamed) {
            lines.append(
                "  \(row.place), finding \(row.finding): \(row.disposition.rawValue) in the file, "
                    + "\(decision.disposition.rawValue) in the ledger, by \(TextLayout.safe(decision.by, limit: 60)) at "
                    + decision.at.description)
        }
        if later.count > Self.maxNamed { lines.append("  and \(later.count - Self.maxNamed) more") }
    }

    private mutating func addOpen(_ report: ReviewedRows, _ findings: [FindingID: ReviewedFinding]) {
        let notes = report.openNotes.count { id, note in
            guard let finding = id.flatMap({ findings[$0] }), let last = finding.decision else { return true }
            return !(finding.earlier + [last]).contains { ReviewedRows.isNote(note, of: $0) }
        }
        if notes > 0 {
            lines.append(
                "left out \(counted(notes, "note")) beside the status open: only fraud, ok and watch have notes")
        }
        let closed = report.opened.count { findings[$0]?.status.isClosed ?? false }
        guard closed > 0 else { return }
        lines.append(
            (closed == 1
                ? "1 row says open, but a review closed the finding"
                : "\(closed) rows say open, but reviews closed the findings")
                + ": nothing changes. To reopen one, use watch")
    }
}

extension ReviewedRows {
    /// Whether a cell has the note of a decision, which may differ because a workbook shows hidden characters.
    fileprivate static func isNote(_ note: String, of decision: ReviewDecision) -> Bool {
        [decision.note, WorkbookText.shown(decision.note)].contains { $0.trimmed == note }
    }
}

extension ReviewedRows.Row {
    fileprivate func hasNote(of decision: ReviewDecision) -> Bool { ReviewedRows.isNote(note, of: decision) }

    private func says(_ decision: ReviewDecision) -> Bool {
        disposition == decision.disposition && (note.isEmpty || hasNote(of: decision))
    }

    /// Whether the row has what the ledger had when the file was written.
    ///
    /// - Parameter decisions: all decisions about the finding.
    fileprivate func isUntouched(since decisions: [ReviewDecision]) -> Bool {
        guard let recorded, let at = recorded.at, recorded.status.rawValue == disposition.rawValue else { return false }
        return decisions.contains { $0.at == at && says($0) }
    }

    /// Whether the last decision in the ledger is later than the file. If the file does not state what it was based on,
    /// it is old if it repeats an earlier decision, or was last changed before the decision.
    fileprivate func isOlder(
        than last: ReviewDecision, _ earlier: [ReviewDecision], in report: ReviewedRows
    ) -> Bool {
        guard let recorded else {
            let writtenAt = decidedAt ?? report.writtenAt
            return earlier.contains { says($0) } || writtenAt.map { $0.seconds < last.at.seconds } ?? false
        }
        guard let at = recorded.at else { return true }
        let isOther = Disposition(rawValue: recorded.status.rawValue).map { $0 != last.disposition } ?? false
        return at < last.at || at == last.at && isOther
    }
}
