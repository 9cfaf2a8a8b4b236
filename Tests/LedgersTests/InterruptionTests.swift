import Encodings
import Engine
import FoundationEssentials
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

    @Test func `leaves what was there before, however much it had written`() throws {
        let ledger = try place.open()
        try sample.add(1, to: ledger)
        // More than there is memory for.
        let output = [UInt8](repeating: 1, count: 40 << 20)
        try ledger.put(claim: 2, output)
        try copy()
        #expect(try rest.names().contains("state.db-wal"))
        let next = try rest.open()
        #expect(next.setAside == nil)
        #expect(try next.reader().keyCount() == 40)
        #expect(try next.reader().record(ofClaim: 2) == nil)
        try next.commit(.example)
        #expect(try LedgerHealth(of: rest.ledger).isIntact)
        try ledger.commit(.example)
    }

    @Test func `leaves an empty ledger if it is the first, however much it had written`() throws {
        let first = try TestFolder()
        let ledger = try first.open()
        try sample.add(1, to: ledger)
        let output = [UInt8](repeating: 1, count: 40 << 20)
        try ledger.put(claim: 2, output)
        try copy(first)
        #expect(try rest.names() == ["state.db", "state.db-journal"])
        #expect(try rest.bytes.count > 1 << 20)
        let next = try rest.open()
        #expect(next.setAside == nil && next.isEmpty)
        try sample.add(2, to: next)
        try next.commit(.example)
        #expect(try LedgerHealth(of: rest.ledger).isIntact)
        #expect(try LedgerReader(rest.ledger).record(ofClaim: 2) == nil)
        try ledger.commit(.example)
    }

    @Test func `after it was committed, is there`() throws {
        try commitIntoLog()
        let next = try rest.open()
        #expect(next.setAside == nil)
        #expect(try next.reader().keyCount() == 80)
        #expect(try LedgerHistory(rest.ledger).runs.map(\.isPublished) == [true, false])
    }

    @Test func `gives back nothing but what was written, if its log is damaged`() throws {
        try commitIntoLog()
        let log = Array(try Data(contentsOf: URL(filePath: rest.ledger + "-wal")))
        let bytes = try rest.bytes
        var numbers = Numbers(seed: 2)
        for _ in 0..<50 {
            let other = try TestFolder()
            var damaged = log
            if numbers.next(below: 3) == 0 {
                damaged.removeLast(1 + numbers.next(below: log.count - 1))
            } else {
                damaged[numbers.next(below: log.count)] ^= 1 << UInt8(numbers.next(below: 8))
            }
            try other.write(bytes)
            try Data(damaged).write(to: URL(filePath: other.ledger + "-wal"))
            do {
                let next = try Ledger(other.ledger, origin: .example, runAt: .day(3))
                try sample.check(try next.reader())
                try sample.add(2, to: next)
                try next.commit(.example)
            } catch {
                #expect((error as? LedgerError)?.isDamage == true, "\(error)")
            }
        }
    }

    /// Commits a second run. None of it is in the file itself yet.
    private func commitIntoLog() throws {
        let ledger = try place.open()
        let reader = try ledger.reader()
        try sample.add(1, to: ledger)
        try ledger.commit(.at(.day(2)))
        try copy()
        _ = try reader.claims(0)
    }

    private func copy(_ other: TestFolder? = nil) throws {
        let place = other ?? place
        for name in try place.names() where !name.hasSuffix("-shm") {
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
        #expect(ledger.setAside == nil)
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
