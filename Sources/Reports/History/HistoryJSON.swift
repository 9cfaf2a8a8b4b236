import Encodings
public import Engine
public import Ledgers
import Rules

/// Writes the runs of a ledger for programs: JSON with keys that never change their meaning.
///
/// | key | value |
/// |---|---|
/// | `failures` | the last failed runs, oldest first: `at`, `as_of`, `reason` |
/// | `runs` | all runs, oldest first; or `earlier` (null for the first run) and `later`, the two compared runs |
/// | `id`, `as_of`, `inputs`, `claims`, `valid`, `not_valid` | of a run |
/// | `findings` | of a run: the number at each severity |
/// | `exit_code`, `complaints` | of a run: its exit code, and the reasons for 3 |
/// | `doubtful` | of a run: whether it counts for nothing, or of `doubtful_apps` alone, until it is accepted |
/// | `with_device` | of a run: the number of claims with a device |
/// | `new`, `persisting`, `resolved` | findings: `severity`, `rule`, `subject`, `evidence`, `first_seen` |
/// | `rules` | how often each rule was right: the columns of the table `rule_quality` |
/// | `reviews` | reviews, oldest first: `at`, `by`, `status`, `rule`, `subject`, `note`, and `until` or null |
public enum HistoryJSON {
    public static func text(of runs: [LedgerRun], failures: [FailedRun]) throws -> String {
        try (["runs": .array(runs.map(object)), "failures": .array(failures.map(object))] as JSONTree).prettyText()
    }

    public static func text(
        of changes: LedgerChanges, from earlier: LedgerRun?, to later: LedgerRun
    ) throws -> String {
        let tree: JSONTree = [
            "earlier": earlier.map(object) ?? .null, "later": object(later),
            "new": .array(changes.new.map(object)), "persisting": .array(changes.persisting.map(object)),
            "resolved": .array(changes.resolved.map(object)),
        ]
        return try tree.prettyText()
    }

    public static func text(of reviews: [Review]) throws -> String {
        try (["reviews": .array(reviews.map(object))] as JSONTree).prettyText()
    }

    public static func text(of quality: [RuleQuality]) throws -> String {
        try (["rules": .array(quality.map(object))] as JSONTree).prettyText()
    }

    private static func object(_ rule: RuleQuality) -> JSONTree {
        let share = { (number: DecimalNumber?) in
            number.map { JSONTree.real(Double($0.millionths) / 1_000_000) } ?? .null
        }
        return [
            "rule": .text(rule.rule.text), "findings": .number(rule.findings), "reviewed": .number(rule.reviewed),
            "fraud": .number(rule.fraud), "ok": .number(rule.ok), "watch": .number(rule.watch),
            "confirmed": share(rule.confirmed), "low": share(rule.bounds?.low), "high": share(rule.bounds?.high),
        ]
    }

    private static func object(_ review: Review) -> JSONTree {
        let decision = review.decision
        return [
            "at": .text("\(decision.at)"), "by": .text(decision.by), "status": .text(decision.disposition.rawValue),
            "rule": .text(review.rule.text), "subject": .text(review.subject.text), "note": .text(decision.note),
            "until": decision.until.map { .text("\($0)") } ?? .null,
        ]
    }

    private static func object(_ failed: FailedRun) -> JSONTree {
        ["at": .text("\(failed.at)"), "as_of": .text("\(failed.asOf)"), "reason": .text(failed.reason)]
    }

    private static func object(_ run: LedgerRun) -> JSONTree {
        let findings = Severity.allCases.map { ($0.code, JSONTree.number(run.count(of: $0))) }
        return [
            "id": .number(Int(run.id)), "as_of": .text("\(run.asOf)"), "inputs": .texts(run.inputs),
            "claims": .number(run.claims), "valid": .number(run.valid), "not_valid": .number(run.invalid),
            "findings": .object(Dictionary(findings) { first, _ in first }),
            "exit_code": .number(run.exitCode), "complaints": .texts(run.complaints),
            "with_device": .number(run.withDevice), "doubtful": .bool(run.doubt.exists),
            "doubtful_apps": .texts(run.doubt.isAboutAll ? [] : run.doubt.apps.sorted().map(\.text)),
        ]
    }

    private static func object(_ finding: EarlierFinding) -> JSONTree {
        [
            "severity": .text(finding.severity.code), "rule": .text(finding.rule.text),
            "subject": .text(finding.subject.text), "evidence": .text(finding.evidence),
            "first_seen": .text("\(finding.firstSeen)"),
        ]
    }
}
