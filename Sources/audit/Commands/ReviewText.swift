import Encodings
import Engine
import Ledgers

/// The messages of `audit review` at its end.
struct ReviewText {
    /// The named subject; `nil` if it was a finding.
    var subject: String?
    /// The number of findings that the reviewed ring joins.
    var members = 0
    /// Findings that the subject shares with others.
    var shared: [FindingName] = []

    /// The maximum number of named findings, and of named decisions.
    private static let maxNamed = 10

    func lines(of outcome: ReviewOutcome) -> [String] {
        let count = outcome.findings
        let done = "recorded \(count == 1 ? "a review" : "reviews") of \(counted(count, "finding"))"
        let what =
            members > 0
            ? ": the ring and the \(members == 1 ? "finding" : "\(members) findings") that it joins"
            : subject.map { " of \($0)" } ?? ""
        return [done + what] + overrides(outcome) + sharedLines
    }

    /// Returns the overridden earlier decisions.
    private func overrides(_ outcome: ReviewOutcome) -> [String] {
        let all = outcome.overridden
        let lines = all.prefix(Self.maxNamed).map { decision, count in
            let note = decision.note.isEmpty ? "" : ": " + Self.cut(decision.note)
            return "overrides \(decision.disposition.rawValue) of \(counted(count, "finding")), decided by "
                + "\(Self.cut(decision.by)) at \(decision.at)\(note)"
        }
        let more = all.dropFirst(Self.maxNamed)
        guard !more.isEmpty else { return lines }
        let left = more.reduce(0) { $0 + $1.findings }
        return lines + [
            "overrides \(more.count) more decisions of \(counted(left, "finding")): audit history --reviews"
        ]
    }

    /// The findings that the review does not change.
    var sharedLines: [String] {
        guard let subject, !shared.isEmpty else { return [] }
        let isOne = shared.count == 1
        let lines = shared.prefix(Self.maxNamed).map { "  \(Self.cut($0.rule.text)) \(Self.cut($0.subject.text))" }
        let more = shared.count - lines.count
        return [
            "\(counted(shared.count, "finding")) of \(subject) and of others \(isOne ? "stays as it is: review it" : "stay as they are: review them") "
                + "by \(isOne ? "its" : "their") subject or finding_id"
        ] + lines + (more > 0 ? ["  and \(more) more"] : [])
    }

    /// Returns untrusted text for one line of a terminal.
    private static func cut(_ text: String) -> String { TerminalText.escaped(String(text.prefix(200))) }
}
