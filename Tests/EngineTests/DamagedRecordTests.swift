import Encodings
import Rules
import Testing

@testable import Engine

/// What is read of a ledger may be anything.
struct `A damaged record` {
    @Test(arguments: [UInt64.max, 1 << 63, 10_000])
    func `of a finding is one of some rule`(rule: UInt64) {
        var record = RecordWriter()
        record.leading("device:1")
        record.text("evidence")
        record.byte(1)
        record.number(rule)
        record.endLeading("device:1")
        let row = FindingRecord.row(of: record.bytes.span)
        #expect(RuleBook.ids.contains(row.rule))
        #expect(row.subject == "device:1")
    }
}
