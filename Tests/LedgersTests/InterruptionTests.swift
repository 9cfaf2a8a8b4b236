import Encodings
import Engine
import FoundationEssentials
import SQLite
import Testing

@testable import Ledgers

struct `A run that is killed` {
    private let place: TestFolder
    /// What is on disk when it is killed.
    private let rest: TestFolder
    private let sample = Sample()

    init() throws {
        place = try TestFolder()
        rest = try TestFolder()
        try place.run { try sample.add(0, to: $0) }
    }

    /// At an instant: while it writes more than there is memory for, and when it has committed.
    @Test(arguments: [false, true]) func `leaves what was there before`(isCommitted: Bool) throws {
        let ledger = try place.open()
        try sample.add(1, to: ledger)
        try ledger.put(claim: 2, [UInt8](repeating: 1, count: 40 << 20))
        if isCommitted { try ledger.commit(.at(.day(2))) }
        try copy()
        let next = try rest.open()
        #expect(next.restored == nil)
        #expect(try next.reader().keyCount() == 40)
        #expect(try next.reader().record(ofClaim: 2) == nil)
        try next.end()
        #expect(try LedgerHealth(of: rest.ledger).isIntact)
        #expect(try LedgerHistory(rest.ledger).runs.count == 2)
    }

    @Test func `leaves an empty ledger if it is the first, however much it had written`() throws {
        let first = try TestFolder()
        let ledger = try first.open()
        try sample.add(1, to: ledger)
        try ledger.put(claim: 2, [UInt8](repeating: 1, count: 40 << 20))
        try copy(first)
        #expect(try rest.bytes.isEmpty)
        let next = try rest.open()
        #expect(next.restored == nil && next.wasEmpty != nil && next.isEmpty)
        try sample.add(2, to: next)
        try next.end()
        #expect(try LedgerHealth(of: rest.ledger).isIntact)
        #expect(try LedgerReader(rest.ledger).record(ofClaim: 2) == nil)
    }

    @Test func `while it takes the place of the one before, leaves a whole one`() throws {
        let before = try place.bytes
        try place.run(on: 2) { try sample.add(1, to: $0) }
        // The old one still has the name of the new one's copy.
        try rest.write(place.bytes)
        try rest.write(before, to: ".state.db.audit-AbCdEf")
        try rest.run(on: 3) { ledger in
            #expect(ledger.restored == nil && ledger.lastRun?.asOf == .day(2))
            let count = try ledger.reader().keyCount()
            #expect(count == 80)
        }
        #expect(try LedgerHistory(rest.ledger).runs.count == 3)
        #expect(try rest.names() == ["state.db", "state.db.previous"], "a killed run's copy is removed")
    }

    private func copy(_ other: TestFolder? = nil) throws {
        let place = other ?? place
        for name in try place.names() {
            let bytes = try Data(contentsOf: URL(filePath: place.path + "/" + name))
            try bytes.write(to: URL(filePath: rest.path + "/" + name))
        }
    }
}

extension HistoryReader {
    fileprivate func keyCount() throws -> Int {
        var count = 0
        try seek(0)
        while key != nil {
            count += 1
            try next()
        }
        return count
    }
}

struct `A full disk` {
    private let place: TestFolder
    private let record = [UInt8](repeating: 1, count: 5000)

    init() throws {
        place = try TestFolder()
        try place.run { try $0.put(claim: 1, record) }
    }

    @Test func `ends a run, and leaves what was there before`() throws {
        do {
            let ledger = try place.open()
            try ledger.connection.execute("PRAGMA max_page_count=30")
            let full = LedgerError.storage(path: place.ledger, reason: "the disk is full")
            #expect(throws: full) { for id in 2..<1000 { try ledger.put(claim: UInt64(id), record) } }
            // What was written before may be gone: nothing more is.
            #expect(throws: full) { try ledger.put(EarlierKey(hash: 1, claim: 1)) }
            #expect(throws: full) { try ledger.commit(.example) }
            #expect(throws: full) { try ledger.publish() }
        }
        let ledger = try place.open()
        #expect(ledger.restored == nil)
        #expect(try ledger.reader().record(ofClaim: 1)?.record == record)
        #expect(try ledger.reader().record(ofClaim: 2) == nil)
        #expect(try LedgerHistory(place.ledger).runs.count == 1)
    }

    @Test func `aside, a run writes before its commit and is published after it`() throws {
        let ledger = try place.open()
        #expect(throws: LedgerError.self, "no run is published before it is committed") { try ledger.publish() }
        try ledger.commit(.example)
        #expect(throws: LedgerError.self, "no run goes on after its end") {
            try ledger.put(claim: 2, record)
        }
    }
}
