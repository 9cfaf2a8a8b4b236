import Checks
import Encodings
import Engine
import Inputs
import Reports
import Rules
import Subscriptions

/// The counts of one process. The sum over all processes is the summary.
struct SummaryPart: Codable {
    /// Identifies policy, roots and reference time, which must be the same in all parts.
    var settings: ExactText
    var tally = Tally()
    var breakdown = Breakdown()
    var spellings = AccountSpellings()
    var findings = FindingTally()
    var figures: SubscriptionFigures.Content?
    /// The unknown columns of tables, by the number of the input.
    var unknownColumns: [Int: [String]] = [:]
    /// The unknown keys of JSON objects.
    var unknownKeys: [String] = []
    /// The counts of each input, by its number.
    var inputs: [Int: InputTally] = [:]
    /// The options for reading inputs, each with its value.
    var reading: [[String]] = []
    /// Signs that inputs are not what was meant.
    var doubts: [String] = []
    /// The given names for columns, and the names in inputs.
    var columnSearch = ColumnSearch()
    /// The number of places where inputs are damaged, and the first of them.
    var damageCount = 0
    var damages: [InputDamage] = []
    /// The evidence that the process mapped claims with, if it mapped any.
    var isMapped = false
    var evidence: EvidenceUse?
    /// The members and values in evidence that this version does not know.
    var unknown = UnknownTally()
    /// How much of the evidence counts that the process verified.
    var evidenceOutcome = EvidenceOutcome()
    /// The lines that the process wrote and read.
    var lines = LineTraffic()

    init(settings: ExactText) { self.settings = settings }

    func write(to line: inout LineWriter) throws {
        try line.write(.summary) { try $0.json(self) }
    }

    init(_ fields: inout RecordReader) throws(RecordError) { self = try fields.json() }
}

/// Adds up the parts of the summary, and writes it.
struct SummaryReducer {
    private let settings: StreamSettings
    private(set) var tally = Tally()
    private var breakdown = Breakdown()
    /// The accounts that are written in more than one way.
    private(set) var spellings = AccountSpellings()
    private var findings = FindingTally()
    private var figures: SubscriptionFigures
    private var unknownColumns: [Int: [String]] = [:]
    private var unknownKeys = FirstNames()
    private var reading: [[String]] = []
    private var evidence = EvidenceAgreement()
    /// How much of the evidence counts.
    private(set) var evidenceOutcome = EvidenceOutcome()
    private var balance = LineBalance()
    /// The omissions in other steps: damage, and signs that inputs are not what was meant.
    private(set) var omissions = Omissions()
    /// The counts of each input, by its number.
    private(set) var inputs: [Int: InputTally] = [:]
    /// The members and values in evidence that this version does not know.
    private var unknownOfEvidence = UnknownTally()

    /// The apps whose evidence counts; `nil` if the policy decides that.
    var namedApps: Set<ExactText>? { settings.rules.policy.apps.isEmpty ? tally.apps.apps : nil }

    /// The members and values of tokens, in claims and in evidence, that this version does not know.
    var unknown: UnknownTally {
        var unknown = tally.unknown
        unknown += unknownOfEvidence
        return unknown
    }

    init(_ settings: StreamSettings) {
        self.settings = settings
        figures = SubscriptionFigures(asOf: settings.expectations.asOf, policy: settings.rules.policy)
    }

    mutating func add(_ fields: inout RecordReader) throws {
        let part = try SummaryPart(&fields)
        guard part.settings == settings.fingerprint else { throw LineFault.otherSettings }
        tally += part.tally
        unknownOfEvidence += part.unknown
        breakdown += part.breakdown
        spellings += part.spellings
        findings += part.findings
        if let content = part.figures { figures += content }
        unknownColumns.merge(part.unknownColumns) { first, _ in first }
        for key in part.unknownKeys { unknownKeys.insert(key) }
        omissions.add(damages: part.damages, of: part.damageCount)
        omissions.columnSearch.add(part.columnSearch)
        if reading.isEmpty { reading = part.reading }
        for doubt in part.doubts where !omissions.doubts.contains(doubt) { omissions.add(doubt, to: \.doubts) }
        for (number, tally) in part.inputs { inputs[number, default: InputTally()] += tally }
        if part.isMapped { evidence.add(part.evidence) }
        evidenceOutcome += part.evidenceOutcome
        balance.add(part.lines)
    }

    /// Adds the lines of the process that sums up the parts.
    mutating func add(_ lines: LineTraffic) { balance.add(lines) }

    /// Writes the rows of retention, metrics and the summary.
    ///
    /// - Throws: `LineFault` if the claims were not all mapped with the same evidence, or lines are missing.
    mutating func finish(_ run: RunDescription, _ output: inout LineWriter) throws {
        try evidence.check()
        try balance.check()
        var rows = TableLineWriter(withCSV: settings.withCSV)
        for (_, columns) in unknownColumns.sorted(by: { $0.key < $1.key }) {
            omissions.add(unknownColumns: columns)
        }
        // As in the summary of a run: the first of all, in order.
        omissions.add(unknownColumns: unknownKeys.names)
        var run = run
        run.omissions.add(unknownColumns: omissions.unknownColumns)
        figures.settle(naming: namedApps)
        run.reading = reading.filter { $0.count == 2 }.map { ($0[0], $0[1]) }
        let summary = Summary(tally, breakdown, findings, figures, run, settings.rules.policy, unknown: unknown)
        let reported = ReportedRun(figures, summary)
        for table in ReportRequest.Table.allCases where table.type.stage == .figures {
            try rows.write(table.type, of: reported, to: &output)
        }
        for table in ReportRequest.Table.allCases where ReportFormat.csv.holds(table) {
            var count = balance.rows(of: table.rawValue)
            count += output.counts[rowsOf: table.rawValue]
            var end = TableEnd(of: table.rawValue, rows: count)
            if table == .unclaimed {
                end.window = UnclaimedWindow(
                    since: tally.firstPresented, asOf: settings.expectations.asOf, settings.unclaimed,
                    apps: namedApps)
            }
            try end.write(to: &output)
        }
    }
}
