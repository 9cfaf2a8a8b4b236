import Encodings
import Ledgers
import Testing

struct `A ledger` {
    private let place: TestFolder
    private let key = [UInt8](repeating: 7, count: 32)
    private let status = [UInt8](repeating: 8, count: 32)

    init() throws { place = try TestFolder() }

    @Test func `is new until a run was committed`() throws {
        #expect(try place.open().isNew)
        try place.run()
        #expect(try !place.open().isNew)
    }

    @Test func `makes the folders it stands in`() throws {
        let path = place.path + "/one/two/state.db"
        _ = try Ledger(path, origin: .example, runAt: .day(1))
        #expect(try LedgerHistory(path).runs.isEmpty)
    }

    @Test func `is its owner's only, with all that goes with it`() throws {
        for count in [2, 3] {
            let ledger = try place.open()
            try ledger.add(claim: 1, record: [1].span)
            let permissions = try place.names().map { try place.permissions($0) }
            #expect(permissions == [Int?](repeating: 0o600, count: count))
            try ledger.commit(.example)
        }
    }

    @Test func `gives back a block by its key and by its status`() throws {
        try place.run { try $0.add(block: key.span, statusKey: status.span, output: [1, 2, 3].span) }
        let reader = try place.open().reader()
        #expect(try reader.block(key: key.span)?.output == [1, 2, 3])
        #expect(try reader.block(statusKey: status.span)?.output == [1, 2, 3])
        #expect(try reader.block(key: status.span)?.output == nil)
        #expect(try reader.block(statusKey: key.span)?.output == nil)
    }

    @Test func `gives back a block under the status that it was last used with`() throws {
        try place.run { try $0.add(block: key.span, statusKey: status.span, output: [1].span) }
        let other = [UInt8](repeating: 9, count: 32)
        try place.run {
            let id = try #require(try $0.reader().block(key: key.span)?.id)
            try $0.use(block: id, statusKey: other.span)
        }
        let reader = try place.open().reader()
        #expect(try reader.block(statusKey: other.span)?.output == [1])
        #expect(try reader.block(statusKey: status.span)?.output == nil)
    }

    @Test func `replaces the output of a block that comes again`() throws {
        try place.run { try $0.add(block: key.span, statusKey: status.span, output: [1].span) }
        try place.run { try $0.add(block: key.span, statusKey: nil, output: [UInt8]().span) }
        let reader = try place.open().reader()
        #expect(try reader.block(statusKey: status.span)?.output == [])
    }

    @Test func `deletes a block that fourteen runs did not use`() throws {
        try place.run { try $0.add(block: key.span, statusKey: nil, output: [1].span) }
        for _ in 1...13 { try place.run() }
        #expect(try place.open().reader().block(key: key.span) != nil)
        try place.run()
        #expect(try place.open().reader().block(key: key.span) == nil)
    }

    @Test func `keeps a block that is used now and then`() throws {
        try place.run { try $0.add(block: key.span, statusKey: nil, output: [1].span) }
        for number in 1...30 {
            try place.run {
                guard number % 10 == 0, let block = try $0.reader().block(key: key.span) else { return }
                try $0.use(block: block.id, statusKey: nil)
            }
        }
        #expect(try place.open().reader().block(key: key.span) != nil)
    }

    @Test func `keeps the first verdict on a signature, and the first record of a claim`() throws {
        for octet: UInt8 in [1, 2] {
            try place.run(on: Int64(octet)) {
                try $0.add(signature: key.span, verdict: [octet].span)
                try $0.add(claim: .max, record: [octet, octet].span)
            }
        }
        let reader = try place.open().reader()
        #expect(try reader.verdict(ofSignature: key.span) == [1])
        let claim = try #require(try reader.record(ofClaim: .max))
        #expect(claim.record == [1, 1])
        #expect(claim.seenAt == .day(1))
        #expect(try reader.record(ofClaim: 0) == nil)
        #expect(try reader.verdict(ofSignature: status.span) == nil)
    }

    @Test func `counts each observation once`() throws {
        for _ in 1...2 {
            try place.run {
                try $0.add(observation: 1, claim: 1)
                try $0.add(observation: 1, claim: .max)
                try $0.add(observation: 1, claim: 1)
            }
        }
        #expect(try place.open().observationCount == 2)
    }

    @Test func `can be read as soon as its first run is committed`() throws {
        let ledger = try place.open()
        try ledger.add(claim: 1, record: [1].span)
        try ledger.commit(.example)
        #expect(try LedgerHistory(place.ledger).runs.map(\.isPublished) == [false])
        try ledger.publish()
        #expect(try LedgerHistory(place.ledger).runs.map(\.isPublished) == [true])
    }

    @Test func `shows its readers what was committed before the run`() throws {
        try place.run()
        let ledger = try place.open()
        let reader = try ledger.reader()
        try ledger.add(claim: 1, record: [1].span)
        #expect(try reader.record(ofClaim: 1) == nil)
        try ledger.commit(.example)
        #expect(try reader.record(ofClaim: 1) == nil)
    }

    @Test func `gives back its runs`() throws {
        try place.run(on: 3)
        try place.run(on: 4, isPublished: false)
        let ledger = try place.open()
        #expect(ledger.lastRun?.asOf == .day(4))
        #expect(ledger.lastRun?.inputs == ["a b", ""])
        let runs = try LedgerHistory(place.ledger).runs
        #expect(runs.map(\.id) == [1, 2])
        #expect(runs.map(\.isPublished) == [true, false])
        #expect(runs.map(\.asOf) == [.day(3), .day(4)])
    }

    @Test func `keeps no log of a run that is over`() throws {
        try place.run { for id in 0..<20_000 { try $0.add(claim: UInt64(id), record: key.span) } }
        #expect(try place.names() == ["state.db"])
    }
}
