import Encodings
import FoundationEssentials
public import Ledgers
import Rules

/// What a ledger knows of runs, for programs: JSON whose keys never change their meaning.
///
/// | key | value |
/// |---|---|
/// | `runs` | all runs, oldest first; or `earlier` and `later`, the two that are compared |
/// | `id`, `as_of`, `inputs`, `claims`, `valid`, `not_valid` | of a run |
/// | `findings` | of a run: how many of each severity |
/// | `covers_all` | of a run: whether it saw all there was |
/// | `reports_in_place` | of a run: whether its reports were put in place |
/// | `new`, `persisting`, `resolved` | findings: `severity`, `rule`, `subject`, `first_seen` |
public enum HistoryJSON {
    public static func text(of runs: [LedgerRun]) throws -> String {
        try text(RunsObject(runs: runs.map { RunObject($0) }))
    }

    public static func text(of changes: RunChanges) throws -> String {
        try text(
            ChangesObject(
                earlier: RunObject(changes.earlier), later: RunObject(changes.later),
                new: changes.new.map { FindingObject($0) }, persisting: changes.persisting.map { FindingObject($0) },
                resolved: changes.resolved.map { FindingObject($0) }))
    }

    private static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return TerminalText.escaped(json: String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n"
    }
}

private struct RunsObject: Encodable {
    let runs: [RunObject]
}

private struct ChangesObject: Encodable {
    let earlier: RunObject
    let later: RunObject
    let new: [FindingObject]
    let persisting: [FindingObject]
    let resolved: [FindingObject]
}

private struct RunObject: Encodable {
    let id: Int64
    let asOf: String
    let inputs: [String]
    let claims: Int
    let valid: Int
    let notValid: Int
    let findings: [String: Int]
    let coversAll: Bool
    let reportsInPlace: Bool

    init(_ run: LedgerRun) {
        id = run.id
        asOf = "\(run.asOf)"
        inputs = run.inputs
        claims = run.claims
        valid = run.valid
        notValid = run.invalid
        findings = Dictionary(
            Severity.allCases.map { ($0.code, run.count(of: $0)) }, uniquingKeysWith: { first, _ in first })
        coversAll = run.coversAll
        reportsInPlace = run.isPublished
    }
}

private struct FindingObject: Encodable {
    let severity: String
    let rule: ExactText
    let subject: ExactText
    let firstSeen: String

    init(_ finding: LedgerFinding) {
        severity = finding.severityCode
        rule = finding.rule
        subject = finding.subject
        firstSeen = "\(finding.firstSeen)"
    }
}
