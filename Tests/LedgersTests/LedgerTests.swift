import Corpus
import Encodings
import Engine
import Ledgers
import Testing

struct `A ledger` {
    private let place: TestFolder
    private let key = [UInt8](repeating: 7, count: 32)

    init() throws { place = try TestFolder() }

    @Test func `is new until a run was committed`() throws {
        #expect(try place.open().isEmpty)
        try place.run()
        #expect(try !place.open().isEmpty)
    }

    @Test func `makes the folders it stands in`() throws {
        let path = place.path + "/one/two/state.db"
        try Ledger(path, origin: .example, runAt: .day(1)).end()
        #expect(try LedgerHistory(path).runs.count == 1)
    }

    @Test func `is its owner's only, with all that goes with it`() throws {
        for count in [1, 2] {
            let ledger = try place.open()
            try ledger.put(claim: 1, [1])
            try ledger.end()
            let permissions = try place.names().map { try place.permissions($0) }
            #expect(permissions == [Int?](repeating: 0o600, count: count))
        }
    }

    @Test func `keeps the first record of a claim`() throws {
        for octet: UInt8 in [1, 2] {
            try place.run(on: Int64(octet)) { try $0.put(claim: .max, [octet, octet]) }
        }
        let reader = try place.open().reader()
        let claim = try #require(try reader.record(ofClaim: .max))
        #expect(claim.record == [1, 1])
        #expect(claim.seenAt == .day(1))
        #expect(try reader.record(ofClaim: 0) == nil)
    }

    @Test func `has each key of a claim once`() throws {
        for _ in 1...2 {
            try place.run {
                for claim: UInt64 in [1, .max, 1] { try $0.put(EarlierKey(hash: 1, claim: claim)) }
            }
        }
        #expect(try place.open().reader().claims(1) == [1, .max])
    }

    @Test(arguments: [1, 7, 40, 1000])
    func `finds keys in their order, near ones and far ones`(step: Int) throws {
        var numbers = Seeded(state: UInt64(step))
        let keys = (0..<3000).map { _ in EarlierKey(hash: (numbers.next() >> 50) << 50, claim: numbers.next()) }
        try place.run { ledger in for key in keys { try ledger.put(key) } }
        let expected = Dictionary(grouping: keys, by: \.hash).mapValues { $0.map(\.claim).sorted() }
        let reader = try place.open().reader()
        let hashes = expected.keys.sorted()
        for hash in stride(from: 0, to: hashes.count, by: step).map({ hashes[$0] }) + hashes.reversed() {
            try reader.seek(hash &- 1)
            #expect(try reader.claims(hash) == expected[hash])
        }
        try reader.seek(.max)
        #expect(reader.key == nil)
    }

    @Test func `never uses the number of a run again`() throws {
        for day: Int64 in 1...3 { try place.run(on: day) }
        var what = LedgerDeletion()
        what.before = .day(9)
        _ = try Ledger.forget(what, in: place.ledger)
        try place.run(on: 10)
        #expect(try LedgerHistory(place.ledger).runs.map(\.id) == [4])
    }

    @Test func `is there as soon as its run is published`() throws {
        let ledger = try place.open()
        try ledger.put(claim: 1, [1])
        try ledger.commit(.example)
        #expect(throws: LedgerError.self) { try LedgerHistory(place.ledger) }
        try ledger.publish()
        #expect(try LedgerHistory(place.ledger).runs.count == 1)
    }

    @Test func `shows its readers what was committed before the run`() throws {
        try place.run()
        let ledger = try place.open()
        let reader = try ledger.reader()
        try ledger.put(claim: 1, [1])
        #expect(try reader.record(ofClaim: 1) == nil)
        try ledger.end()
        #expect(try reader.record(ofClaim: 1) == nil)
    }

    @Test func `gives back its runs`() throws {
        try place.run(on: 3)
        try place.run(on: 4)
        let ledger = try place.open()
        #expect(ledger.lastRun?.asOf == .day(4))
        #expect(ledger.lastRun?.inputs == ["a b", ""])
        let runs = try LedgerHistory(place.ledger).runs
        #expect(runs.map(\.id) == [1, 2])
        #expect(runs.map(\.asOf) == [.day(3), .day(4)])
    }

    @Test func `keeps nothing else of a run that is over`() throws {
        try place.run { for id in 0..<20_000 { try $0.put(claim: UInt64(id), key) } }
        #expect(try place.names() == ["state.db"])
        do { _ = try Ledger(place.path + "/other.db", origin: .example, runAt: .day(1)) }
        #expect(try place.names() == ["state.db"], "a run that does not end leaves none")
    }
}
