import Checks
public import Encodings
public import Engine
public import Inputs
import Rules
import Subscriptions

/// Writes the summary of a run for standard error.
public struct SummaryText {
    public let lines: [String]

    /// Makes aligned lines: claims by verdict, failed checks and findings with counts, omissions, rate and time.
    ///
    /// - Parameters:
    ///   - seconds: the duration of the run.
    ///   - changes: how findings compare with the ledger, if there is one.
    ///   - omissions: input data that is not a claim.
    ///   - reports: the written files.
    ///   - isColored: whether to colour the verdicts, for a terminal.
    public init(
        _ result: AuditResult, asOf: Instant, seconds: Double, changes: ChangeCounts? = nil, omissions: Omissions,
        reports: [String], isColored: Bool
    ) {
        let tally = result.tally
        let paint = Paint(isColored: isColored)
        var lines = ["\(counted(tally.claims, "claim", grouped)) as of \(asOf)"]
        let width = grouped(tally.claims).count
        let right = { (count: Int) in TextLayout.right(grouped(count), to: width) }
        for (verdict, count) in tally.verdicts.occurring {
            let word = paint(verdict.rawValue, Paint.Color(verdict))
            lines.append("  \(right(count)) \(word)\(Self.share(count, of: tally.claims))")
        }
        if tally.deviceHashResults[.notChecked] > 0 {
            lines.append("  \(right(tally.deviceHashResults[.notChecked])) of all: the device hash was not checked")
        }
        let failed = tally.failedChecks.occurring
        if !failed.isEmpty {
            lines.append("failed checks")
            for (check, count) in failed.sorted(by: { ($1.count, $0.value) < ($0.count, $1.value) }) {
                lines.append("  \(right(count)) \(check.code)")
            }
        }
        lines += Self.findings(result.findingTally, width: width, paint)
        if let closed = changes?.closed, closed > 0 {
            lines.append("closed by reviews: \(counted(closed, "finding", grouped))")
        }
        if let found = result.completeness {
            lines.append(Summary.completenessSentence(units: found.units, missing: found.missing))
        }
        lines += Self.ignored(omissions)
        let rate = seconds > 0 ? Int((Double(tally.claims) / seconds).rounded()) : 0
        lines.append("\(Self.decimal(seconds)) s, \(counted(rate, "claim", grouped)) per second")
        lines += reports.map { "wrote \(TerminalText.escaped($0))" }
        self.lines = lines
    }

    /// Returns the unknown columns, in one line.
    private static func ignored(_ omissions: Omissions) -> [String] {
        guard !omissions.unknownColumns.isEmpty else { return [] }
        let names = omissions.unknownColumns.prefix(20).map { TerminalText.escaped($0) }
        return ["ignored unknown columns: \(names.joined(separator: ", "))"]
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

extension SummaryText {
    /// Returns findings by rule, the worst first.
    private static func findings(_ tally: FindingTally, width: Int, _ paint: Paint) -> [String] {
        guard tally.total + tally.allowedTotal > 0 else { return [] }
        var lines = ["findings"]
        for severity in Severity.allCases.reversed() {
            let word = paint(severity.code, color(of: severity))
            for (rule, id) in RuleBook.ids.enumerated() where tally.count(ofRule: rule, severity) > 0 {
                let count = TextLayout.right(grouped(tally.count(ofRule: rule, severity)), to: width)
                lines.append("  \(count) \(id) (\(word))")
            }
        }
        if tally.allowedTotal > 0 { lines.append("allowed by the policy: \(grouped(tally.allowedTotal)) findings") }
        return lines
    }

    /// Returns, for example, `3 findings are new`, for the end of a run with a ledger.
    public static func news(_ changes: ChangeCounts) -> String {
        "\(counted(changes.new, "finding", grouped)) \(changes.new == 1 ? "is" : "are") new"
    }

    /// Low severities are not dimmed here, because only counts are next to them.
    private static func color(of severity: Severity) -> Paint.Color {
        severity < .medium ? .cyan : Paint.Color(severity)
    }
}

/// Writes the progress of a run in one line.
public enum ProgressText {
    /// Returns, for example, `12,800 claims · 61,000/s · 12 % · 2 s left · 12,100 valid · 650 invalid · 50 unreadable`.
    ///
    /// While groups are compared, the line shows the finished share of them.
    ///
    /// - Parameter seconds: the time since the start.
    public static func line(_ progress: AuditRun.Progress, seconds: Double) -> String {
        let (tally, fraction) = (progress.tally, progress.fraction)
        guard progress.stage == .claims else {
            let share = fraction.map { " · \(Int($0 * 100)) %" } ?? ""
            return "\(counted(tally.claims, "claim", grouped)) · comparing them with each other\(share)"
        }
        var parts = [counted(tally.claims, "claim", grouped)]
        if seconds > 0 { parts.append("\(grouped(Int(Double(tally.claims) / seconds)))/s") }
        if let fraction, fraction > 0.01, fraction < 1 {
            parts.append("\(Int(fraction * 100)) %")
            parts.append("\(duration(seconds / fraction - seconds)) left")
        }
        parts += tally.verdicts.occurring.map { "\(grouped($0.count)) \($0.value.rawValue)" }
        return parts.joined(separator: " · ")
    }

    private static func duration(_ seconds: Double) -> String {
        let whole = Int(min(max(0, seconds), 360_000).rounded(.up))
        return switch whole {
        case 0..<100: "\(whole) s"
        case 100..<5400: "\(whole / 60) min"
        default: "\(whole / 3600) h \(whole % 3600 / 60) min"
        }
    }
}
