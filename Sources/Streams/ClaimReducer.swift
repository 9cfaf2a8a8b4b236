import Encodings
import Engine
import Inputs
import Reports
import Rules

/// A line under a claim's key.
enum ClaimLine {
    /// The claim's row, of which there is one.
    case row(ReceiptRow)
    /// That a finding is about the claim.
    case mark(Mark)

    static func write(_ row: consuming ReceiptRow, at place: ClaimPlace, to line: inout LineWriter) {
        var (row, isMark) = (row, false)
        line.write(.claim(place)) {
            $0.bool(&isMark)
            row.code(&$0)
        }
    }

    static func write(_ mark: Mark, on place: ClaimPlace, to line: inout LineWriter) {
        var (mark, isMark) = (mark, true)
        line.write(.claim(place)) {
            $0.bool(&isMark)
            mark.code(&$0)
        }
    }

    init(at place: ClaimPlace, _ fields: inout RecordReader) throws(RecordError) {
        var isMark = false
        try fields.bool(&isMark)
        guard isMark else {
            self = .row(try ReceiptRow(at: place, &fields))
            return
        }
        var mark = Mark(rule: 0, severity: .info)
        try mark.code(&fields)
        self = .mark(mark)
    }
}

/// Joins claims' rows with what was found about them, claim by claim.
struct ClaimReducer {
    private var rows: TableLineWriter
    private var membership = RingMembership()
    /// By the ring's number: how many claims it is about.
    private(set) var ringClaims: [Int: Int] = [:]

    private var place = ClaimPlace(input: 0, line: 0)
    private var row: ReceiptRow?
    private var marked = MarkedClaim(claim: 0)

    init(_ settings: StreamSettings) { rows = TableLineWriter(withCSV: settings.withCSV) }

    mutating func add(ring fields: inout RecordReader) throws(RecordError) {
        let line = try RingLine(&fields)
        membership.insert(line.finding, line.ring)
    }

    mutating func begin(_ place: ClaimPlace) {
        self.place = place
        row = nil
        marked = MarkedClaim(claim: place.number)
    }

    mutating func add(_ fields: inout RecordReader) throws {
        switch try ClaimLine(at: place, &fields) {
        case .row(let row):
            guard self.row == nil else {
                throw LineFault.malformed(
                    "two claims stand at one place: give each map its own --input-number and --first-line")
            }
            self.row = row
        case .mark(let mark): marked.add(mark, membership)
        }
    }

    /// Ends the claim, and writes its row.
    mutating func finish(_ output: inout LineWriter) throws(LineFault) {
        guard var row else { throw .malformed("the lines of a claim before it lack the claim's row") }
        row.rules.formUnion(marked.rules)
        rows.write(row, to: &output.bytes)
        for ring in marked.rings { ringClaims[ring, default: 0] += 1 }
    }
}

/// A finding that may be joined to a ring, as a line: what it is about.
struct JoiningLine {
    /// Names the finding among all.
    var finding: ExactText
    var involved: Involved

    init(finding: ExactText, involved: Involved) {
        self.finding = finding
        self.involved = involved
    }

    func write(to line: inout LineWriter) {
        var (finding, sources) = (finding, involved.sources.names)
        var (areAllDevices, areAllAccounts) = (involved.devices.isExact, involved.accounts.isExact)
        var devices = involved.devices.sorted.map { Optional($0) }
        var accounts = involved.accounts.sorted
        line.write(.joining) {
            Self.code(&$0, &finding, &areAllDevices, &devices, &areAllAccounts, &accounts, &sources)
        }
    }

    init(_ fields: inout RecordReader) throws(RecordError) {
        var (finding, devices): (ExactText, [Device?]) = ("", [])
        var (accounts, sources): ([ExactText], [ExactText]) = ([], [])
        var (areAllDevices, areAllAccounts) = (true, true)
        try Self.code(&fields, &finding, &areAllDevices, &devices, &areAllAccounts, &accounts, &sources)
        guard !sources.isEmpty else { throw .malformed }
        self.finding = finding
        involved = Involved(
            devices: DistinctSketch(devices.compactMap { $0 }, isExact: areAllDevices),
            accounts: DistinctSketch(accounts, isExact: areAllAccounts), sources: sources)
    }

    private static func code<Coder: FieldCoder & ~Escapable>(
        _ coder: inout Coder, _ finding: inout ExactText, _ areAllDevices: inout Bool, _ devices: inout [Device?],
        _ areAllAccounts: inout Bool, _ accounts: inout [ExactText], _ sources: inout [ExactText]
    ) throws(Coder.Failure) {
        try coder.text(&finding)
        try coder.bool(&areAllDevices)
        try coder.list(&devices, of: nil) { (device, coder) throws(Coder.Failure) in try coder.device(&device) }
        try coder.bool(&areAllAccounts)
        try coder.texts(&accounts)
        try coder.texts(&sources)
    }
}

/// That a finding is part of a ring, as a line.
struct RingLine {
    var finding: ExactText
    var ring: RingMembership.Ring

    init(finding: ExactText, ring: RingMembership.Ring) {
        self.finding = finding
        self.ring = ring
    }

    init(_ fields: inout RecordReader) throws(RecordError) {
        self.init(finding: "", ring: RingMembership.Ring(number: 0, severity: .info))
        try code(&fields)
    }

    func write(to line: inout LineWriter) {
        var ring = self
        line.write(.rings) { ring.code(&$0) }
    }

    private mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text(&finding)
        try coder.count(&ring.number)
        try coder.code(&ring.severity)
    }
}

/// Joins findings to rings: all of them, in memory.
struct RingReducer {
    private let rules: RuleSet
    private var joining: [ExactText: Involved] = [:]
    private(set) var tally = FindingTally()
    private(set) var findings: [SummaryPart.RingFinding] = []

    init(_ settings: StreamSettings) { rules = settings.rules }

    mutating func add(_ fields: inout RecordReader) throws(RecordError) {
        let line = try JoiningLine(&fields)
        joining[line.finding] = line.involved
    }

    /// Ends the search, and writes which findings are part of which ring.
    mutating func finish(_ output: inout LineWriter) {
        let rings = Rings(joining, rules)
        for (number, finding) in rings.findings.enumerated() {
            guard !rings.allowed.contains(number) else {
                tally.countAllowed(finding, by: rules)
                continue
            }
            tally.count(finding)
            findings.append(SummaryPart.RingFinding(number: number, finding))
            for member in rings.members[number] {
                RingLine(finding: member, ring: .init(number: number, severity: finding.severity)).write(to: &output)
            }
        }
    }
}
