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
    var shared: [ReviewedFinding.Name] = []

    /// The maximum number of named findings, and of named decisions.
    private static let maxNamed = 10

    func lines(of outcome: ReviewOutcome) -> [String] {
        let count = outcome.findings
        let done = count == 1 ? "recorded a review of 1 finding" : "recorded reviews of \(count) findings"
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
            return "overrides \(decision.disposition.rawValue) of \(Self.findings(count)), decided by "
                + "\(Self.cut(decision.by)) at \(decision.at)\(note)"
        }
        let more = all.dropFirst(Self.maxNamed)
        guard !more.isEmpty else { return lines }
        let left = more.reduce(0) { $0 + $1.findings }
        return lines + ["overrides \(more.count) more decisions of \(Self.findings(left)): audit history --reviews"]
    }

    /// The findings that the review does not change.
    var sharedLines: [String] {
        guard let subject, !shared.isEmpty else { return [] }
        let isOne = shared.count == 1
        let lines = shared.prefix(Self.maxNamed).map { "  \(Self.cut($0.rule.text)) \(Self.cut($0.subject.text))" }
        let more = shared.count - lines.count
        return [
            "\(Self.findings(shared.count)) of \(subject) and of others \(isOne ? "stays as it is: review it" : "stay as they are: review them") "
                + "by \(isOne ? "its" : "their") subject or finding_id"
        ] + lines + (more > 0 ? ["  and \(more) more"] : [])
    }

    private static func findings(_ count: Int) -> String { count == 1 ? "1 finding" : "\(count) findings" }

    /// Returns untrusted text for one line of a terminal.
    private static func cut(_ text: String) -> String { TerminalText.escaped(String(text.prefix(200))) }
}
