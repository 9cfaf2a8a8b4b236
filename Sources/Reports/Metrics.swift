import Checks
public import Encodings
public import Engine
public import Inputs
import Rules
import Subscriptions

/// Writes metrics of a run in the text format of Prometheus.
///
/// Counts are gauges: they belong to one run, and the next run's may be smaller. They contain no ids of claims.
public struct Metrics {
    private let families: [MetricFamily]
    private let job: ExactText

    /// Facts about a run.
    public struct Run: Sendable {
        public var asOf: Instant
        public var finishedAt: Instant
        /// The duration.
        public var seconds: Double
        /// The duration of each stage: `claims`, `groups`, `reports`.
        public var stages: [(name: String, seconds: Double)] = []
        /// The exit code of the process.
        public var exitCode = 0
        /// The reasons for exit code 3.
        public var complaints: Set<RunComplaint.Kind> = []
        /// The peak memory in bytes; `nil` if it is not known.
        public var peakMemory: Int?
        /// The job's name, a label on all metrics that distinguishes jobs; empty if there is none.
        public var job: ExactText = ""
        public var ledger: LedgerUse?

        public init(asOf: Instant, finishedAt: Instant, seconds: Double) {
            self.asOf = asOf
            self.finishedAt = finishedAt
            self.seconds = seconds
        }
    }

    /// How a run used its ledger.
    public struct LedgerUse: Sendable {
        /// The run's number in it.
        public var run: Int64
        /// Its size in bytes.
        public var size: Int
        /// Whether it was damaged, so that the run went on from the previous one, or empty, so that it began anew.
        public var wasReset: Bool

        public init(run: Int64, size: Int, wasReset: Bool) {
            self.run = run
            self.size = size
            self.wasReset = wasReset
        }
    }

    /// - Parameters:
    ///   - changes: how findings compare with an earlier report; `nil` without one.
    ///   - omissions: input data that is not a claim.
    public init(
        _ result: AuditResult, _ run: Run, changes: ChangeCounts?, omissions: Omissions, version: String,
        openSSL: String
    ) {
        job = run.job
        families =
            Self.claims(result.tally) + Self.findings(result.findingTally, changes)
            + Self.evidence(result) + Self.omissions(omissions) + Self.ledger(run.ledger)
            + [Self.complaints(run.complaints)] + Self.success(result.tally, run)
            + Self.end(at: run.finishedAt, exitCode: run.exitCode)
            + [Self.build(version: version, openSSL: openSSL)]
    }

    /// Returns the metrics of a failed run: those of the last successful run, which still hold, except those about how
    /// the last run ended.
    ///
    /// - Parameter earlier: the text of the metrics so far; empty if there are none.
    public static func text(afterFailureAt date: Instant, exitCode: Int, job: ExactText, earlier: String) -> String {
        let families = end(at: date, exitCode: exitCode)
        let kept = earlier.split(separator: "\n").filter { line in
            let name = line.hasPrefix("# ") ? line.split(separator: " ").dropFirst(2).first ?? "" : line
            return name.hasPrefix("audit_")
                && !families.contains { family in
                    name.hasPrefix(family.name) && !(name.dropFirst(family.name.utf8.count).first?.isLetter ?? false)
                }
        }
        return (kept.map(String.init) + families.flatMap { $0.lines(job) }).map { $0 + "\n" }.joined()
    }

    public var text: String { families.flatMap { $0.lines(job) }.map { $0 + "\n" }.joined() }

    private static func claims(_ tally: Tally) -> [MetricFamily] {
        var claims = MetricFamily("audit_claims", "Claims of the last successful run, by verdict.")
        for verdict in Verdict.allCases { claims.add(tally.verdicts[verdict], ("verdict", verdict.rawValue)) }
        var checks = MetricFamily("audit_failed_checks", "Claims that failed a check.")
        for check in Check.allCases { checks.add(tally.failedChecks[check], ("check", check.code)) }
        var devices = MetricFamily("audit_device_checks", "Claims by the outcome of the device hash check.")
        for match in DeviceHashResult.allCases {
            devices.add(tally.deviceHashResults[match], ("outcome", match.rawValue))
        }
        var without = MetricFamily(
            "audit_claims_without_device", "Claims whose device was not compared, for example because they name none.")
        without.add(tally.deviceHashResults[.notChecked])
        return [claims, checks, devices, without]
    }

    /// Every rule has a sample at its standard severity, even without findings, so that its series never ends.
    private static func findings(_ tally: FindingTally, _ changes: ChangeCounts?) -> [MetricFamily] {
        var findings = MetricFamily("audit_findings", "Findings of the last successful run.")
        var allowed = MetricFamily("audit_allowed_findings", "Findings about subjects that the policy allows.")
        for (number, rule) in RuleBook.rules.enumerated() {
            let id = rule.documentation.id.text
            for severity in Severity.allCases {
                let count = tally.count(ofRule: number, severity)
                guard count > 0 || severity == rule.documentation.severity else { continue }
                findings.add(count, ("rule", id), ("severity", severity.code))
            }
            allowed.add(tally.allowedCount(ofRule: number), ("rule", id))
        }
        guard let changes else { return [findings, allowed] }
        var new = MetricFamily(
            "audit_new_findings", "Findings that no run for an earlier day had, of all runs for this day.")
        for severity in Severity.allCases { new.add(changes.new(severity), ("severity", severity.code)) }
        var resolved = MetricFamily("audit_resolved_findings", "Findings that only an earlier run had.")
        resolved.add(changes.resolved)
        return [findings, allowed, new, resolved]
    }

    private static func evidence(_ result: AuditResult) -> [MetricFamily] {
        let outcome = result.evidenceTally.outcome
        var tokens = MetricFamily(
            "audit_evidence",
            "Tokens and texts of evidence: what counts, what is invalid, what may be tokens cut off, hidden or unreadable, "
                + "and texts without a token.")
        tokens.add(outcome.counted, ("outcome", "counted"))
        tokens.add(max(0, outcome.refused - outcome.lost - outcome.others), ("outcome", "invalid"))
        tokens.add(outcome.lost, ("outcome", "lost"))
        tokens.add(outcome.others, ("outcome", "other"))
        var apps = MetricFamily(
            "audit_evidence_of_other_apps",
            "Tokens of evidence that count and are about apps that no claim is of, so that no figure has them.")
        apps.add(outcome.unnamedApps(besides: result.namedApps).reduce(0) { $0.addingSaturating($1.count) })
        return [tokens, apps]
    }

    private static func omissions(_ omissions: Omissions) -> [MetricFamily] {
        let skipped = omissions.skipped
        var damages = MetricFamily(
            "audit_input_damages", "Places where an input is damaged, so that claims or evidence may be missing.")
        damages.add(omissions.damageCount)
        var family = MetricFamily("audit_skipped_files", "Entries of the inputs that are not claims.")
        family.add(skipped.specialFiles, ("kind", "special-file"))
        family.add(skipped.links, ("kind", "link"))
        family.add(skipped.unreadableFolders, ("kind", "unreadable-folder"))
        return [damages, family]
    }

    private static func ledger(_ ledger: LedgerUse?) -> [MetricFamily] {
        guard let ledger else { return [] }
        var reset = MetricFamily(
            "audit_ledger_reset", "1 if the ledger was damaged, and the one before it took its place, or empty.")
        reset.add(ledger.wasReset ? 1 : 0)
        var size = MetricFamily("audit_ledger_bytes", "The size of the ledger.")
        size.add(ledger.size)
        var run = MetricFamily("audit_ledger_run", "The number of the run in `audit history`.")
        run.add(Int(ledger.run))
        return [reset, size, run]
    }

    private static func complaints(_ found: Set<RunComplaint.Kind>) -> MetricFamily {
        var family = MetricFamily(
            "audit_complaints", "1 for each reason why the last successful run ended with 3.")
        for kind in RunComplaint.Kind.allCases { family.add(found.contains(kind) ? 1 : 0, ("reason", kind.rawValue)) }
        return family
    }

    /// Returns how the last run ended, successful or not.
    private static func end(at date: Instant, exitCode: Int) -> [MetricFamily] {
        var code = MetricFamily(
            "audit_last_exit_code",
            "What the last run ended with: 0, 1 (--fail-on), 2 (failed), 3 (inputs), above 128 (a signal).")
        code.add(exitCode)
        var time = MetricFamily("audit_last_run_timestamp_seconds", "When the last run ended, in Unix time.")
        time.add(thousandths: date.milliseconds)
        return [code, time]
    }

    private static func success(_ tally: Tally, _ timing: Run) -> [MetricFamily] {
        let seconds = min(max(timing.seconds, 0), 1e9)
        var stages = MetricFamily("audit_stage_seconds", "How long each stage of the last successful run took.")
        for (name, seconds) in timing.stages {
            stages.add(thousandths: Int64(min(max(seconds, 0), 1e9) * 1000), ("stage", name))
        }
        var memory = MetricFamily(
            "audit_peak_memory_bytes", "Peak memory of the run, without its page cache.")
        if let peak = timing.peakMemory { memory.add(peak) }
        var duration = MetricFamily("audit_duration_seconds", "How long the last successful run took.")
        duration.add(thousandths: Int64(seconds * 1000))
        var rate = MetricFamily("audit_claims_per_second", "How many claims it checked in a second.")
        rate.add(thousandths: seconds > 0 ? Int64((Double(tally.claims) / seconds * 1000).rounded()) : 0)
        var success = MetricFamily("audit_last_success_timestamp_seconds", "When it ended, in Unix time.")
        success.add(thousandths: timing.finishedAt.milliseconds)
        var asOf = MetricFamily("audit_as_of_timestamp_seconds", "The reference time of the run, in Unix time.")
        asOf.add(thousandths: timing.asOf.milliseconds)
        return [duration, stages, rate, memory, success, asOf]
    }

    private static func build(version: String, openSSL: String) -> MetricFamily {
        var info = MetricFamily("audit_build_info", "Always 1; the labels have the versions.")
        info.add(1, ("version", version), ("openssl", openSSL))
        return info
    }
}

/// Samples with one name, in the text format of Prometheus (version 0.0.4).
private struct MetricFamily {
    let name: String
    /// Explains the samples in a sentence.
    let help: String
    private var samples: [(labels: [(name: String, value: String)], value: String)] = []

    init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }

    mutating func add(_ value: Int, _ labels: (String, String)...) { add(String(value), labels) }

    /// Adds a number with three decimals, independent of the locale.
    mutating func add(thousandths: Int64, _ labels: (String, String)...) {
        let (whole, rest) = max(0, thousandths).quotientAndRemainder(dividingBy: 1000)
        let digits = String(rest)
        add("\(whole)." + String(repeating: "0", count: 3 - digits.utf8.count) + digits, labels)
    }

    private mutating func add(_ value: String, _ labels: [(String, String)]) {
        samples.append((labels.map { (name: $0.0, value: $0.1) }, value))
    }

    /// Returns the lines; none without samples.
    ///
    /// - Parameter job: a label for each sample, unless it is empty.
    func lines(_ job: ExactText) -> [String] {
        let labels = job.isEmpty ? [] : [(name: "job", value: TextLayout.safe(job, limit: 100))]
        guard !samples.isEmpty else { return [] }
        return ["# HELP \(name) \(help)", "# TYPE \(name) gauge"]
            + samples.map { sample in
                let labels = (sample.labels + labels).map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(
                    separator: ",")
                return name + (labels.isEmpty ? "" : "{\(labels)}") + " " + sample.value
            }
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
