import Rules

/// The values of the template `findings`: the findings of one rule.
struct GroupView {
    struct Count {
        let severity: String
        let count: String
    }
    struct Documentation {
        let raisedWhen: [CellView]
        let why: [CellView]
        let whatToDo: [CellView]
        let whenWrong: [CellView]

        init(_ text: RuleDocumentation) {
            raisedWhen = CellView.sentences(text.raisedWhen)
            why = CellView.sentences(text.why)
            whatToDo = CellView.sentences(text.whatToDo)
            whenWrong = CellView.sentences(text.whenWrong)
        }
    }

    let title: String
    let rule: String
    /// Whether ``rule`` is the id of a rule, to which there can be links.
    let hasAnchor: Bool
    let counts: [Count]
    let documentation: [Documentation]
    let tables: [TableView]

    static func all(_ document: ReportDocument) -> [GroupView] {
        let groups = document.findings.groups.map { GroupView($0, withChange: document.withChange) }
        let resolved = document.findings.resolved
        return resolved.count > 0 ? groups + [GroupView(resolved: resolved)] : groups
    }

    private init(_ group: FindingGroup, withChange: Bool) {
        let text = group.documentation
        title = text?.title ?? group.visibleRule
        rule = group.visibleRule
        hasAnchor = text != nil
        counts = Self.counts(group)
        documentation = [text].compactMap { $0 }.map { Documentation($0) }
        let columns =
            Self.columns(["severity"] + (withChange ? ["change", "first seen"] : []) + ["subject", "evidence"])
            + Self.columns(["claims", "devices", "accounts"], isNumeric: true) + Self.columns(["sources"])
        tables = Self.table("Findings of \(group.visibleRule)", columns, group) { line in
            [.badge(line.severity.code)] + (withChange ? [.plain(line.change), .plain(line.firstSeen)] : [])
                + [.untrusted(line.subject), .plain(line.evidence)] + line.counts.map { .number($0) }
                + [.untrusted(line.sources.joined(separator: " "))]
        }
    }

    private init(resolved group: FindingGroup) {
        title = "No longer found"
        rule = "findings of the earlier report that this run did not make"
        hasAnchor = false
        counts = Self.counts(group)
        documentation = []
        let columns = Self.columns(["severity", "rule", "subject", "first seen"])
        tables = Self.table("Resolved findings", columns, group) { line in
            [.badge(line.severity.code), .untrusted(line.rule), .untrusted(line.subject), .plain(line.firstSeen)]
        }
    }

    private static func counts(_ group: FindingGroup) -> [Count] {
        group.severities.map { Count(severity: $0.severity.code, count: grouped($0.count)) }
    }

    private static func columns(_ names: [String], isNumeric: Bool = false) -> [TableView.Column] {
        names.map { TableView.Column(text: $0, isNumeric: isNumeric) }
    }

    private static func table(
        _ caption: String, _ columns: [TableView.Column], _ group: FindingGroup, _ cells: (FindingLine) -> [CellView]
    ) -> [TableView] {
        [TableView(caption, isWide: true, columns, group.rows.map(cells), note: group.omissionNote)]
    }
}
