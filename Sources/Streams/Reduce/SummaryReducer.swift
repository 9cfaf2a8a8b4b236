import Checks
import Encodings
import Engine
import Inputs
import Reports
import Rules
import Subscriptions

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

    mutating func add(_ fields: inout LineFields) throws(LineFault) {
        let part = try SummaryPart(&fields)
        guard part.settings == settings.fingerprint else { throw .otherSettings }
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
        var rows = RowWriter(settings)
        for ring in rings {
            rows.write(
                FindingRow(
                    severity: Severity(code: ring.severity) ?? .critical, rule: FraudRing.documentation.id,
                    subject: ring.subject, claims: ringClaims[ring.number] ?? 0, devices: ring.devices,
                    accounts: ring.accounts, sources: ring.sources, evidence: ring.evidence),
                to: &output.bytes)
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
