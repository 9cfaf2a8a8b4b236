import ArgumentParser
import Checks
import Encodings
import Engine
import Files
import FoundationEssentials
import Inputs
import Ledgers
import Reports
import Rules

struct ReviewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Record decisions about findings in a ledger.",
        usage: """
            audit review --state <file> --as <status> <target> [<options>]
            audit review --state <file> --import <file> [<options>]
            audit review --state <file> --as <status> --rule <rule> [<options>]
            """,
        discussion: """
            A finding that is `fraud` or `ok` is closed: it does not count for --fail-on, and reports show its status. \
            It is reopened when a later run finds more: a new claim, more events, or a higher severity. `watch` is \
            only a remark. The last review of a finding applies; all are kept (audit history --reviews).

            TARGET is a finding_id, or a subject as in the reports: then the review covers all findings in the ledger \
            about that subject, or about its claims alone. Findings that involve others are named and stay as they \
            are. A ring named by its finding_id decides all findings that it joins. Later runs leave findings that are `ok` \
            out of the money and the scores, and keep `fraud` in both. A review that overrides an earlier one says \
            so.

            --import reads statuses and notes from the CSV that a page downloads, from the sheet Queue of a workbook, or \
            from a CSV report of the table fraud: the columns finding_id, status and optionally note, reviewed_by and \
            reviewed_at. An empty note keeps the recorded one. A review that was recorded after the file was written \
            stays; a warning names the row.

            --rule reviews all open findings of a rule at once, and --where those of one severity or confidence. Their \
            number is shown first.

            EXAMPLES
              audit review --state ledger.db 5a0c1d3b9c7e4f21aa10b2c3 --as ok \\
                --note "test phone"
              audit review --state ledger.db account:user-17 --as watch \\
                --until 2026-12-31
              audit review --state ledger.db --import report.xlsx --by anna
              audit review --state ledger.db --as ok --rule device-mismatch \\
                --where confidence=doubtful --note "a restored phone"

            EXIT CODES
              0    done
              2    the ledger has no such finding, or cannot be read or written;
                   nothing was recorded
              64   wrong usage
            """
    )

    @Option(help: ArgumentHelp("The ledger.", valueName: "file"), completion: .file())
    var state: String

    @Option(name: .customLong("as"), help: ArgumentHelp("fraud, ok or watch.", valueName: "status"))
    var disposition: Disposition?

    @Option(help: ArgumentHelp("Why.", valueName: "text"))
    var note = ""

    @Option(
        help: ArgumentHelp("Reopen the finding in runs from this reference time on.", valueName: "date"))
    var until: Instant?

    @Option(help: ArgumentHelp("Who decided. (default: who the file says, or the user's name)", valueName: "name"))
    var by: String?

    @Option(
        name: .customLong("import"),
        help: ArgumentHelp(
            "The decisions of a page, a workbook, or a CSV report of the table fraud.", valueName: "file"))
    var imported: String?

    @Option(help: ArgumentHelp("Review all open findings of this rule.", valueName: "rule"))
    var rule: String?

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "With --rule: only findings of this severity or confidence.", valueName: "column=value"))
    var conditions: [FindingCondition] = []

    @Option(
        help: ArgumentHelp(
            "The key of the ledger's pseudonyms; TARGET then takes original ids or pseudonyms.", valueName: "keyfile"))
    var pseudonymise: String?

    @Argument(help: ArgumentHelp("A finding_id, or a subject.", valueName: "target"))
    var target: String?

    private typealias Decision = (finding: FindingName, decision: ReviewDecision)

    private static let subjects = ["claim", "receipt", "transaction", "device", "account", "person", "app", "signer"]

    func validate() throws {
        guard [target, imported, rule].count(where: { $0 != nil }) == 1 else {
            throw ValidationError("Give one of TARGET, --import and --rule.")
        }
        guard rule != nil || conditions.isEmpty else { throw ValidationError("--where is for --rule.") }
        if imported != nil {
            guard disposition == nil, note.isEmpty else {
                throw ValidationError(
                    "--import takes the status and the note from the file: leave out --as and --note.")
            }
        } else if disposition == nil {
            throw ValidationError("Give --as fraud, ok or watch.")
        }
        if let target, Self.finding(target) == nil,
            !Self.subjects.contains(where: { target.hasPrefix($0 + ":") && target.utf8.count > $0.utf8.count + 1 })
        {
            throw ValidationError(
                "TARGET is a finding_id of 24 hexadecimal digits or a subject such as account:ID, not “\(target)”. "
                    + "Subjects begin with \(Self.subjects.map { $0 + ":" }.joined(separator: ", ")).")
        }
        if by?.isEmpty == true { throw ValidationError("--by must not be empty.") }
    }

    func run() throws {
        let console = Console()
        try console.answer {
            var text = ReviewText()
            let decisions =
                try imported.map { try self.imported($0, console) } ?? rule.map { try ofRule($0, console) }
                ?? decided(&text)
            let outcome = try Ledger.review(decisions, in: state)
            for line in text.lines(of: outcome) { console.say(line) }
        }
    }

    /// Returns the decision on the command line for each open finding of a rule, after showing their number.
    private func ofRule(_ rule: String, _ console: Console) throws -> [Decision] {
        guard let disposition else { throw CommandError(nothing) }
        var decision = try decision(disposition)
        decision.note = note
        let all = try findings().values.filter { $0.name.rule == ExactText(rule) }
        let chosen = all.filter { finding in
            !finding.status.isClosed && conditions.allSatisfy { $0.holds(for: finding) }
        }
        let what = ([rule] + conditions.map(\.description)).joined(separator: ", ")
        guard !chosen.isEmpty else {
            throw CommandError(
                "the ledger \(TerminalText.escaped(state)) has no open finding of \(TerminalText.escaped(what)); of "
                    + "the rule it has \(all.count)")
        }
        console.say("\(counted(chosen.count, "open finding")) of \(what)")
        return chosen.map(\.name).sorted { $0.subject < $1.subject }.map { ($0, decision) }
    }

    /// Returns the decision on the command line for each selected finding.
    private func decided(_ text: inout ReviewText) throws -> [Decision] {
        guard let target, let disposition else { throw CommandError(nothing) }
        var decision = try decision(disposition)
        decision.note = note
        guard let id = Self.finding(target) else {
            let scope = try ReviewScope([try subject(target)], in: state)
            text.subject = TerminalText.escaped(target)
            text.shared = scope.shared
            guard !scope.own.isEmpty else {
                throw CommandError(([nothing] + text.sharedLines).joined(separator: "\n"))
            }
            return scope.own.map { ($0, decision) }
        }
        guard let name = try findings()[id]?.name else { throw CommandError(nothing) }
        let members = try LedgerHistory(state).members(ofRing: id).filter { $0 != name }
        text.members = members.count
        return ([name] + members).map { ($0, decision) }
    }

    /// Returns the decisions in a report that the ledger does not have yet.
    private func imported(_ path: String, _ console: Console) throws -> [Decision] {
        let report = try ReviewedRows(reading: path)
        let comparison = ReviewComparison(report, with: try findings())
        if let row = comparison.unknown {
            throw CommandError(
                "cannot import \(TerminalText.escaped(path)): \(row.place) is about the finding \(row.finding), "
                    + "which is not in the ledger \(TerminalText.escaped(state)); nothing was recorded")
        }
        for line in comparison.lines { console.say(TerminalText.escaped(line)) }
        return try comparison.new.map { row, name in
            var decision = try decision(row.disposition)
            decision.note = row.note
            // No decision is later than its import, whatever clock a browser has.
            if let at = row.decidedAt { decision.at = min(at, decision.at) }
            if by == nil, let author = row.author { decision.by = author }
            return (name, decision)
        }
    }

    private func decision(_ disposition: Disposition) throws -> ReviewDecision {
        let environment = ProcessInfo.processInfo.environment
        let user = ["LOGNAME", "USER"].compactMap { environment[$0] }.first { !$0.isEmpty }
        var decision = ReviewDecision(disposition, at: Clock.now.wholeSeconds, by: by ?? user ?? SystemUser.name)
        decision.until = until
        return decision
    }

    /// Returns the findings in the ledger by their ids.
    private func findings() throws -> [FindingID: ReviewedFinding] {
        let identities = try IdentityHasher()
        var findings: [FindingID: ReviewedFinding] = [:]
        try LedgerHistory(state).forEachFinding { finding in
            findings[identities.finding(rule: finding.name.rule, subject: finding.name.subject)] = finding
        }
        if let failure = identities.failure { throw failure }
        return findings
    }

    /// Returns a subject in the ledger's form.
    private func subject(_ text: String) throws -> ExactText {
        let pseudonyms = try pseudonymise.map { try Pseudonyms(key: PseudonymKey.key(in: $0, ofLedger: state)) }
        var subject = ExactText(text)
        if let id = subject.rest(behind: "device:"), let octets = DeviceIdentifiers(id).identifiers.first,
            let device = Device(octets: octets.span)
        {
            subject = "device:\(device)"
        } else if let id = subject.rest(behind: "account:") {
            subject = "account:\(DeviceIdentifiers.canonicalUUID(id) ?? id)"
        }
        guard let pseudonyms else { return subject }
        subject = pseudonyms.subject(subject)
        if let failure = pseudonyms.failure { throw failure }
        return subject
    }

    private static func finding(_ target: String) -> FindingID? {
        FindingID(ExactText(target).rest(behind: "finding:") ?? ExactText(target))
    }

    private var nothing: String {
        "the ledger \(TerminalText.escaped(state)) has no finding of \(TerminalText.escaped(target ?? "")); "
            + "`audit history --state LEDGER RUN` lists those of a run"
    }
}

/// `--where COLUMN=VALUE`: a condition on findings.
struct FindingCondition: ExpressibleByArgument, CustomStringConvertible {
    private let severity: Severity?
    private let confidence: Confidence?
    let description: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        severity = parts[0] == "severity" ? Severity.allCases.first { $0.code == parts[1] } : nil
        confidence = parts[0] == "confidence" ? Confidence.allCases.first { $0.code == parts[1] } : nil
        description = argument
        guard severity != nil || confidence != nil else { return nil }
    }

    func holds(for finding: ReviewedFinding) -> Bool {
        severity.map { $0 == finding.severity } ?? true && confidence.map { $0 == finding.confidence } ?? true
    }
}
