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
        let devices: String
        let accounts: String
        let atStake: String
        let product: String
        let confidence: String
        let status: String
        let change: String
        let firstSeen: String
        let sources: [CellView]
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

        /// Whoever presents a claim says more than its digits.
        var presenterOrSubject: String { hasPresenter && subject.hasPrefix("claim:") ? presenter : subject }
    }
    /// The findings of a row that say the same as its first.
    struct Others {
        let count: String
        let lines: [Line]
        let hasMore: Bool
        let more: String
    }
    /// An entity with a card.
    struct Place {
        let number: Int
        let name: String
    }

    let hasRows: Bool
    let rows: [Row]
    let hasNote: Bool
    let note: [CellView]
    let explanation = ReportDocument.queueExplanation
    /// What the page says if there are none.
    let empty: String
    /// The findings that have a place in it.
    let ids: Set<FindingID>

    private static let maxEntities = 5

    init(_ document: ReportDocument) {
        let groups = document.findings.groups()
        let byFinding = document.table == nil ? document.entities.byFinding : [:]
        let entities = document.entities.rows
        let line = { (line: QueuedFinding) in
            let places = (byFinding[line.id] ?? []).prefix(Self.maxEntities).map {
                Place(number: $0 + 1, name: entities[$0].entity.kind.code)
            }
            return Line(
                id: line.id.description, subject: line.subject, exact: line.exact,
                hasPresenter: !line.presenter.isEmpty,
                presenter: line.presenter, entities: places)
        }
        rows = groups.map { group in Row(group, line) }
        hasRows = !rows.isEmpty
        empty = document.findings.noneText
        note = CellView.sentences(document.queueNote(groups) ?? "")
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
        // Of several findings the greatest number, which is not their sum.
        let counts = (0..<3).map { place in
            let most = group.lines.map { $0.counts[place] }.max() ?? 0
            return (group.count > 1 && most > 0 ? "≤ " : "") + grouped(most)
        }
        (claims, devices, accounts) = (counts[0], counts[1], counts[2])
        atStake = group.count > 1 ? "" : found.atStake.visibleText
        product = found.product.isEmpty ? found.app : found.product
        (confidence, status, change, firstSeen) = (found.confidence, found.status, found.change, found.firstSeen)
        sources = found.sources.map { .untrusted($0) }
        let rest = group.lines.dropFirst().map(line)
        let more = group.count - group.lines.count
        others =
            rest.isEmpty
            ? []
            : [
                QueueView.Others(
                    count: grouped(group.count - 1), lines: rest, hasMore: more > 0,
                    more: "and \(grouped(more)) more: see the table `fraud`".replacing("`", with: ""))
            ]
    }
}

extension QueueView.Row: MustacheParent {
    /// Told by hand, as pages have thousands of these and reflection is slow.
    func child(named name: String) -> Any? {
        switch name {
        case "severity": severity
        case "rule": rule
        case "first": first
        case "others": others
        case "evidence": evidence
        case "claims": claims
        case "devices": devices
        case "accounts": accounts
        case "atStake": atStake
        case "product": product
        case "confidence": confidence
        case "status": status
        case "change": change
        case "firstSeen": firstSeen
        case "sources": sources
        default: nil
        }
    }
}

/// The values of the template `rules`: the texts of the rules that found something.
struct RuleView {
    let title: String
    let rule: String
    let counts: String
    let raisedWhen: [CellView]
    let why: [CellView]
    let whatToDo: [CellView]
    let whenWrong: [CellView]
    let hasQuality: Bool
    let quality: String

    /// - Parameter quality: how often the rule was right.
    /// - Returns: `nil` if this version has no such rule.
    init?(_ found: RuleFindings, quality: String?) {
        guard let text = found.documentation else { return nil }
        title = text.title
        rule = found.visibleRule
        counts = found.severities.map { "\(grouped($0.count)) \($0.severity.code)" }.joined(separator: ", ")
        raisedWhen = CellView.sentences(text.raisedWhen)
        why = CellView.sentences(text.why)
        whatToDo = CellView.sentences(text.whatToDo)
        whenWrong = CellView.sentences(text.whenWrong)
        hasQuality = quality != nil
        self.quality = quality ?? ""
    }
}
