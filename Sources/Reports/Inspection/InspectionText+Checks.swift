import Checks
import Encodings

/// Every check, with a mark, what it is about, and why it came out so.
extension InspectionText {
    var checks: [String] {
        let isMoot = { (result: CheckResult) in
            result.outcome == .notChecked && self.mootReasons.contains(ExactText(result.reason))
        }
        return inspection.checks.filter { !isMoot($0) }.flatMap { result in
            let code = result.outcome == .failed ? " [\(result.check.code)]" : ""
            return row(result.outcome, result.check.subject, TextLayout.safe(result.reason, limit: 4000) + code)
        }
            + mootReasons.flatMap { reason in
                let subjects = inspection.checks.filter { isMoot($0) && ExactText($0.reason) == reason }.map(
                    \.check.subject)
                return row(.notChecked, "all else", subjects.joined(separator: ", ") + ": " + TextLayout.safe(reason))
            }
    }

    /// Reasons for which so many checks were not made that one line for all of them says it better.
    private var mootReasons: [ExactText] {
        let reasons = inspection.checks.filter { $0.outcome == .notChecked }.map { ExactText($0.reason) }
        return Set(reasons).filter { reason in reasons.count { $0 == reason } > 3 }.sorted()
    }

    /// One check in columns: mark, subject, text.
    private func row(_ outcome: CheckResult.Outcome, _ subject: String, _ text: String) -> [String] {
        let start = 4 + Self.subjectWidth
        let blank = String(repeating: " ", count: start)
        return TextLayout.wrapped(text, indentation: start).enumerated().map { index, line in
            index > 0 ? blank + line : "  \(mark(outcome)) \(TextLayout.padded(subject, to: Self.subjectWidth))\(line)"
        }
    }

    private static let subjectWidth = 2 + (Check.allCases.map(\.subject.count).max() ?? 0)

    private func mark(_ outcome: CheckResult.Outcome) -> String {
        switch outcome {
        case .passed: paint("✓", .green)
        case .failed: paint("✗", .red)
        case .notChecked: paint("–", .dim)
        }
    }
}
