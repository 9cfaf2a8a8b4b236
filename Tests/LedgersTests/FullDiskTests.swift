import Testing

@testable import Ledgers

struct `A full disk` {
    private let place: TestFolder
    private let record = [UInt8](repeating: 1, count: 5000)

    init() throws {
        place = try TestFolder()
        try place.run { try $0.add(claim: 1, record: record.span) }
    }

    @Test func `ends a run, and leaves what was there before`() throws {
        do {
            let ledger = try place.open()
            try ledger.connection.execute("PRAGMA max_page_count=30")
            let full = LedgerError.storage(path: place.ledger, reason: "the disk is full")
            #expect(throws: full) { for id in 2..<1000 { try ledger.add(claim: UInt64(id), record: record.span) } }
            // What was written before may be gone: nothing more is.
            #expect(throws: full) { try ledger.add(observation: 1, claim: 1) }
            #expect(throws: full) { try ledger.commit(.example) }
            #expect(throws: full) { try ledger.publish() }
        }
        let ledger = try place.open()
        #expect(ledger.setAside == nil)
        #expect(try ledger.reader().record(ofClaim: 1)?.record == record)
        #expect(try ledger.reader().record(ofClaim: 2) == nil)
        #expect(try LedgerHistory(place.ledger).runs.count == 1)
    }

    @Test func `is told before anything is committed, not after`() throws {
        let ledger = try place.open()
        #expect(throws: LedgerError.self, "no run is published before it is committed") { try ledger.publish() }
        try ledger.commit(.example)
        #expect(throws: LedgerError.self, "no run goes on after its end") {
            try ledger.add(claim: 2, record: record.span)
        }
    }
}
