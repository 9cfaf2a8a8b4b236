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
    private var rows: TableLineWriter
    private var notices = FindingNotices()

    private var place = ClaimPlace(input: 0, line: 0)
    private var row: ReceiptRow?
    private var marked = MarkedClaim(claim: 0)

    init(_ settings: StreamSettings) { rows = TableLineWriter(withCSV: settings.withCSV) }

    mutating func add(notice fields: inout RecordReader) throws(RecordError) {
        let notice = try FindingNotice(&fields)
        notices.insert(notice.finding, partOf: notice.ring)
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
        for mark in marked.marks {
            FindingLine.write(LinkRow(mark, row.linkFacts, claim: place.number), to: &output)
        }
    }
}

/// A line with the ring of a finding, which must be known before claims are joined with the finding.
struct FindingNotice {
    private(set) var finding: FindingID
    private(set) var ring: FindingNotices.Ring

    init(_ finding: FindingID, partOf ring: FindingNotices.Ring) { (self.finding, self.ring) = (finding, ring) }

    func write(to line: inout LineWriter) {
        var notice = self
        line.write(.notices) { notice.code(&$0) }
    }

    init(_ fields: inout RecordReader) throws(RecordError) {
        self.init(.none, partOf: FindingNotices.Ring(finding: .none, severity: .info))
        try code(&fields)
    }

    private mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.identity(&finding)
        try coder.identity(&ring.finding)
        try coder.code(&ring.severity)
    }
}
