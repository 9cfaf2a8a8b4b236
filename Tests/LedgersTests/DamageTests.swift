import Corpus
import Encodings
import Engine
import Testing

@testable import Ledgers

struct `A damaged ledger` {
    static let count = Exhaustive.isOn ? 1000 : 120

    private let place: TestFolder
    private let sample: Sample

    init() throws {
        place = try TestFolder()
        sample = Sample()
        for part in 0..<3 { try place.run(on: Int64(part + 1)) { try sample.add(part, to: $0) } }
    }

    @Test func `never gives back anything but what was written, and can be written to`() throws {
        let bytes = try place.bytes
        var numbers = Numbers(seed: 14)
        var outcomes: [String: Int] = [:]
        for _ in 0..<Self.count {
            let place = try TestFolder()
            try place.write(Self.damaged(bytes, &numbers))
            outcomes[try outcome(place), default: 0] += 1
        }
        // Each outcome occurred; a ledger is refused as another program's file only where a few bytes are hit.
        (outcomes["refused"], outcomes["damaged"]) = (nil, nil)
        #expect(Set(outcomes.keys) == ["set aside", "usable", "usable with losses"], "\(outcomes)")
    }

    /// SQLite's magic, and the versions of the format with which SQLite writes and reads it.
    @Test(arguments: [3, 18, 19]) func `is set aside if its beginning is not what it was, and made anew`(at: Int) throws
    {
        var bytes = try place.bytes
        bytes[at] ^= 4
        try place.write(bytes)
        let ledger = try place.open()
        #expect(ledger.setAside?.contains("was set aside as \(place.ledger).damaged, and") == true)
        #expect(try place.names().contains("state.db.damaged"))
    }

    @Test func `is set aside, and nothing of what lay beside it is left beside the new one`() throws {
        var bytes = try place.bytes
        bytes[3] ^= 4
        try place.write(bytes)
        let suffixes = ["-journal", "-shm", "-wal"]
        for suffix in suffixes { try place.write([1, 2, 3], to: "state.db" + suffix) }
        do { #expect(try place.open().setAside != nil) }
        #expect(try place.names() == ["state.db", "state.db.damaged"], "SQLite takes up what lies beside a ledger")
    }

    @Test func `is set aside if its tables are not consistent`() throws {
        let bytes = try place.bytes
        try place.write(Array(bytes[..<(bytes.count / 2)]))
        #expect(try place.open().setAside != nil)
    }

    @Test func `is set aside if it has other tables`() throws {
        try place.execute("CREATE TRIGGER t AFTER INSERT ON claim BEGIN DELETE FROM observation; END")
        #expect(try place.open().setAside?.contains("its tables were changed") == true)
    }

    @Test(arguments: [
        ("UPDATE claim SET record=X'00' WHERE id=(SELECT min(id) FROM claim)", "1 claim"),
        ("UPDATE claim SET run=2 WHERE run=1", "20 claims"),
        ("UPDATE statement SET record=X'00' WHERE id<3", "2 statements"),
        ("UPDATE statement SET claim=claim-1 WHERE id=1", "1 statement"),
        ("UPDATE finding SET record=X'00' WHERE subject='subject 7'", "1 finding"),
        ("UPDATE run SET record=X'00' WHERE id=2", "1 run"),
        ("UPDATE observation SET checksum=checksum+1 WHERE key=(SELECT min(key) FROM observation)", "2 observations"),
    ])
    func `loses the rows that are not what they were, says which, and no others`(change: String, lost: String) throws {
        try place.execute(change)
        #expect(try !LedgerHealth(of: place.ledger).isIntact)
        try place.run(on: 4) { ledger in
            let reader = try ledger.reader()
            for id in sample.claims.keys { _ = try reader.record(ofClaim: id) }
            _ = try reader.statements()
            for key in sample.observations.keys.sorted() { _ = try reader.claims(key) }
            for number in 0..<30 { try ledger.record("rule", "subject \(number)") }
        }
        #expect(try LedgerHistory(place.ledger).runs.last?.lost == lost)
        let health = try LedgerHealth(of: place.ledger)
        #expect(health.isIntact, "the rows are gone: \(health)")
        try place.run(on: 5)
        #expect(try LedgerHistory(place.ledger).runs.last?.lost == "", "it is told once")
    }

    @Test(arguments: [
        ("claim", "id=(SELECT min(id) FROM claim)", "1 claim"), ("statement", "id=1", "1 statement"),
        ("finding", "subject='subject 7'", "1 finding"),
    ])
    func `loses a row that the next run does not read, too`(table: String, row: String, lost: String) throws {
        try place.execute("UPDATE \(table) SET record=X'00' WHERE \(row)")
        try place.run(on: 4)
        #expect(try LedgerHistory(place.ledger).runs.last?.lost == lost)
        #expect(try LedgerHealth(of: place.ledger).isIntact)
    }

    /// What no export can restore.
    private func checkLasting(_ place: TestFolder) throws {
        let history = try LedgerHistory(place.ledger)
        #expect(try history.reviews().map(\.decision.note) == ["seen", "seen again"])
        #expect(history.runs.prefix(3).map(\.asOf) == [.day(1), .day(2), .day(3)])
        let found = try history.changes(from: 1, to: 3).persisting
        #expect(found.count == 30 && found.allSatisfy { $0.firstSeen == .day(1) })
    }

    private func review() throws {
        var decision = ReviewDecision(.ok, at: Instant(seconds: 5), by: "anna")
        for note in ["seen", "seen again"] {
            decision.note = note
            _ = try Ledger.review([(.init(rule: "rule", subject: "subject 3"), decision)], in: place.ledger)
        }
    }

    @Test func `keeps reviews, runs and the dates of findings, whichever bit is flipped`() throws {
        try review()
        let bytes = try place.bytes
        var numbers = Numbers(seed: 4)
        for _ in 0..<Self.count {
            var damaged = bytes
            damaged[100 + numbers.next(below: bytes.count - 100)] ^= 1 << UInt8(numbers.next(below: 8))
            let place = try TestFolder()
            try place.write(damaged)
            var seen: [Instant] = []
            try place.run(on: 4) { ledger in
                seen = try (0..<30).map { try ledger.record("rule", "subject \($0)").firstSeen }
            }
            #expect(seen.allSatisfy { $0 == .day(1) })
            try checkLasting(place)
            #expect(try LedgerHistory(place.ledger).runs.map(\.id).last ?? 0 >= 4, "no number is used twice")
        }
    }

    @Test func `says in the history that rows were lost when a new one was made of it`() throws {
        var bytes = try place.bytes
        let claims = try root(of: "claim")
        for index in 0..<8192 { bytes[(Int(claims) - 1) * 8192 + index] = 0 }
        try place.write(bytes)
        do {
            let ledger = try place.open(runAt: .day(4))
            #expect(ledger.hasLostRows && ledger.setAside != nil)
        }
        let failures = try LedgerHistory(place.ledger).failures
        #expect(failures.count == 1 && failures.first?.reason.contains("0 claims (others may be lost)") == true)
        #expect(try !place.open(runAt: .day(5)).hasLostRows, "it is told once")
    }

    @Test func `that a killed run had begun to make is a new one`() throws {
        for content in [Array(try place.bytes[..<0]), try blank()] {
            let other = try TestFolder()
            try other.write(content)
            let ledger = try other.open()
            #expect(ledger.isEmpty && !ledger.hasLostRows)
        }
    }

    /// The number of the first page of a table.
    private func root(of table: String) throws -> Int64 {
        let connection = try Connection(place.ledger, name: "", .reading)
        return try #require(try connection.number("SELECT rootpage FROM sqlite_master WHERE name='\(table)'"))
    }

    /// A database without a table.
    private func blank() throws -> [UInt8] {
        let other = try TestFolder()
        try other.write([])
        try other.execute("PRAGMA application_id=\(0x4152_4c67)")
        return try other.bytes
    }

    /// Of each page, whatever it holds.
    @Test func `keeps reviews, runs and the dates of findings, whichever page is damaged`() throws {
        try review()
        let bytes = try place.bytes
        var numbers = Numbers(seed: 3)
        for page in 0..<bytes.count / 8192 {
            for isGarbage in [true, false] {
                var damaged = bytes
                let garbage = isGarbage ? numbers.bytes(8192) : [UInt8](repeating: 0, count: 8192)
                // The first bytes tell a ledger from another program's file.
                for index in (page == 0 ? 100 : 0)..<8192 { damaged[page * 8192 + index] = garbage[index] }
                let place = try TestFolder()
                try place.write(damaged)
                do { _ = try place.open(runAt: .day(4)) }
                try checkLasting(place)
            }
        }
    }

    @Test func `is sound before that`() throws {
        let health = try LedgerHealth(of: place.ledger)
        #expect(health.isIntact, "\(health)")
        #expect(health.tables.map(\.rows) == [3, 60, 120, 60, 30, 0])
        #expect(health.lastRun?.asOf == .day(3))
    }

    /// What came of opening, reading all and writing.
    private func outcome(_ place: TestFolder) throws -> String {
        do {
            _ = try? LedgerHealth(of: place.ledger)
            let (wasSetAside, lost) = try readAndWrite(place)
            let written = try Ledger(place.ledger, origin: .example, runAt: .day(10)).reader()
            try sample.check(written)
            _ = try LedgerHistory(place.ledger).changes(from: 1, to: 2)
            return wasSetAside ? "set aside" : lost.isEmpty ? "usable" : "usable with losses"
        } catch let error as LedgerError {
            switch error {
            case .damaged: return "damaged"
            case .foreign: return "refused"
            default:
                Issue.record("\(error)")
                return "otherwise"
            }
        }
    }

    /// Reads all that is there, and writes what is not.
    ///
    /// - Returns: whether it was set aside, and what was lost.
    private func readAndWrite(_ place: TestFolder) throws -> (wasSetAside: Bool, lost: String) {
        let ledger = try Ledger(place.ledger, origin: .example, runAt: .day(9))
        if !ledger.isEmpty { try sample.check(ledger.reader()) }
        for part in 0..<3 { try sample.add(part, to: ledger) }
        try ledger.commit(.at(.day(9)))
        try ledger.publish()
        return (ledger.setAside != nil, ledger.lost)
    }

    private static func damaged(_ good: [UInt8], _ numbers: inout Numbers) -> [UInt8] {
        var bytes = good
        switch numbers.next(below: 5) {
        case 0: bytes.removeLast(1 + numbers.next(below: bytes.count - 1))
        case 1:
            let page = 8192 * numbers.next(below: bytes.count / 8192)
            let garbage = numbers.bytes(8192)
            for index in 0..<8192 { bytes[page + index] = garbage[index] }
        case 2:
            // Near the beginning, where a page says what is in it.
            for _ in 0...numbers.next(below: 4) {
                let place = 8192 * numbers.next(below: bytes.count / 8192) + numbers.next(below: 64)
                bytes[place] ^= 1 << UInt8(numbers.next(below: 8))
            }
        default:
            for _ in 0...numbers.next(below: 3) {
                bytes[numbers.next(below: bytes.count)] ^= 1 << UInt8(numbers.next(below: 8))
            }
        }
        return bytes
    }
}

extension LedgerError {
    var isDamage: Bool {
        guard case .damaged = self else { return false }
        return true
    }
}
