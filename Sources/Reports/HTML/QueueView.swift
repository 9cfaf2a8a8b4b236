import Checks
import Engine
import Mustache
import Rules

/// The values of the template `queue`: the findings of a page, the most urgent first.
struct QueueView {
    struct Row {
        let severity: String
        let rule: CellView
        let first: Line
        let others: [Others]
        let evidence: String
        let claims: String
        let atStake: String
        let lastPresented: String
        /// Its status, its change and its confidence.
        let state: String
        let change: String
        let status: String
        /// The text after the row.
        let details: String
        let sources: [CellView]
        /// The number of its findings.
        let count: Int
    }
    /// A finding of a row.
    struct Line {
        let id: String
        let subject: String
        /// See ``CopiedText``.
        let exact: String?
        let hasPresenter: Bool
        let presenter: String
        let entities: [Place]
        /// The last decision in the ledger, who made it and why.
        let decided: String?
        /// See ``QueuedFinding/recorded``.
        let recorded: String?

        /// The presenter of a claim is more useful than the claim's digits.
        var presenterOrSubject: String { hasPresenter && subject.hasPrefix("claim:") ? presenter : subject }
    }
    /// The other findings of a row, with the same text as its first.
    struct Others {
        let count: String
        let lines: [Line]
        let hasMore: Bool
        let more: String
    }
    /// An entity with a card.
    struct Place {
        let number: Int
        let anchor: String
        let name: String
    }

    let hasRows: Bool
    let rows: [Row]
    let hasNote: Bool
    let note: [CellView]
    let explanation = ReportDocument.queueExplanation
    /// See ``FindingTotals/openTotals``.
    let totals: String
    /// The text of the page if there are none.
    let empty: String
    /// The findings in the queue.
    let ids: Set<FindingID>

    private static let maxEntities = 5

    init(_ document: ReportDocument, hasIndex: Bool) throws {
        let groups = try document.report.queue()
        let byFinding = document.table == nil ? document.entities.byFinding : [:]
        let entities = document.entities.cards
        let line = { (line: QueuedFinding) in
            let places = (byFinding[line.id] ?? []).prefix(Self.maxEntities).map {
                Place(
                    number: $0 + 1, anchor: PageAnchor.of(entities[$0].row.entity),
                    name: entities[$0].row.entity.kind.code)
            }
            return Line(
                id: line.id.description, subject: line.subject, exact: line.exact,
                hasPresenter: !line.presenter.isEmpty,
                presenter: line.presenter, entities: places, decided: line.decided, recorded: line.recorded)
        }
        rows = groups.map { group in Row(group, line) }
        totals = document.findings.openTotals
        hasRows = !rows.isEmpty
        empty = document.findings.noneText
        note = CellView.sentences(document.queueNote(groups, hasIndex: hasIndex) ?? "")
        hasNote = !note.isEmpty
        ids = Set(groups.flatMap { $0.lines.map(\.id) })
    }
}

extension QueueView.Row {
    init(_ group: FindingGroup, _ line: @escaping (QueuedFinding) -> QueueView.Line) {
        let found = group.lines[0]
        severity = found.severity.code
        rule = .rule(found.rule)
        first = line(found)
        evidence = found.evidence
        // The greatest number of several findings, not their sum.
        let counts = (0..<3).map { place in
            let most = group.lines.map { $0.counts[place] }.max() ?? 0
            return (group.count > 1 && most > 0 ? group.count > group.lines.count ? "≥ " : "≤ " : "") + grouped(most)
        }
        claims = counts[0]
        atStake = group.count > 1 ? "" : found.atStake.visibleText
        lastPresented = found.lastPresented
        status = found.status
        change = found.change
        state = [found.status, found.change, found.confidence].filter { !$0.isEmpty }.joined(separator: ", ")
        details = [
            "devices \(counts[1])", "accounts \(counts[2])", found.app.isEmpty ? "" : "app \(found.app)",
            found.product.isEmpty ? "" : "product \(found.product)",
            found.firstSeen.isEmpty ? "" : "first seen \(found.firstSeen)", "finding \(found.id)",
        ].filter { !$0.isEmpty }.joined(separator: " · ")
        sources = found.sources.map { .untrusted($0) }
        count = group.count
        let rest = group.lines.dropFirst().map(line)
        let more = group.count - group.lines.count
        others =
            rest.isEmpty
            ? []
            : [
                QueueView.Others(
                    count: grouped(group.count - 1), lines: rest,
                    hasMore: more > 0,
                    more: "and \(grouped(more)) more: see the table `fraud`".replacing("`", with: ""))
            ]
    }
}

extension QueueView.Row: MustacheParent {
    /// Implemented by hand, because pages have thousands of these and reflection is slow.
    func child(named name: String) -> Any? {
        switch name {
        case "severity": severity
        case "rule": rule
        case "first": first
        case "others": others
        case "evidence": evidence
        case "claims": claims
        case "atStake": atStake
        case "lastPresented": lastPresented
        case "state": state
        case "details": details
        case "sources": sources
        case "count": count
        default: nil
        }
    }
}
