import ArgumentParser
import Checks
import Encodings
import Engine
import Files
import FoundationEssentials
import Inputs
import Ledgers
import Policies
import Proofs
import Reports
import Rules

/// One audit, built from its settings: the composition root, where all parts of the program are put together.
///
/// Claims go from `Inputs` through `AuditRun`, which verifies them with the trust anchors and checks them with the
/// policy, to `ReportFiles`. `RunHistory` is the ledger of `--state`.
struct AuditSession {
    let settings: RunSettings
    let policy: Policy
    /// The SHA-256 of the policy's file; empty if there is none.
    let policyDigest: String
    let pseudonymKey: PseudonymKey?
    /// Replaces the ids in a finding's subject with pseudonyms, if there is a key.
    private let pseudonymized: (ExactText) -> ExactText

    /// Reads the pseudonym key and the policy.
    init(_ settings: RunSettings) throws {
        self.settings = settings
        pseudonymKey = try settings.pseudonymise.map { try PseudonymKey(readingFrom: $0.path) }
        let pseudonyms = try pseudonymKey.map { try Pseudonyms(key: $0.bytes) }
        pseudonymized = { pseudonyms?.subject($0) ?? $0 }
        (policy, policyDigest) = try PolicyFile.read(settings.policy?.path, pseudonyms: pseudonymKey)
    }

    /// Audits, publishes all outputs, and logs the outcome.
    ///
    /// - Throws: `ExitCode` 1 if there is a finding of the severity of `--fail-on` or above, or if new findings are
    ///   known, a new one; otherwise the reason why the audit failed.
    static func run(_ settings: RunSettings, _ log: RunLog) throws {
        try settings.checkOutputs()
        try settings.requirements.check()
        settings.removeStaleFiles()
        let outcome = try AuditSession(settings).audit(log)
        let code = outcome.exitCode(settings.failOn)
        if code != 0 { throw ExitCode(code) }
    }

    private func audit(_ log: RunLog) throws -> Outcome {
        if let warning = pseudonymKey?.warning { log.warnAlways(warning) }
        for doubt in settings.reports.compactMap(\.doubt) { log.warnAlways(doubt) }
        let opened = try open(log)
        let history = opened.history

        var meter = ProgressMeter(log)
        defer { meter.end() }
        let result = try engine(opened).run(
            opened.source, evidence: opened.evidence, encoders: opened.files.encoders,
            isStopped: { Interruption.signal != 0 }, onProgress: { meter.show($0) })
        meter.begin("reports")
        let complaints = try complaints(about: result, opened, log)
        for complaint in complaints { history.doubt.add(complaint.doubt) }
        let evidence = EvidenceDoubts(result.evidenceTally)
        var description = description(opened)
        description.doubts = complaints.filter(\.doubt.exists).map(\.text)
        let changes = try opened.files.write(result, description, history: history)
        let outcome = Outcome(
            worst: changes.map { settings.failsOnKnown ? $0.worstOpen : $0.worstNew } ?? result.findingTally.worst,
            complaints: try complaints + self.complaints(of: evidence, result, opened))

        log.hold()
        defer { log.release() }
        warn(of: result, evidence, opened, outcome, log)
        let ledgerSize = try history.commit(
            result.tally, inputs: settings.inputs.map(\.written), exitCode: outcome.exitCode(settings.failOn),
            complaints: outcome.complaints, reports: absolute(opened.files.paths), told: log.toldHashes)
        if let file = opened.metrics {
            let use = Metrics.LedgerUse(run: history.run, size: ledgerSize, wasReset: opened.wasReset)
            try writeMetrics(to: file, result, described(meter, outcome, hasLedger ? use : nil), changes, opened)
        }
        if Interruption.signal != 0 { throw Interrupted() }
        try opened.files.publish(with: opened.metrics.map { [$0] } ?? [])
        do {
            try history.publish()
        } catch {
            log.warn("\(error); the next run will report the new findings of this one as new again")
        }
        meter.end()
        log.release()
        let summary = SummaryText(
            result, asOf: settings.asOf, seconds: meter.elapsed, changes: changes, omissions: opened.source.omissions,
            reports: opened.files.paths, isColored: log.console.isColored)
        let news = hasLedger ? changes.map { SummaryText.news($0) } : nil
        log.recordEnd(
            of: result, seconds: meter.elapsed, changes: changes, hasLedger: hasLedger, reports: opened.files.paths,
            lines: summary.lines + [news].compactMap(\.self))
        return outcome
    }

    private var hasLedger: Bool { settings.state != nil }

    /// What a run reads and writes. All of it is opened before the run begins, so that nothing is read in vain.
    private struct Opened {
        let baseline: Baseline?
        let files: ReportFiles
        let metrics: OutputFile?
        let source: Inputs
        let evidence: EvidenceSource?
        let sales: SalesReports?
        let anchors: TrustAnchors
        let history: RunHistory
        /// Whether the ledger was damaged or empty.
        let wasReset: Bool
        /// The complaints about a damaged ledger.
        let damages: [RunComplaint]

        /// What was left out of claims and of evidence.
        var omissions: Omissions { source.omissions + (evidence?.omissions ?? Omissions()) }
    }

    private func open(_ log: RunLog) throws -> Opened {
        let baseline = try settings.baseline.map {
            try Baseline(reading: $0.path, asOf: settings.asOf, subject: pseudonymized)
        }
        let files = try ReportFiles(settings.requests, baseline: baseline, reportSetting)
        let metrics = try settings.metrics.map { try OutputFile(replacing: $0, isForAll: true) }
        let source = try settings.openInputs()
        let evidence = try settings.openEvidence()
        let sales = try settings.sales.map { (folder) throws in try SalesReports(folder) }
        let anchors = try TrustOptions.anchors(in: settings.roots.map(\.path))
        let (history, wasReset, damages) = try openHistory(anchors, log)
        return Opened(
            baseline: baseline, files: files, metrics: metrics, source: source, evidence: evidence, sales: sales,
            anchors: anchors, history: history, wasReset: wasReset, damages: damages)
    }

    /// Returns the complaints about the claims. Some make a run doubtful; with `--accept` those are warnings.
    private func complaints(about result: AuditResult, _ opened: Opened, _ log: RunLog) throws -> [RunComplaint] {
        let history = opened.history
        let complaints =
            settings.limits.complaints(
                result.tally, CheckedInput.all(result, opened.source), opened.omissions, asOf: settings.asOf,
                after: history.lastAsOf)
            + (try history.complaints(
                about: result.proofs, settings.inputs.map(\.written), comparesDevices: settings.limits.minDevices == nil
            ))
        guard settings.accepts else { return complaints }
        for text in complaints.filter(\.doubt.exists).map(\.text) { log.warnEveryNight("accepted: \(text)") }
        return complaints.filter { !$0.doubt.exists }
    }

    /// Returns the complaints about evidence, sales reports and the ledger.
    private func complaints(
        of evidence: EvidenceDoubts, _ result: AuditResult, _ opened: Opened
    ) throws -> [RunComplaint] {
        evidence.complaints
            + (result.completeness?.complaints(settings.maxMissing) ?? [])
            + (opened.damages.isEmpty ? complaints(ofLedger: opened.history) : opened.damages)
    }

    private func warn(
        of result: AuditResult, _ evidence: EvidenceDoubts, _ opened: Opened, _ outcome: Outcome, _ log: RunLog
    ) {
        log.warn(of: opened.omissions)
        let doubts = InputLimits.doubts(
            result.tally, CheckedInput.all(result, opened.source), opened.source.omissions)
        for doubt in doubts + result.spellings.sentences { log.warnAlways(doubt) }
        for complaint in outcome.complaints { log.warnEveryNight(complaint.text) }
        if let advice = InputLimits.deviceAdvice(result.tally) { log.warn(advice) }
        log.warn(evidence)
        if let warning = evidence.warning(besides: result.namedApps) { log.warnAlways(warning) }
        if let warning = result.completeness?.warning { log.warnAlways(warning) }
        if settings.sales == nil, settings.requests.contains(where: { $0.table == .completeness }) {
            log.warn("the table completeness is empty, because it needs --sales, Apple's sales reports")
        }
        log.warn(ofNewerForms: result.tally.newerForms + result.evidenceTally.newerForms)
        log.warn(of: result.unknown)
    }

    private func writeMetrics(
        to file: OutputFile, _ result: AuditResult, _ run: Metrics.Run, _ changes: ChangeCounts?, _ opened: Opened
    ) throws {
        // A second run for the same day must not resolve the alerts of the first.
        var changesOfDay = changes
        changesOfDay?.add(newOfOtherRuns: try opened.history.newFindingsOfOtherRuns())
        let metrics = Metrics(
            result, run, changes: changesOfDay, omissions: opened.omissions, version: Audit.version,
            openSSL: OpenSSLVersion.text)
        try file.write(Array(metrics.text.utf8).span)
        try file.finish()
    }

    /// Returns paths that another process finds, whatever its working directory is.
    private func absolute(_ paths: [String]) -> [String] {
        paths.map { OutputFile.resolved($0.hasPrefix("/") ? $0 : FileManager.default.currentDirectoryPath + "/" + $0) }
    }

    /// The facts that decide the exit code of a run with published reports.
    private struct Outcome {
        /// The highest severity of a finding that `--fail-on` counts; `nil` if there is none.
        var worst: Severity?
        /// The problems with the inputs and with the ledger.
        var complaints: [RunComplaint] = []

        func exitCode(_ failOn: Severity?) -> Int32 {
            guard complaints.isEmpty else { return 3 }
            guard let failOn, let worst, worst >= failOn else { return 0 }
            return 1
        }
    }

    /// Returns the run for its metrics.
    private func described(
        _ meter: ProgressMeter, _ outcome: Outcome, _ ledger: Metrics.LedgerUse?
    ) -> Metrics.Run {
        var run = Metrics.Run(asOf: settings.asOf, finishedAt: Clock.now, seconds: meter.elapsed)
        run.stages = meter.stages
        run.exitCode = Int(outcome.exitCode(settings.failOn))
        run.complaints = Set(outcome.complaints.map(\.kind))
        run.peakMemory = ProcessMemory.peak
        run.job = settings.jobName
        run.ledger = ledger
        return run
    }

    /// Returns what an operator must know if the ledger is not that of the last run.
    private func complaints(ofLedger history: RunHistory) -> [RunComplaint] {
        guard let state = settings.state, let metrics = settings.metrics,
            let known = EarlierMetrics(metrics, settings.jobName).ledgerRun, known >= history.run
        else { return [] }
        let text =
            "\(TerminalText.escaped(state.written)): this is run \(history.run), and the metrics know run \(known): the "
            + "ledger is gone, or an older one took its place. Put it back from a copy, or findings count as new again"
        return [RunComplaint(.ledger, text)]
    }

    /// Returns the subjects of the findings that may be resolved.
    private func reportedSubjects(_ earlier: Baseline?, _ history: RunHistory) throws -> ReportedSubjects {
        if let earlier { return ReportedSubjects(earlier.subjects) }
        return ReportedSubjects(try history.findingsOfLastRun().map(\.subject))
    }

    /// The settings for all reports of the run.
    private var reportSetting: ReportSetting {
        var setting = settings.reportSetting
        setting.policy = policy
        return setting
    }

    /// Returns the engine for the settings and the policy.
    private func engine(_ opened: Opened) throws -> AuditRun {
        let files = opened.files
        var run = AuditRun(
            trust: opened.anchors, expectations: Expectations(asOf: settings.asOf, policy),
            rules: RuleSet(policy, asOf: settings.asOf), workers: settings.workers,
            storage: Storage(memory: settings.memory, folder: RunSettings.temporaryFolder),
            withFigures: files.wantsFigures, withLinks: files.wantsLinks, withEntities: files.wantsEntities,
            pseudonymKey: pseudonymKey?.bytes, history: opened.history)
        run.unclaimed = settings.unclaimed
        run.sales = opened.sales
        run.reported = try reportedSubjects(opened.baseline, opened.history)
        return run
    }

    /// Returns the description of the run for reports, with paths as written, so that it does not depend on the working
    /// directory.
    private func description(_ opened: Opened) -> RunDescription {
        var description = RunDescription(
            version: Audit.version, openSSL: OpenSSLVersion.text, asOf: settings.asOf,
            inputs: settings.inputs.map(\.written), roots: opened.anchors.anchors.map(\.certificate.fingerprint))
        description.rootFiles = settings.roots.map(\.written)
        description.evidence = settings.evidence.map(\.written)
        description.sales = settings.sales?.written
        description.manifest = settings.devices?.written
        description.reading = settings.reading
        description.policy = settings.policy.map { (file: $0.written, sha256: policyDigest) }
        description.baseline = settings.baseline?.written
        description.pseudonymKey = settings.pseudonymise?.written
        description.job = settings.job
        description.omissions = opened.source.omissions
        return description
    }
}
