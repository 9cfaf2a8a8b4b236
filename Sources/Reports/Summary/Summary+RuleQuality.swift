import Encodings
import Engine
import Rules

/// How often rules were right, for people. Programs have the table `rule_quality`.
extension Summary {
    static let ruleQualityID = "rule_quality"

    /// Adds how often each rule was right.
    mutating func add(_ quality: [RuleQuality]) {
        ruleQuality = quality
        let reviewed = quality.filter { $0.reviewed > 0 }
        guard !reviewed.isEmpty else { return }
        var section = Section(
            Self.ruleQualityID, "How often rules were right",
            """
            Of the findings of all runs in the ledger, by the last review of each. `confirmed` is fraud of fraud and ok; the \
            share lies between `low` and `high` with a probability of 95 % if each finding was decided by itself.
            """,
            columns: ["rule", "findings", "reviewed", "fraud", "ok", "watch", "confirmed", "low", "high"],
            rows: reviewed.map(Self.cells))
        section.readers = .people
        sections.append(section)
    }

    private static func cells(_ quality: RuleQuality) -> [Cell] {
        let bounds = quality.bounds
        return [
            RuleBook.rule(quality.rule) == nil ? .text(quality.rule) : .code(quality.rule.text),
            .number(quality.findings), .number(quality.reviewed), .number(quality.fraud), .number(quality.ok),
            .number(quality.watch),
            quality.decided > 0 ? .share(quality.fraud, of: quality.decided) : .none,
            bounds.map { .code($0.low.percent) } ?? .none, bounds.map { .code($0.high.percent) } ?? .none,
        ]
    }

}

extension ReportDocument {
    /// Returns how often a rule was right, in a sentence or two; `nil` if nothing has been reviewed yet.
    func quality(of rule: ExactText) -> String? {
        guard ruleQuality.contains(where: { $0.reviewed > 0 }) else { return nil }
        return ruleQuality.first { $0.rule == rule }?.sentence
    }
}

extension RuleQuality {
    var sentence: String {
        let all = "\(grouped(findings)) \(findings == 1 ? "finding" : "findings") in the ledger"
        guard reviewed > 0 else { return "None of \(all) was reviewed." }
        let parts = [(fraud, "fraud"), (ok, "ok"), (watch, "watch")].filter { $0.0 > 0 }
        var text =
            "Of \(all) \(grouped(reviewed)) \(reviewed == 1 ? "was" : "were") reviewed: "
            + parts.map { "\(grouped($0.0)) \($0.1)" }.joined(separator: ", ") + "."
        if let bounds {
            text += " Confirmed: \(Summary.Cell.share(fraud, of: decided).displayText)"
            text += " (95 %: \(bounds.low.percent) to \(bounds.high.percent))."
        }
        return text
    }
}

extension RuleQuality {
    /// The confirmed share and its bounds; `–` if nothing was decided.
    var visibleShare: [String] {
        guard let bounds else { return ["–", "–"] }
        return [
            Summary.Cell.share(fraud, of: decided).displayText, "\(bounds.low.percent) to \(bounds.high.percent)",
        ]
    }
}

extension DecimalNumber {
    /// A share as tenths of a percent.
    fileprivate var percent: String { Summary.Cell.decimal(Int(clamping: millionths / 1000), digits: 1) + " %" }
}
