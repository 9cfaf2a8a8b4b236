import Checks
public import Encodings
public import Engine
public import Inputs
import Rules

/// What a run that has succeeded tells a monitoring system: a file for Prometheus, or what reads its format.
///
/// Counts are gauges: they are those of one run, and the next run's may be smaller. There is no id in it.
public struct Metrics {
    private let families: [MetricFamily]

    /// How a run went.
    public struct Timing: Sendable {
        public var asOf: Instant
        public var finishedAt: Instant
        /// How long it took.
        public var seconds: Double

        public init(asOf: Instant, finishedAt: Instant, seconds: Double) {
            self.asOf = asOf
            self.finishedAt = finishedAt
            self.seconds = seconds
        }
    }

    /// - Parameters:
    ///   - changes: how findings compare with an earlier report's; `nil` if there is none.
    ///   - memory: what the run did not have to do again; `nil` if it has no ledger.
    ///   - omissions: what the inputs held that is no claim.
    public init(
        _ result: AuditResult, _ timing: Timing, changes: ChangeCounts?, memory: CacheUse? = nil,
        omissions: Omissions, version: String, openSSL: String
    ) {
        families =
            Self.claims(result.tally) + Self.findings(result.findingTally, changes)
            + Self.memory(memory) + [Self.skipped(omissions.skipped)] + Self.run(result.tally, timing)
            + [Self.build(version: version, openSSL: openSSL)]
    }

    public var text: String { families.flatMap(\.lines).map { $0 + "\n" }.joined() }

    private static func claims(_ tally: Tally) -> [MetricFamily] {
        var claims = MetricFamily("audit_claims", "Claims of the last successful run, by verdict.")
        for verdict in Verdict.allCases { claims.add(tally.verdicts[verdict], ("verdict", verdict.rawValue)) }
        var checks = MetricFamily("audit_failed_checks", "Claims that failed a check.")
        for check in Check.allCases { checks.add(tally.failedChecks[check], ("check", check.code)) }
        var devices = MetricFamily("audit_device_checks", "Claims by the outcome of the device hash check.")
        for match in DeviceHashResult.allCases {
            devices.add(tally.deviceHashResults[match], ("outcome", match.rawValue))
        }
        return [claims, checks, devices]
    }

    /// Every rule has its standard severity, even if nothing was found, so that a series does not come and go.
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
        var new = MetricFamily("audit_new_findings", "Findings that an earlier run did not have.")
        for severity in Severity.allCases { new.add(changes.new(severity), ("severity", severity.code)) }
        var resolved = MetricFamily("audit_resolved_findings", "Findings that only an earlier run had.")
        resolved.add(changes.resolved)
        return [findings, allowed, new, resolved]
    }

    private static func memory(_ work: CacheUse?) -> [MetricFamily] {
        guard let work else { return [] }
        var remembered = MetricFamily("audit_remembered_claims", "Claims that an earlier run had judged.")
        remembered.add(work.cached)
        var verified = MetricFamily("audit_verified_signatures", "Signatures that no earlier run had verified.")
        verified.add(work.verified)
        return [remembered, verified]
    }

    private static func skipped(_ skipped: SkippedEntries) -> MetricFamily {
        var family = MetricFamily("audit_skipped_files", "What the inputs held that is no claim.")
        family.add(skipped.specialFiles, ("kind", "special-file"))
        family.add(skipped.links, ("kind", "link"))
        family.add(skipped.unreadableFolders, ("kind", "unreadable-folder"))
        return family
    }

    private static func run(_ tally: Tally, _ timing: Timing) -> [MetricFamily] {
        let seconds = min(max(timing.seconds, 0), 1e9)
        var duration = MetricFamily("audit_duration_seconds", "How long the last successful run took.")
        duration.add(thousandths: Int64(seconds * 1000))
        var rate = MetricFamily("audit_claims_per_second", "How many claims it judged in a second.")
        rate.add(thousandths: seconds > 0 ? Int64((Double(tally.claims) / seconds * 1000).rounded()) : 0)
        var success = MetricFamily("audit_last_success_timestamp_seconds", "When it ended, in Unix time.")
        success.add(thousandths: timing.finishedAt.milliseconds)
        var asOf = MetricFamily("audit_as_of_timestamp_seconds", "The instant that it judged for, in Unix time.")
        asOf.add(thousandths: timing.asOf.milliseconds)
        return [duration, rate, success, asOf]
    }

    private static func build(version: String, openSSL: String) -> MetricFamily {
        var info = MetricFamily("audit_build_info", "Always 1; the labels say which versions ran.")
        info.add(1, ("version", version), ("openssl", openSSL))
        return info
    }
}
