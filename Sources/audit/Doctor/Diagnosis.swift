import Encodings
import FoundationEssentials

/// What the doctor has found out, in groups of lines.
struct Diagnosis: Encodable {
    enum Outcome: String, Encodable {
        case good
        /// Worth knowing; a run works.
        case notice
        /// A run fails, or cannot be relied on.
        case problem
    }

    struct Finding: Encodable {
        let group: String
        let name: String
        let value: String
        let outcome: Outcome
        /// What it means or what to do; empty if there is nothing to say.
        let advice: String
    }

    private(set) var findings: [Finding] = []

    var hasProblem: Bool { findings.contains { $0.outcome == .problem } }

    mutating func add(
        _ group: String, _ name: String, _ value: String, _ outcome: Outcome = .good, _ advice: String = ""
    ) {
        findings.append(Finding(group: group, name: name, value: value, outcome: outcome, advice: advice))
    }

    /// One JSON object, safe to print on a terminal.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return TerminalText.escaped(json: String(decoding: try encoder.encode(self), as: UTF8.self)) + "\n"
        }
    }

    /// Lines for a person.
    var lines: [String] {
        let width = findings.map(\.name.count).max() ?? 0
        var lines: [String] = []
        var group = ""
        for finding in findings {
            if finding.group != group {
                group = finding.group
                lines.append(group)
            }
            let mark =
                switch finding.outcome {
                case .good: "✓"
                case .notice: "–"
                case .problem: "✗"
                }
            let padding = String(repeating: " ", count: width - finding.name.count)
            lines.append("  \(mark) \(finding.name)\(padding)  \(finding.value)")
            if !finding.advice.isEmpty {
                lines.append("    \(String(repeating: " ", count: width))  \(finding.advice)")
            }
        }
        return lines
    }
}
