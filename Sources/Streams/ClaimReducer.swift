import Checks
import Encodings
import Engine
import Inputs
import Reports
import Rules

/// A line under a claim's key.
enum ClaimLine {
    /// The claim's only row.
    case row(ReceiptRow)
    /// A mark: a finding is about the claim.
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
        var mark = Mark(finding: .none, rule: 0, severity: .info)
        try mark.code(&fields)
        self = .mark(mark)
    }
}

/// Joins claims' rows with the findings about them, claim by claim: the row of the table `receipts`, and a link for
/// each finding.
struct ClaimReducer {
    /// The accounts that are none.
    var placeholders = AccountPlaceholders()
    private var rows: TableLineWriter
    private var notices = FindingNotices()

    private var place = ClaimPlace(input: 0, line: 0)
    private var row: ReceiptRow?
    private var marked = MarkedClaim(claim: 0)

    init(_ settings: StreamSettings) { rows = TableLineWriter(withCSV: settings.withCSV) }

    mutating func add(notice fields: inout RecordReader) throws(RecordError) {
        switch try FindingNotice(&fields) {
        case .member(let finding, let ring): notices.insert(finding, partOf: ring)
        case .wave(let number): notices.insert(wave: number)
        }
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
                    "two claims have the same position: give each map its own --input-number and --first-line")
            }
            self.row = row
        case .mark(let mark): marked.add(mark, notices)
        }
    }

    /// Ends the claim, and writes its row and its links.
    mutating func finish(_ output: inout LineWriter) throws(LineFault) {
        guard var row else { throw .malformed("the lines of a claim before it lack the claim's row") }
        row.rules.formUnion(marked.rules)
        rows.write(row, of: ReceiptsTable.self, to: &output)
        var facts = row.linkFacts
        facts.remove(placeholders)
        for mark in marked.marks {
            FindingLine.write(LinkRow(mark, facts, claim: place.number), to: &output)
        }
    }
}

/// A line with a fact that must be known before claims are joined with findings.
enum FindingNotice {
    /// A finding is part of a ring.
    case member(FindingID, of: FindingNotices.Ring)
    /// The number of a ``ClaimWave``.
    case wave(UInt64)

    func write(to line: inout LineWriter) {
        switch self {
        case .member(var finding, var ring):
            line.write(.notices) {
                var wave: UInt64 = 0
                $0.number(&wave)
                Self.code(&finding, &ring, &$0)
            }
        case .wave(var wave): line.write(.notices) { $0.number(&wave) }
        }
    }

    init(_ fields: inout RecordReader) throws(RecordError) {
        var wave: UInt64 = 0
        try fields.number(&wave)
        guard wave == 0 else {
            self = .wave(wave)
            return
        }
        var (finding, ring) = (FindingID.none, FindingNotices.Ring(finding: .none, severity: .info))
        try Self.code(&finding, &ring, &fields)
        self = .member(finding, of: ring)
    }

    private static func code<Coder: FieldCoder & ~Escapable>(
        _ finding: inout FindingID, _ ring: inout FindingNotices.Ring, _ coder: inout Coder
    ) throws(Coder.Failure) {
        try coder.identity(&finding)
        try coder.identity(&ring.finding)
        try coder.code(&ring.severity)
    }
}
