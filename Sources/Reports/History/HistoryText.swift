import Encodings
public import Engine
public import Ledgers
import Rules

/// Writes the runs of a ledger for people: all runs in a table, or a comparison of two.
public struct HistoryText {
    private let paint: Paint
    private let width: Int

    /// - Parameters:
    ///   - isColored: whether to colour it, for a terminal.
    ///   - width: the maximum length of a line of prose, in characters.
    public init(isColored: Bool, width: Int) {
        paint = Paint(isColored: isColored)
        self.width = width
    }

    /// Returns one line per run, under a heading, and one per failed run.
    public func table(_ runs: [LedgerRun], failures: [FailedRun]) -> [String] {
        table(runs) + (failures.isEmpty ? [] : ["", paint("failed", .bold)])
            + failures.flatMap { failed in
                ["\(failed.at)  as of \(failed.asOf)"]
                    + below(TextLayout.safe(failed.reason, limit: 1000), indentation: 2)
            }
    }

    private func table(_ runs: [LedgerRun]) -> [String] {
        guard !runs.isEmpty else { return ["no runs"] }
        let severities = Array(Severity.allCases.reversed())
        let heading = ["run", "as of", "claims", "valid", "not valid"] + severities.map(\.code)
        let rows = runs.map { run in
            ["\(run.id)", "\(run.asOf)"]
                + ([run.claims, run.valid, run.invalid] + severities.map { run.count(of: $0) }).map { grouped($0) }
        }
        let aligned = aligned([heading] + rows)
        var lines = [paint(aligned[0], .bold)]
        for (row, run) in zip(aligned.dropFirst(), runs) {
            lines.append(row)
            for complaint in run.complaints {
                let text = TextLayout.safe(complaint, limit: 1000)
                lines += below("ended with \(run.exitCode): \(text)", indentation: 5)
            }
            if run.doubt.exists {
                let apps = run.doubt.apps.sorted().map { TextLayout.safe($0) }.joined(separator: ", ")
                let what = run.doubt.isAboutAll ? "nothing of it counts" : "nothing of \(apps) in it counts"
                lines += below("doubtful: \(what). --accept \(run.id) lets it count", indentation: 5)
            }
        }
        return lines
    }

    /// Returns the changes from one run to another: each new and resolved finding, and persisting ones by rule.
    ///
    /// - Parameter earlier: `nil` if the later one is the first.
    public func changes(_ changes: LedgerChanges, from earlier: LedgerRun?, to later: LedgerRun) -> [String] {
        let compared =
            earlier.map { "compared with run \($0.id) as of \($0.asOf)" }
            ?? "the first run: all its findings are new"
        let heading = "run \(later.id) as of \(later.asOf), \(compared)"
        var lines = below(heading, indentation: 0).map { paint($0, .bold) }
        lines += section("new", changes.new)
        lines += section("resolved", changes.resolved)
        if let earlier, !changes.resolved.isEmpty, later.readFewerClaims(than: earlier) {
            let doubt =
                "run \(later.id) read other inputs, or fewer claims, than run \(earlier.id): they may still exist"
            lines += below(doubt, indentation: 2)
        }
        lines.append("\(grouped(changes.persisting.count)) persisting")
        var counts: [ExactText: Int] = [:]
        for finding in changes.persisting { counts[finding.rule, default: 0] += 1 }
        let width = counts.values.map { grouped($0).count }.max() ?? 0
        for (rule, count) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            lines.append("  \(TextLayout.right(grouped(count), to: width))  \(TextLayout.safe(rule))")
        }
        return lines
    }

    /// Returns the decisions about findings, two lines per review.
    public func reviews(_ reviews: [Review]) -> [String] {
        guard !reviews.isEmpty else { return ["no reviews"] }
        return reviews.flatMap { review in
            let decision = review.decision
            let until = decision.until.map { ", until \($0)" } ?? ""
            let note = decision.note.isEmpty ? "" : ": \(TextLayout.safe(decision.note))"
            let start = "\(decision.at)  \(decision.disposition.rawValue)  \(TextLayout.safe(review.rule))"
            let painted =
                "\(decision.at)  \(paint(decision.disposition.rawValue, .bold))  \(TextLayout.safe(review.rule))"
            return heading(painted, start.count, TextLayout.safe(review.subject))
                + below("by \(TextLayout.safe(decision.by))\(until)\(note)", indentation: 2)
        }
    }

    /// Returns how often each rule with findings was right, one line per rule under a heading.
    public func rules(_ quality: [RuleQuality]) -> [String] {
        let found = quality.filter { $0.findings > 0 || $0.reviewed > 0 }
        guard !found.isEmpty else { return ["no findings"] }
        let heading = ["findings", "reviewed", "fraud", "ok", "watch", "confirmed", "95 %"]
        let rows = found.map { rule in
            [rule.findings, rule.reviewed, rule.fraud, rule.ok, rule.watch].map { grouped($0) } + rule.visibleShare
        }
        let names = ["rule"] + found.map { TextLayout.safe($0.rule, limit: 60) }
        let nameWidth = names.map(\.count).max() ?? 0
        let lines = zip(names, aligned([heading] + rows)).map { TextLayout.padded($0, to: nameWidth) + "  " + $1 }
        return [paint(lines[0], .bold)] + lines.dropFirst()
    }

    private func section(_ title: String, _ findings: [EarlierFinding]) -> [String] {
        let rules = findings.map { TextLayout.safe($0.rule) }
        let (severityWidth, ruleWidth) = (
            findings.map(\.severity.code.count).max() ?? 0, rules.map(\.count).max() ?? 0
        )
        return ["\(grouped(findings.count)) \(title)"]
            + zip(findings, rules).flatMap { finding, rule in
                let color = Paint.Color(finding.severity)
                let start =
                    "  \(paint(finding.severity.code, color, to: severityWidth))  "
                    + TextLayout.padded(rule, to: ruleWidth)
                let subject = "\(TextLayout.safe(finding.subject)), first found \(finding.firstSeen)"
                let evidence = TextLayout.safe(finding.evidence, limit: 1000)
                return heading(start, 4 + severityWidth + ruleWidth, subject)
                    + (evidence.isEmpty ? [] : below(evidence, indentation: 6))
            }
    }

    /// Returns a subject after a text about it, or below the text if a line is too short for both.
    ///
    /// - Parameter count: the number of visible characters in the start.
    private func heading(_ start: String, _ count: Int, _ subject: String) -> [String] {
        if count + 2 + subject.count <= width { return [start + "  " + subject] }
        return [start] + below(subject, indentation: 4)
    }

    /// Returns a text on separate lines.
    private func below(_ text: String, indentation: Int) -> [String] {
        TextLayout.wrapped(text, indentation: indentation, width: width).map {
            String(repeating: " ", count: indentation) + $0
        }
    }

    /// Returns rows of cells as lines with columns that end below each other.
    private func aligned(_ rows: [[String]]) -> [String] {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in zip(row, widths).map { TextLayout.right($0, to: $1) }.joined(separator: "  ") }
    }
}

extension LedgerRun {
    /// Whether it may have missed claims of an earlier run.
    fileprivate func readFewerClaims(than earlier: LedgerRun) -> Bool {
        self.inputs != earlier.inputs || self.claims < earlier.claims
    }

    func count(of severity: Severity) -> Int { findings[severity, default: 0] }
}
