import Encodings
import Engine
import FoundationEssentials
import Ledgers
import Testing

struct `Forgetting` {
    private let place: TestFolder

    init() throws {
        place = try TestFolder()
        for day in 1...3 {
            try place.run(on: Int64(day)) { ledger in
                let mark = Self.mark(day)
                for claim in 0..<1000 {
                    try ledger.put(claim: UInt64(1000 * day + claim), Array("\(mark) \(claim)".utf8))
                }
                for key in 0..<10 {
                    try ledger.put(EarlierKey(hash: UInt64(key), claim: UInt64(1000 * day + key)))
                }
                try ledger.record("rule", ExactText(mark))
                try ledger.record("rule", "lasting", evidence: "with \(mark)")
            }
        }
    }

    @Test func `leaves no byte of a claim or a subject in the file`() throws {
        let size = try place.bytes.count
        var what = LedgerDeletion()
        what.claims = (2000..<3000).map { UInt64($0) }
        what.subjects = [ExactText(Self.mark(2))]
        let forgotten = try #require(try Ledger.forget(what, in: place.ledger))
        #expect(forgotten.claims == 1000)
        #expect(forgotten.observations == 10)
        #expect(forgotten.findings == 1)
        #expect(try place.bytes.count < size)
        #expect(try count(of: Self.mark(2)) == 0)
        #expect(try count(of: Self.mark(1)) > 1000)
        let ledger = try place.open()
        #expect(try ledger.reader().claims(3) == [1003, 3003])
        #expect(try LedgerHealth(of: place.ledger).isIntact)
    }

    @Test func `leaves nothing of what was recorded before a time`() throws {
        var what = LedgerDeletion()
        what.before = .day(3)
        let forgotten = try #require(try Ledger.forget(what, in: place.ledger))
        #expect(forgotten.claims == 2000)
        #expect(forgotten.observations == 20)
        #expect(forgotten.findings == 2)
        #expect(forgotten.runs == 2)
        #expect(try count(of: Self.mark(1)) == 0)
        #expect(try count(of: Self.mark(2)) == 0)
        #expect(try count(of: "lasting") == 1)
        #expect(try place.names() == ["state.db", "state.db.previous"])
        #expect(try place.open().lastRun?.id == 3)
        try place.run(on: 4) {
            let noted = try $0.record("rule", "lasting")
            #expect(noted.firstSeen == .day(1))
            #expect(noted.isNew == false)
        }
        #expect(try LedgerHistory(place.ledger).runs.map(\.id) == [3, 4])
    }

    @Test func `leaves nothing of a doubtful run before a time`() throws {
        try place.run(on: 4) { ledger in
            ledger.doubt = RunDoubt(isAboutAll: true)
            try ledger.record("rule", ExactText(Self.mark(4)))
        }
        var what = LedgerDeletion()
        what.before = .day(4)
        _ = try Ledger.forget(what, in: place.ledger)
        #expect(try count(of: Self.mark(4)) == 1)
        what.before = .day(5)
        let forgotten = try #require(try Ledger.forget(what, in: place.ledger))
        #expect(forgotten.findings == 1 && forgotten.runs == 1)
        #expect(try count(of: Self.mark(4)) == 0)
    }

    @Test func `leaves no evidence, which may name what is forgotten, and a next run writes it again`() throws {
        var what = LedgerDeletion()
        what.subjects = [ExactText(Self.mark(2))]
        _ = try Ledger.forget(what, in: place.ledger)
        let left = try LedgerHistory(place.ledger).changes(from: 1, to: 3)
        #expect(left.persisting.map(\.evidence) == [""] && left.new.map(\.evidence) == [""])
        #expect(try LedgerHealth(of: place.ledger).isIntact)
        try place.run(on: 4) { try $0.record("rule", "lasting", evidence: "again") }
        #expect(try LedgerHistory(place.ledger).changes(from: 3, to: 4).persisting.map(\.evidence) == ["again"])
    }

    @Test func `leaves nothing in the ledger before it, either`() throws {
        try place.write(Array(Self.mark(2).utf8), to: "state.db.damaged")
        #expect(try place.bytes(of: "state.db.previous").firstRange(of: Array(Self.mark(2).utf8)) != nil)
        var what = LedgerDeletion()
        what.claims = (2000..<3000).map { UInt64($0) }
        what.subjects = [ExactText(Self.mark(2))]
        _ = try Ledger.forget(what, in: place.ledger)
        #expect(try place.names() == ["state.db", "state.db.previous"])
        #expect(try place.bytes(of: "state.db.previous") == place.bytes)
    }

    @Test func `changes nothing if there is nothing to forget`() throws {
        var what = LedgerDeletion()
        what.claims = [7]
        #expect(try Ledger.forget(what, in: place.ledger) == nil)
        #expect(try LedgerHistory(place.ledger).changes(from: 1, to: 3).persisting.map(\.evidence) != [""])
    }

    @Test func `creates no ledger`() throws {
        #expect(throws: LedgerError.self) { try Ledger.forget(LedgerDeletion(), in: place.path + "/other.db") }
        #expect(try place.names() == ["state.db", "state.db.previous"])
    }

    @Test func `waits for nobody`() throws {
        let ledger = try place.open()
        #expect(throws: LedgerError.busy(path: place.ledger)) {
            try Ledger.forget(LedgerDeletion(), in: place.ledger)
        }
        try ledger.end()
    }

    private static func mark(_ day: Int) -> String { "what was written on day \(day)" }

    private func count(of text: String) throws -> Int {
        String(decoding: try place.bytes, as: UTF8.self).split(separator: text, omittingEmptySubsequences: false).count
            - 1
    }
}
