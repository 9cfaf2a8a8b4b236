import Checks
import Encodings
import Rules

/// A line under a claim's key.
enum ClaimLine {
    /// The claim's row, of which there is one.
    case row(ReceiptRow)
    /// That a finding is about the claim.
    case mark(ClaimMark)

    private static let rowTag = 0
    private static let markTag = 1

    static func write(_ facts: Facts, _ place: ClaimPlace, _ rules: MarkedRules, to line: inout LineWriter) {
        line.begin(.claim(place))
        line.number(rowTag)
        ReceiptRow.write(facts, place, rules, to: &line)
        line.end()
    }

    static func write(_ mark: ClaimMark, on place: ClaimPlace, to line: inout LineWriter) {
        line.begin(.claim(place))
        line.number(markTag)
        line.text(RuleBook.ids[mark.rule])
        line.number(Int(mark.severity.rawValue))
        if let finding = mark.finding { line.text(finding) }
        line.end()
    }

    init(at place: ClaimPlace, _ fields: inout LineFields) throws(LineFault) {
        switch try fields.int() {
        case Self.rowTag: self = .row(try ReceiptRow(at: place, &fields))
        case Self.markTag:
            let (rule, severity) = (try MarkedRules.rule(&fields), try MarkedRules.severity(&fields))
            self = .mark(
                ClaimMark(rule: rule, severity: severity, finding: fields.hasMore() ? try fields.text() : nil))
        default: throw .malformed("it says nothing known of a claim")
        }
    }
}

/// What a finding makes of a claim that it is about.
struct ClaimMark {
    var rule: Int
    var severity: Severity
    /// Names the finding, if it may be part of a ring.
    var finding: ExactText?
}
