import Checks
public import Engine

/// One line that says how far a run is.
public enum ProgressText {
    /// For example `12,800 claims · 61,000/s · 12 % · 2 s left · 12,100 valid · 650 invalid · 50 unreadable`.
    ///
    /// While groups are compared, the share of them that is done.
    ///
    /// - Parameter seconds: since the start.
    public static func line(_ progress: AuditRun.Progress, seconds: Double) -> String {
        let (tally, fraction) = (progress.tally, progress.fraction)
        guard progress.stage == .claims else {
            let share = fraction.map { " · \(Int($0 * 100)) %" } ?? ""
            return "\(grouped(tally.claims)) claims · comparing them with each other\(share)"
        }
        var parts = ["\(grouped(tally.claims)) claims"]
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
