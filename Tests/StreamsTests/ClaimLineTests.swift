import Checks
import Encodings
import Engine
import Files
import Rules
import Testing

@testable import Streams

struct `What findings make of a claim` {
    private static let place = ClaimPlace(input: 0, line: 4)

    @Test func `is read as it was written`() throws {
        let id = FindingID(high: 0x0123_4567_89ab_cdef, low: 7)
        let mark = Mark(finding: id, rule: RuleBook.ids.count - 1, severity: .critical)
        let line = WrittenLine { ClaimLine.write(mark, on: Self.place, to: &$0) }
        #expect(line.key == "c04")
        guard case .mark(let found) = try line.read({ try ClaimLine(at: Self.place, &$0) }) else {
            Issue.record("it is read as a row")
            return
        }
        #expect(found == mark)
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
        #expect(LineFault.otherVersion.error(at: 7).description.contains("another version"))
        #expect(LineFault.otherSettings.error(at: 7) == .otherSettings(line: 7))
    }
}
