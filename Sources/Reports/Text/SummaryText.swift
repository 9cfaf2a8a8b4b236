import Checks
public import Encodings
public import Engine
public import Inputs

/// The summary of a run, as it goes to standard error.
public struct SummaryText {
    public let lines: [String]

    /// Aligned lines: claims by verdict, failed checks and findings with counts, what was skipped, rate and time.
    ///
    /// - Parameters:
    ///   - seconds: how long the run took.
    ///   - omissions: what the inputs held that is no claim.
    ///   - reports: the files that were written.
    ///   - isColored: whether to colour the verdicts, for a terminal.
    public init(
        _ result: AuditResult, asOf: Instant, seconds: Double, omissions: Omissions, reports: [String], isColored: Bool
    ) {
        let tally = result.tally
        let paint = Paint(isColored: isColored)
        var lines = ["\(grouped(tally.claims)) claims as of \(asOf)"]
        let width = grouped(tally.claims).count
        let right = { (count: Int) in TextLayout.right(grouped(count), to: width) }
        for (verdict, count) in tally.verdicts.occurring {
            let word = paint(verdict.rawValue, Paint.Color(verdict))
            lines.append("  \(right(count)) \(word)\(Self.share(count, of: tally.claims))")
        }
        if tally.deviceHashResults[.notChecked] > 0 {
            lines.append("  \(right(tally.deviceHashResults[.notChecked])) of them without a device hash check")
        }
        let failed = tally.failedChecks.occurring
        if !failed.isEmpty {
            lines.append("failed checks")
            for (check, count) in failed.sorted(by: { ($1.count, $0.value) < ($0.count, $1.value) }) {
                lines.append("  \(right(count)) \(check.code)")
            }
        }
        lines += Self.findings(result.findingTally, width: width, paint)
        lines += Self.skipped(omissions)
        let rate = seconds > 0 ? Int((Double(tally.claims) / seconds).rounded()) : 0
        lines.append("\(Self.decimal(seconds)) s, \(grouped(rate)) claims per second")
        lines += reports.map { "wrote \(TerminalText.escaped($0))" }
        self.lines = lines
    }

    /// What was left out, one line each.
    private static func skipped(_ omissions: Omissions) -> [String] {
        let skipped = omissions.skipped
        var lines: [String] = []
        if skipped.specialFiles > 0 {
            lines.append("skipped \(grouped(skipped.specialFiles)) devices, FIFOs or sockets")
        }
        if skipped.links > 0 {
            lines.append("skipped \(grouped(skipped.links)) symbolic links that are to folders or lead nowhere")
        }
        let folders = skipped.unreadablePaths.prefix(10)
        for folder in folders {
            lines.append("skipped the folder \(TerminalText.escaped(folder)), which cannot be read")
        }
        if skipped.unreadableFolders > folders.count {
            lines.append(
                "skipped \(grouped(skipped.unreadableFolders - folders.count)) more folders that cannot be read")
        }
        if !omissions.unknownColumns.isEmpty {
            let names = omissions.unknownColumns.prefix(20).map { TerminalText.escaped($0) }
            lines.append("ignored unknown columns: \(names.joined(separator: ", "))")
        }
        return lines
    }

    private static func share(_ count: Int, of total: Int) -> String {
        guard total > 0, count < total else { return "" }
        let tenths = Int((Double(count) * 1000 / Double(total)).rounded())
        return " (\(tenths / 10).\(tenths % 10) %)"
    }

    private static func decimal(_ seconds: Double) -> String {
        let hundredths = Int((max(0, seconds) * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}

/// A number with its thousands apart: `1,000,000`.
func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number).reversed().enumerated() {
        if index > 0, index % 3 == 0, digit != "-" { text.append(",") }
        text.append(digit)
    }
    return String(text.reversed())
}
