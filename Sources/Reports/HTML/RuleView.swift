import Rules

/// The values of the template `rules`: the documentation of the rules with findings.
struct RuleView {
    let title: String
    let rule: String
    let counts: String
    let raisedWhen: [CellView]
    let hasDetails: Bool
    let details: [Detail]
    let why: [CellView]
    let whatToDo: [CellView]
    let whenWrong: [CellView]
    let hasQuality: Bool
    let quality: String

    /// An item of a list.
    struct Detail {
        let cells: [CellView]
    }

    /// - Parameter quality: how often the rule was right.
    /// - Returns: `nil` if this version has no such rule.
    init?(_ found: RuleFindings, quality: String?) {
        guard let text = found.documentation else { return nil }
        title = text.title
        rule = found.visibleRule
        counts = found.severities.map { "\(grouped($0.count)) \($0.severity.code)" }.joined(separator: ", ")
        raisedWhen = CellView.sentences(text.raisedWhen)
        hasDetails = !text.details.isEmpty
        details = text.details.map { Detail(cells: CellView.sentences($0)) }
        why = CellView.sentences(text.why)
        whatToDo = CellView.sentences(text.whatToDo)
        whenWrong = CellView.sentences(text.whenWrong)
        hasQuality = quality != nil
        self.quality = quality ?? ""
    }
}
