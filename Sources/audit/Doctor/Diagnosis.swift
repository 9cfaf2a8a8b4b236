import Encodings
import Engine
import Files
import FoundationEssentials
import Ledgers

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

/// What can be told of a ledger: whether it is undamaged, who can write it, and whether what it remembers is true.
struct LedgerDiagnosis {
    let path: String

    private var name: String { TerminalText.escaped(path) }

    /// Reads all of the ledger.
    ///
    /// - Returns: whether it could be read.
    @discardableResult
    func add(to diagnosis: inout Diagnosis) -> Bool {
        var isReadable = true
        do throws(LedgerError) {
            let health = try LedgerHealth(of: path)
            diagnosis.add("Ledger", "file", "\(name), \(health.size >> 10) KiB")
            let isWhole = health.faults.isEmpty
            diagnosis.add(
                "Ledger", "structure", isWhole ? "is consistent" : TerminalText.escaped(health.faults[0]),
                isWhole ? .good : .problem, isWhole ? "" : Self.advice)
            for table in health.tables {
                let isGood = table.damaged == 0
                diagnosis.add(
                    "Ledger", table.name, "\(table.rows)" + (isGood ? "" : ", \(table.damaged) of them damaged"),
                    isGood ? .good : .problem, isGood ? "" : Self.advice)
            }
            if let run = health.lastRun {
                let outcome = run.isPublished ? "" : ", whose reports were not put in place"
                diagnosis.add(
                    "Ledger", "last run", "\(run.id) as of \(run.asOf)\(outcome)", run.isPublished ? .good : .notice)
            } else {
                diagnosis.add("Ledger", "last run", "none")
            }
        } catch {
            isReadable = false
            diagnosis.add("Ledger", "file", "\(error)", .problem)
        }
        let reasons = LedgerExposure(of: path).reasons
        diagnosis.add(
            "Ledger", "writable by", reasons.isEmpty ? "its owner alone" : reasons.joined(separator: "; "),
            reasons.isEmpty ? .good : .problem,
            reasons.isEmpty
                ? "" : "Who can write a ledger decides what is reported: chmod 600 it, in a folder with chmod 700.")
        return isReadable
    }

    /// What came of holding it against its inputs.
    func add(_ verified: RunSettings.Verified, to diagnosis: inout Diagnosis) {
        let comparison = verified.verification.comparison
        let leftOut = verified.leftOut == 0 ? "" : "; \(verified.leftOut) more were left out (--sample)"
        diagnosis.add(Self.group, "claims", "\(verified.claims) audited anew\(leftOut)")
        for (name, count) in [
            ("signatures", comparison.signatures), ("blocks", comparison.blocks),
            ("blocks by status", comparison.blocksByStatus),
        ] {
            let unknown = count.unknown == 0 ? "" : "; \(count.unknown) more are not in the ledger"
            let text = "\(count.compared) compared, \(count.differing) differ\(unknown)"
            diagnosis.add(Self.group, name, text, count.differing == 0 ? .good : .problem)
        }
        if comparison.blocks.compared == 0 {
            diagnosis.add(
                Self.group, "settings", "no block was made with these", .notice,
                "Give what the run is given (--job, or its INPUTs, --policy, --root and --report): then blocks compare."
            )
        }
        if verified.verification.otherDates > 0 {
            let text = "\(verified.verification.otherDates) blocks hold for these, and were not compared"
            diagnosis.add(Self.group, "other dates", text, .notice, "Give --as-of.")
        }
        for difference in verified.verification.differences {
            diagnosis.add(Self.group, "not true", TerminalText.escaped(difference), .problem, Self.remedy)
        }
    }

    private static let group = "Verification"
    private static let advice = "Move the file away: the next run makes it anew from its inputs."
    private static let remedy = """
        Somebody who can write the ledger changed it, or its disk is failing. Move it away, with its -wal and -shm: the \
        next run makes it anew from its inputs. Reports of earlier runs with it may be wrong, too.
        """
}
