import Encodings
import Rules

extension MarkdownWriter {
    /// The worst first, by rule, with what to do.
    static func findings(_ document: ReportDocument) -> [String] {
        var lines = ["## Findings", ""]
        if let section = document.overview {
            lines += MarkdownTable.lines(section)
        } else {
            lines += ["None.", ""]
        }
        if let note = document.findingsNote { lines += [MarkdownText.sentences(note), ""] }
        for section in document.findingSections {
            lines += ["### " + MarkdownText.prose(section.title), ""] + MarkdownTable.lines(section)
        }
        for group in document.findings.groups { lines += self.group(group, withChange: document.withChange) }
        let resolved = document.findings.resolved
        if resolved.count > 0 {
            lines += ["### No longer found", "", "Findings of the earlier report that this run did not make.", ""]
            lines += MarkdownTable.lines(
                [("severity", false), ("rule", false), ("subject", false), ("first seen", false)],
                resolved.rows.map {
                    [$0.severity.code, MarkdownText.code($0.rule), MarkdownText.code($0.subject), $0.firstSeen]
                })
            lines += omission(resolved)
        }
        return lines
    }

    private static func group(_ group: FindingGroup, withChange: Bool) -> [String] {
        let counts = group.severities.map { "\(grouped($0.count)) \($0.severity.code)" }.joined(separator: ", ")
        let title = group.documentation.map { MarkdownText.prose($0.title) } ?? MarkdownText.code(group.visibleRule)
        var lines = ["### \(title) (\(counts))", ""]
        if let rule = group.documentation {
            lines += [
                "Rule \(MarkdownText.code(rule.id.text)): raised when \(MarkdownText.sentences(rule.raisedWhen)).", "",
            ]
            lines += ["- **Why it matters.** " + MarkdownText.sentences(rule.why)]
            lines += ["- **What to do.** " + MarkdownText.sentences(rule.whatToDo)]
            lines += ["- **When it is wrong.** " + MarkdownText.sentences(rule.whenWrong), ""]
        }
        lines += MarkdownTable.lines(columns(withChange: withChange), group.rows.map { cells($0, withChange) })
        return lines + omission(group)
    }

    private static func columns(withChange: Bool) -> [(name: String, isNumeric: Bool)] {
        [("severity", false)] + (withChange ? [("change", false), ("first seen", false)] : [])
            + [
                ("subject", false), ("evidence", false), ("claims", true), ("devices", true), ("accounts", true),
                ("sources", false),
            ]
    }

    private static func cells(_ line: FindingLine, _ withChange: Bool) -> [String] {
        [line.severity.code] + (withChange ? [line.change, line.firstSeen] : [])
            + [MarkdownText.code(line.subject), MarkdownText.code(line.evidence)] + line.counts.map(grouped)
            + [line.sources.map(MarkdownText.code).joined(separator: " ")]
    }

    private static func omission(_ group: FindingGroup) -> [String] {
        group.omissionNote.map { ["… " + MarkdownText.sentences($0) + ".", ""] } ?? []
    }
}
