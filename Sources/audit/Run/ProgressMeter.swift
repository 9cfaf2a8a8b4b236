import FoundationEssentials
import Pipeline
import Reports

/// Shows how far a run is: one line redrawn at most ten times a second on a terminal, a plain line
/// every thirty seconds otherwise.
struct ProgressMeter {
    private let console: Console
    private let isQuiet: Bool
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var last: ContinuousClock.Instant
    private var hasDrawn = false

    init(console: Console, isQuiet: Bool) {
        self.console = console
        self.isQuiet = isQuiet
        start = clock.now
        last = start
    }

    /// Seconds since the start.
    var elapsed: Double { (clock.now - start) / .seconds(1) }

    mutating func show(_ progress: AuditRun.Progress) {
        guard !isQuiet, clock.now - last >= (console.isTerminal ? .milliseconds(100) : .seconds(30)) else { return }
        last = clock.now
        let line = ProgressText.line(progress, seconds: elapsed)
        if console.isTerminal {
            console.redraw(line)
            hasDrawn = true
        } else {
            console.say(line)
        }
    }

    /// Makes room for what comes after.
    mutating func end() {
        if hasDrawn { console.clearLine() }
        hasDrawn = false
    }
}
