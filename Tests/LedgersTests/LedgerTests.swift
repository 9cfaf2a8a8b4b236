import Encodings
import Ledgers
import Testing

struct `A ledger` {
    @Test func `gives back what an earlier run added`() throws {
        let place = try TestFolder()
        let key = [UInt8](repeating: 7, count: 32)
        let first = try place.open()
        #expect(first.isNew)
        try first.add(block: key.span, statusKey: key.span, output: [1, 2, 3].span)
        try first.add(container: key.span, verdict: [4].span)
        try first.add(claim: .max, record: [5].span)
        try first.add(sighting: 3, claim: .max)
        try first.add(sighting: 3, claim: 1)
        _ = try first.note(finding: "rule", subject: "subject", severity: 2)
        try first.commit(.example)
        #expect(first.setAside == nil)
    }
}
