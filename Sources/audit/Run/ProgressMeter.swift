import Engine
import FoundationEssentials
import Reports

/// Shows how far a run is: one line redrawn at most ten times a second on a terminal, a plain line
/// every thirty seconds otherwise.
struct ProgressMeter {
    private let log: RunLog
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var last: ContinuousClock.Instant
    private var hasDrawn = false

    init(_ log: RunLog) {
        self.log = log
        start = clock.now
        last = start
    }

    /// Seconds since the start.
    var elapsed: Double { (clock.now - start) / .seconds(1) }

    mutating func show(_ progress: AuditRun.Progress) {
        guard !log.isQuiet, clock.now - last >= (log.isInteractive ? .milliseconds(100) : .seconds(30)) else { return }
        last = clock.now
        guard log.isInteractive else {
            log.tell(progress, seconds: elapsed)
            return
        }
        log.console.redraw(ProgressText.line(progress, seconds: elapsed))
        hasDrawn = true
    }

    /// Makes room for what comes after.
    mutating func end() {
        if hasDrawn { log.console.clearLine() }
        hasDrawn = false
    }
}
