import Encodings
import Rules

/// Joins claims' rows with what was found about them, claim by claim.
struct ClaimReducer {
    private let ringRule = RuleBook.ids.firstIndex(of: FraudRing.documentation.id) ?? 0
    private var rows: RowWriter
    /// Which findings are part of a ring.
    private var rings: [ExactText: RingLine] = [:]
    /// By the ring's number: how many claims it is about.
    private(set) var ringClaims: [Int: Int] = [:]

    private var place = ClaimPlace(input: 0, line: 0)
    private var row: ReceiptRow?
    private var marks = MarkedRules()
    private var ringsOfClaim: Set<Int> = []

    init(_ settings: StreamSettings) { rows = RowWriter(settings) }

    mutating func add(_ ring: RingLine) { rings[ring.finding] = ring }

    mutating func begin(_ place: ClaimPlace) {
        self.place = place
        row = nil
        marks = MarkedRules()
        ringsOfClaim = []
    }

    mutating func add(_ fields: inout LineFields) throws(LineFault) {
        switch try ClaimLine(at: place, &fields) {
        case .row(let row):
            guard self.row == nil else {
                throw .malformed("two claims stand at one place: give each map its own --input-number and --first-line")
            }
            self.row = row
        case .mark(let mark):
            marks.insert(mark.rule, mark.severity)
            guard let finding = mark.finding, let ring = rings[finding] else { return }
            marks.insert(ringRule, ring.severity)
            ringsOfClaim.insert(ring.ring)
        }
    }

    /// Ends the claim, and writes its row.
    mutating func finish(_ output: inout LineWriter) throws(LineFault) {
        guard var row else { throw .malformed("the lines of a claim before it lack the claim's row") }
        row.rules.formUnion(marks)
        rows.write(row, to: &output.bytes)
        for ring in ringsOfClaim { ringClaims[ring, default: 0] += 1 }
    }
}
