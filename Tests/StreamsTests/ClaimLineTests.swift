import Checks
import Encodings
import Rules
import Testing

@testable import Streams

struct `What findings make of a claim` {
    private static let place = ClaimPlace(input: 0, line: 4)

    private func mark(_ fields: String) throws(LineFault) -> ClaimMark? {
        let line = try read(fields) { fields throws(LineFault) in try ClaimLine(at: Self.place, &fields) }
        guard case .mark(let mark) = line else { return nil }
        return mark
    }

    @Test(arguments: [nil, "shared-receipt rAQ"])
    func `is read as it was written`(finding: String?) throws {
        let finding = finding.map { ExactText($0) }
        let last = RuleBook.ids.count - 1
        let line = written {
            ClaimLine.write(ClaimMark(rule: last, severity: .critical, finding: finding), on: Self.place, to: &$0)
        }
        #expect(line.key == "c04")
        let found = try mark(line.fields)
        #expect(found?.rule == last)
        #expect(found?.severity == .critical)
        #expect(found?.finding == finding)
    }

    @Test(arguments: [
        ("7", "it says nothing known of a claim"),
        (#"1,"no-such-rule",1"#, "there is no rule “no-such-rule”"),
        (#"1,"shared-receipt",5"#, "it has no severity"),
        (#"1,"shared-receipt",-1"#, "it has no severity"),
    ])
    func `is refused if nobody writes so`(values: String, reason: String) {
        #expect(fault { () throws(LineFault) in _ = try mark(fields(values)) } == reason)
    }

    @Test func `adds up to the rules in the order of the book, and the worst severity`() {
        var (first, second) = (MarkedRules(), MarkedRules())
        first.insert(2, .low)
        second.insert(0, .high)
        second.insert(2, .medium)
        first.formUnion(second)
        #expect(first.ids == "\(RuleBook.ids[0]);\(RuleBook.ids[2])")
        #expect(first.risk == .high)
    }

    @Test func `is nothing where there is none`() {
        var rules = MarkedRules()
        rules.formUnion(MarkedRules())
        #expect(rules.ids == "")
        #expect(rules.risk == nil)
    }
}

struct `What is wrong with a line` {
    @Test func `is told with the line's number`() {
        #expect(
            LineFault.malformed("it has no key").error(at: 7).description
                == "line 7 is not one that audit writes: it has no key")
        #expect(LineFault.otherVersion.error(at: 7).description.contains("version \(StreamVersion.number)"))
        #expect(LineFault.otherSettings.error(at: 7) == .otherSettings(line: 7))
    }
}
