import Checks
import Encodings
import Engine
import FoundationEssentials
import Inputs
import Reports
import Rules
import Subscriptions

/// What one process has counted: the parts of all processes together are the summary.
struct SummaryPart: Codable {
    /// Names policy, roots and as-of, which must be the same in all parts.
    var settings: ExactText
    var tally = Tally()
    var breakdown = Breakdown()
    var findings = FindingTally()
    var figures: SubscriptionFigures.Content?
    var rings: [RingFinding] = []
    /// By the ring's number: how many claims it is about.
    var ringClaims: [Int: Int] = [:]
    /// The columns of tables that nobody asked for, by the number of the input.
    var unknownColumns: [Int: [String]] = [:]
    /// The same of JSON objects.
    var unknownKeys: [String] = []

    /// A ring, but for its claims.
    struct RingFinding: Codable {
        var number: Int
        var severity: Severity
        var subject: ExactText
        var devices: Int
        var accounts: Int
        var sources: [ExactText]
        var evidence: String

        init(number: Int, _ finding: Finding) {
            let involved = finding.involved
            (self.number, severity, subject) = (number, finding.severity, finding.subject)
            (devices, accounts) = (involved.devices.count, involved.accounts.count)
            (sources, evidence) = (involved.sources.names, finding.evidence)
        }
    }

    init(settings: ExactText) { self.settings = settings }

    func write(to line: inout LineWriter) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        var text = ExactText(String(decoding: try encoder.encode(self), as: UTF8.self))
        line.write(.summary) { $0.text(&text) }
    }

    init(_ fields: inout RecordReader) throws {
        var text: ExactText = ""
        try fields.text(&text)
        do {
            self = try JSONDecoder().decode(SummaryPart.self, from: Data(text.utf8))
        } catch {
            throw LineFault.malformed("a part of the summary cannot be read")
        }
    }
}

/// Adds up the parts of the summary, and writes it, with the rings, whose claims are only now counted.
struct SummaryReducer {
    private let settings: StreamSettings
    private var tally = Tally()
    private var breakdown = Breakdown()
    private var findings = FindingTally()
    private var figures: SubscriptionFigures
    private var rings: [SummaryPart.RingFinding] = []
    private var ringClaims: [Int: Int] = [:]
    private var unknownColumns: [Int: [String]] = [:]
    private var unknownKeys = UnknownNames()

    init(_ settings: StreamSettings) {
        self.settings = settings
        figures = SubscriptionFigures(asOf: settings.expectations.asOf, policy: settings.rules.policy)
    }

    mutating func add(_ fields: inout RecordReader) throws {
        let part = try SummaryPart(&fields)
        guard part.settings == settings.fingerprint else { throw LineFault.otherSettings }
        tally += part.tally
        breakdown += part.breakdown
        findings += part.findings
        if let content = part.figures { figures += content }
        rings += part.rings
        ringClaims.merge(part.ringClaims) { $0.addingSaturating($1) }
        unknownColumns.merge(part.unknownColumns) { first, _ in first }
        for key in part.unknownKeys { unknownKeys.insert(key) }
    }

    /// Writes the rings' rows and the summary's.
    func finish(_ run: RunDescription, _ output: inout LineWriter) {
        var rows = TableLineWriter(withCSV: settings.withCSV)
        for ring in rings {
            let finding = FindingRow(
                severity: ring.severity, rule: FraudRing.documentation.id, subject: ring.subject,
                claims: ringClaims[ring.number] ?? 0, devices: ring.devices, accounts: ring.accounts,
                sources: ring.sources, evidence: ring.evidence)
            rows.write(ComparedFinding(finding, firstSeen: settings.expectations.asOf), to: &output.bytes)
        }
        var run = run
        for (_, columns) in unknownColumns.sorted(by: { $0.key < $1.key }) {
            run.omissions.add(unknownColumns: columns)
        }
        // As they stand in the summary of a run: the first of all, in order.
        run.omissions.add(unknownColumns: unknownKeys.names)
        let summary = Summary(tally, breakdown, findings, figures, run, settings.rules.policy)
        SummaryTable.forEachRow(of: summary) { row in
            rows.write(row, to: &output.bytes)
        }
    }
}
