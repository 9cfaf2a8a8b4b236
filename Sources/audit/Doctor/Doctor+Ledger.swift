import Encodings
import Files
import Ledgers

extension Doctor {
    /// Reads all of a ledger.
    func ledger(_ path: String, _ diagnosis: inout Diagnosis) {
        let name = TerminalText.escaped(path)
        do throws(LedgerError) {
            let health = try LedgerHealth(of: path)
            diagnosis.add("Ledger", "file", "\(name), \(health.size >> 10) KiB")
            let isWhole = health.faults.isEmpty
            diagnosis.add(
                "Ledger", "structure", isWhole ? "hangs together" : TerminalText.escaped(health.faults[0]),
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
            diagnosis.add("Ledger", "file", "\(error)", .problem)
        }
    }

    private static var advice: String { "Move the file away: the next run makes it anew from its inputs." }
}
