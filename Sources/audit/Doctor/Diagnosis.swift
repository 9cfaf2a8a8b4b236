import Encodings
import Engine
import Files
import FoundationEssentials
import Ledgers

/// The findings of a check of the environment or of a ledger, in groups.
struct Diagnosis: Encodable {
    enum Outcome: String, Encodable {
        case good
        /// A run works.
        case notice
        /// A run fails, or its results are not reliable.
        case problem
    }

    struct Finding: Encodable {
        let group: String
        let name: String
        let value: String
        let outcome: Outcome
        /// The meaning or the remedy; may be empty.
        let advice: String
    }

    private(set) var findings: [Finding] = []

    var hasProblem: Bool { findings.contains { $0.outcome == .problem } }

    mutating func add(
        _ group: String, _ name: String, _ value: String, _ outcome: Outcome = .good, _ advice: String = ""
    ) {
        findings.append(Finding(group: group, name: name, value: value, outcome: outcome, advice: advice))
    }

    /// Adds a finding: it is good, or has this outcome and advice.
    mutating func add(
        _ group: String, _ name: String, _ value: String, unless isGood: Bool, _ outcome: Outcome, _ advice: String = ""
    ) {
        add(group, name, value, isGood ? .good : outcome, isGood ? "" : advice)
    }

    func write(to console: Console, asJSON: Bool) throws {
        if asJSON { try console.write(json) } else { try console.write(lines) }
    }

    /// One JSON object, escaped for a terminal.
    private var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return TerminalText.escaped(json: String(decoding: try encoder.encode(self), as: UTF8.self)) + "\n"
        }
    }

    /// The lines of the text format.
    private var lines: [String] {
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

/// The check of a ledger: whether it is intact, who can write it, and whether it matches its inputs.
extension Diagnosis {
    /// Adds the findings of a full read of the ledger.
    ///
    /// - Returns: whether it could be read.
    @discardableResult
    mutating func addLedger(_ path: String) -> Bool {
        var isReadable = true
        do throws(LedgerError) {
            let health = try LedgerHealth(of: path)
            add("Ledger", "file", "\(TerminalText.escaped(path)), \(health.size >> 10) KiB")
            add(
                "Ledger", "content", health.fault.map { TerminalText.escaped($0) } ?? "is as it was written",
                unless: health.isIntact, .problem,
                "The next run goes on from \(TerminalText.escaped(OutputFile.resolved(path))).previous. Only a copy (audit ledger backup)"
                    + " restores the rest.")
            for table in health.tables { add("Ledger", table.name, "\(table.rows)") }
            if health.isIntact {
                add("Ledger", "last run", health.lastRun.map { "\($0.id) as of \($0.asOf)" } ?? "none")
            }
            if let previous = try LedgerHealth.previous(of: path) {
                let run = previous.lastRun.map { "run \($0.id) as of \($0.asOf)" } ?? "no run"
                add(
                    "Ledger", "previous", previous.isIntact ? "ends with \(run)" : "is damaged",
                    unless: previous.isIntact, .problem, "The next change of the ledger replaces it.")
            }
        } catch {
            isReadable = false
            add("Ledger", "file", "\(error)", .problem)
        }
        let reasons = LedgerExposure(of: path, isOfOwner: SystemUser.isRoot).reasons
        add(
            "Ledger", "writable by", reasons.isEmpty ? "only its owner" : reasons.joined(separator: "; "),
            unless: reasons.isEmpty, .problem,
            "Whoever can write a ledger can change reports: chmod 600 it, in a folder with chmod 700.")
        return isReadable
    }
}
