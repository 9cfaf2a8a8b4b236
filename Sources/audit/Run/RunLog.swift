import Checks
import Encodings
import Engine
import Files
import FoundationEssentials
import Inputs
import Logging
import Receipts
import Reports
import Rules
import Subscriptions

/// The log of a run on standard error. It contains no ids of devices or accounts.
struct RunLog {
    let console: Console
    private let logger: Logger
    /// Writes even with `--quiet`.
    private let always: Logger
    private let format: LogFormat
    /// The warnings that the last night had, too.
    private let told = ToldWarnings()

    init(_ format: LogFormat, isQuiet: Bool, _ color: ColorChoice = .auto) {
        console = Console(color)
        self.format = format
        var logger = Logger(label: "audit") { _ in RunLogHandler(format: format) }
        logger.logLevel = .info
        always = logger
        logger.logLevel = isQuiet ? .error : .info
        self.logger = logger
    }

    /// Whether only errors are logged.
    var isQuiet: Bool { logger.logLevel > .info }

    /// Whether a progress line may be redrawn on a terminal.
    var isInteractive: Bool { format == .text && console.isTerminal && !isQuiet }

    func warn(_ message: String) { say(message, to: logger) }

    /// Warns of what is not as it must be, even with `--quiet`, every night.
    func warnEveryNight(_ message: String) { say(message, to: always) }

    /// Keeps warnings until ``release()``, so that nobody who does not read them holds up what comes first.
    func hold() { told.held = [] }

    /// Writes the warnings that were kept.
    func release() {
        let held = told.held ?? []
        told.held = nil
        for (logger, message) in held { say(message, to: logger) }
    }

    private func say(_ message: String, to logger: Logger) {
        if told.held != nil {
            told.held?.append((logger, message))
            return
        }
        logger.warning("\(format == .text ? TerminalText.message(message) : message)")
    }

    /// Suppresses warnings of the last night with `--quiet`.
    func remember(_ hashes: Set<UInt64>) { told.earlier = hashes }

    /// The hashes of the warnings of this run.
    var toldHashes: [UInt64] { told.now.sorted() }

    /// Warns, even with `--quiet`; but then not of what the last night had, too.
    func warnAlways(_ message: String) {
        // The number may differ from night to night.
        let hash = ExactText(message.replacing(/[0-9]+/, with: "9")).stableHash
        told.now.insert(hash)
        if isQuiet, told.earlier.contains(hash) { return }
        say(message, to: always)
    }

    /// Logs an error. Only text is escaped: JSON has its own lossless escapes.
    func fail(_ error: any Error) { logger.error("\(format == .text ? ErrorText.safe(error) : "\(error)")") }

    /// Records that a signal stopped the run.
    func recordInterruption() {
        switch format {
        case .text: StandardError.write("audit: interrupted; no report was changed\n")
        case .json: logger.error("interrupted; no report was changed", metadata: ["signal": .number(signal)])
        }
    }

    /// Warns of a signal that arrived too late to stop the run, if there was one.
    func recordLateInterruption() {
        guard Interruption.isPastPublication, signal != 0 else { return }
        warnAlways("signal \(signal) arrived too late to stop the run: all reports were replaced")
    }

    private var signal: Int { Int(Interruption.signal) }

    /// Warns about places where inputs are damaged, so that claims may be missing, and about other omissions, even with
    /// `--quiet`. Reports have an unreadable row for a damaged place.
    func warn(of omissions: Omissions) {
        for warning in omissions.warnings { warnAlways(warning) }
        for name in omissions.emptyEvidence { warnAlways(name) }
        for note in omissions.notes { warn(note) }
        let leftovers = omissions.skipped.leftovers
        guard leftovers > 0 else { return }
        let kinds = omissions.skipped.leftoverKinds.sorted().map(\.text).joined(separator: ", ")
        warn("skipped \(counted(leftovers, "file")) that programs leave beside people's: of \(kinds)")
    }

    /// Warns about tokens that Apple may have signed in an unknown way, even with `--quiet`.
    func warn(ofNewerForms count: Int) {
        guard count > 0 else { return }
        warnAlways(
            "\(counted(count, "token")) with Apple's certificates and an algorithm other than ES256: a newer form, which "
                + "this version cannot verify and takes for invalid")
    }

    /// Warns about members and values of tokens that this version does not know; even with `--quiet`, if known values
    /// decide money or access.
    func warn(of unknown: UnknownTally) {
        let (decisive, others) = (unknown.sorted.filter(\.unknown.isDecisive), unknown.sorted)
        for (value, tokens) in decisive.prefix(10) {
            warnAlways(
                "\(value) in \(counted(tokens, "token")): this version does not know it, and known values there decide money "
                    + "or access. It causes no finding and enters no figure")
        }
        if decisive.count > 10 { warnAlways("and \(decisive.count - 10) more such values") }
        let more = others.count - decisive.count
        guard more > 0 else { return }
        warn(
            "this version does not know \(more == 1 ? "a member or value" : "\(more) members or values") of tokens: the "
                + "section unknown of the summary lists them (--report summary=summary.csv)")
    }

    func record(_ progress: AuditRun.Progress, seconds: Double) {
        guard format == .json else {
            logger.info("\(ProgressText.line(progress, seconds: seconds))")
            return
        }
        var metadata: Logger.Metadata = [
            "stage": "\(progress.stage)", "claims": .number(progress.tally.claims), "seconds": .seconds(seconds),
        ]
        metadata["fraction"] = progress.fraction.map { .seconds($0) }
        logger.info("progress", metadata: metadata)
    }

    /// Records the end of a run.
    ///
    /// - Parameters:
    ///   - changes: how findings compare with the ledger or an earlier report.
    ///   - hasLedger: whether the run has a ledger, in which reviews may have closed findings.
    ///   - lines: the summary in the text format.
    func recordEnd(
        of result: AuditResult, seconds: Double, changes: ChangeCounts?, hasLedger: Bool, reports: [String],
        lines: [String]
    ) {
        guard format == .json else {
            for line in lines { logger.info("\(line)") }
            return
        }
        let tally = result.tally
        var verdicts: Logger.Metadata = [:]
        for verdict in Verdict.allCases { verdicts[verdict.rawValue] = .number(tally.verdicts[verdict]) }
        var checks: Logger.Metadata = [:]
        for (check, count) in tally.failedChecks.occurring { checks[check.code] = .number(count) }
        var severities: Logger.Metadata = [:]
        for severity in Severity.allCases { severities[severity.code] = .number(result.findingTally.count(severity)) }
        var metadata: Logger.Metadata = [
            "claims": .number(tally.claims), "verdicts": .dictionary(verdicts),
            "failed_checks": .dictionary(checks), "findings": .dictionary(severities),
            "allowed_findings": .number(result.findingTally.allowedTotal), "seconds": .seconds(seconds),
            "reports": .array(reports.map { .string($0) }),
        ]
        if hasLedger { metadata["closed_findings"] = changes.map { .number($0.closed) } }
        logger.info("finished", metadata: metadata)
    }
}

extension Omissions {
    /// Sentences about what may be missing from reports; the first ten places.
    fileprivate var warnings: [String] {
        var warnings = damages.prefix(10).map(\.description)
        if damageCount > warnings.count { warnings.append("and in \(damageCount - warnings.count) more places") }
        let folders = skipped.unreadablePaths.prefix(10)
        warnings += folders.map { "skipped the folder \($0), which cannot be read" }
        if case let more = skipped.unreadableFolders - folders.count, more > 0 {
            warnings.append("skipped \(more) more folders that cannot be read")
        }
        if skipped.specialFiles > 0 { warnings.append("skipped \(skipped.specialFiles) devices, FIFOs or sockets") }
        if skipped.links > 0 {
            warnings.append("skipped \(skipped.links) symbolic links that are to folders or lead nowhere")
        }
        return warnings
    }
}

extension Logger.MetadataValue {
    fileprivate static func number(_ number: Int) -> Self { .stringConvertible(number) }

    /// With three decimals.
    fileprivate static func seconds(_ number: Double) -> Self { .stringConvertible((number * 1000).rounded() / 1000) }
}

/// Shows the progress of a run: one line redrawn at most ten times a second on a terminal, otherwise a plain line every
/// thirty seconds.
struct ProgressMeter {
    private let log: RunLog
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var last: ContinuousClock.Instant
    private var hasDrawn = false
    /// The durations of the finished stages.
    private var ended: [(name: String, seconds: Double)] = []
    /// The current stage, and when it began.
    private var current: (name: String, start: ContinuousClock.Instant)

    init(_ log: RunLog) {
        self.log = log
        start = clock.now
        last = start
        current = ("claims", start)
    }

    /// Begins a stage, unless it is the current one.
    mutating func begin(_ stage: String) {
        guard stage != current.name else { return }
        ended.append((current.name, (clock.now - current.start) / .seconds(1)))
        current = (stage, clock.now)
    }

    /// The durations of the stages so far, in seconds.
    var stages: [(name: String, seconds: Double)] {
        ended + [(current.name, (clock.now - current.start) / .seconds(1))]
    }

    /// Seconds since the start.
    var elapsed: Double { (clock.now - start) / .seconds(1) }

    mutating func show(_ progress: AuditRun.Progress) {
        begin("\(progress.stage)")
        guard !log.isQuiet, clock.now - last >= (log.isInteractive ? .milliseconds(100) : .seconds(30)) else { return }
        last = clock.now
        guard log.isInteractive else {
            log.record(progress, seconds: elapsed)
            return
        }
        log.console.redraw(ProgressText.line(progress, seconds: elapsed))
        hasDrawn = true
    }

    /// Clears the line.
    mutating func end() {
        if hasDrawn { log.console.clearLine() }
        hasDrawn = false
    }
}

/// The warnings of the last night and of this one, by hash. Used by the thread that logs.
private final class ToldWarnings {
    var earlier: Set<UInt64> = []
    var now: Set<UInt64> = []
    /// The warnings that wait, each with its logger; `nil` if none has to.
    var held: [(Logger, String)]?
}
