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

    /// One JSON object, safe to print on a terminal.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return TerminalText.escaped(json: String(decoding: try encoder.encode(self), as: UTF8.self)) + "\n"
        }
    }

    /// The lines of the text format.
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

/// The check of a ledger: whether it is undamaged, who can write it, and whether it matches its inputs.
struct LedgerDiagnosis {
    let path: String

    private var name: String { TerminalText.escaped(path) }

    /// Adds the findings of a full read of the ledger.
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
            "Ledger", "writable by", reasons.isEmpty ? "only its owner" : reasons.joined(separator: "; "),
            reasons.isEmpty ? .good : .problem,
            reasons.isEmpty
                ? "" : "Whoever can write a ledger can change reports: chmod 600 it, in a folder with chmod 700.")
        return isReadable
    }

    /// Adds the result of the comparison of the ledger with its inputs.
    func add(_ result: AuditSession.LedgerComparison, to diagnosis: inout Diagnosis) {
        let comparison = result.verification.comparison
        let leftOut = result.leftOut == 0 ? "" : "; \(result.leftOut) more were left out (--sample)"
        diagnosis.add(Self.group, "claims", "\(result.claims) audited again\(leftOut)")
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
                "Give the arguments of the run (--job, or its INPUTs, --policy, --root and --report): then blocks compare."
            )
        }
        if result.verification.otherDates > 0 {
            let text = "\(result.verification.otherDates) blocks are for these, and were not compared"
            diagnosis.add(Self.group, "other dates", text, .notice, "Give --as-of.")
        }
        for difference in result.verification.differences {
            diagnosis.add(Self.group, "mismatch", TerminalText.escaped(difference), .problem, Self.remedy)
        }
    }

    private static let group = "Verification"
    private static let advice = "Move the file away: the next run rebuilds it from its inputs."
    private static let remedy = """
        A user who can write the ledger changed it, or its disk is failing. Move it away, with its -wal and -shm: the next \
        run rebuilds it from its inputs. Reports of earlier runs with it may be wrong, too.
        """
}
