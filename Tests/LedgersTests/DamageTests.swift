import Corpus
import Encodings
import Ledgers
import Testing

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
        let fewTiers = try place.bytes
        for day in 4...8 { try place.run(on: Int64(day)) { try sample.addOther(day, to: $0) } }
        // The next run merges them.
        let manyTiers = try place.bytes
        var numbers = Numbers(seed: 14)
        var outcomes: [String: Int] = [:]
        for number in 0..<Self.count {
            let place = try TestFolder()
            try place.write(Self.damaged(number.isMultiple(of: 2) ? fewTiers : manyTiers, &numbers))
            outcomes[try outcome(place), default: 0] += 1
        }
        // Each outcome occurred; a ledger is refused as another program's file only where a few octets are hit.
        outcomes["refused"] = nil
        #expect(Set(outcomes.keys) == ["set aside", "damaged", "usable"], "\(outcomes)")
    }

    /// SQLite's magic, and the versions of the format with which SQLite writes and reads it.
    @Test(arguments: [3, 18, 19]) func `is set aside if its beginning is not what it was, and made anew`(at: Int) throws
    {
        var bytes = try place.bytes
        bytes[at] ^= 4
        try place.write(bytes)
        let ledger = try place.open()
        #expect(ledger.isNew)
        #expect(ledger.setAside?.contains("was set aside as \(place.ledger).damaged.") == true)
        #expect(try place.names().contains("state.db.damaged"))
    }

    @Test func `is set aside with all that lies beside it`() throws {
        var bytes = try place.bytes
        bytes[3] ^= 4
        try place.write(bytes)
        let suffixes = ["-journal", "-shm", "-wal"]
        for suffix in suffixes { try place.write([1, 2, 3], to: "state.db" + suffix) }
        do { #expect(try place.open().isNew) }
        #expect(try place.names() == ["state.db", "state.db.damaged"] + suffixes.map { "state.db.damaged" + $0 })
    }

    @Test func `is set aside if its tables are not consistent`() throws {
        let bytes = try place.bytes
        try place.write(Array(bytes[..<(bytes.count / 2)]))
        let ledger = try place.open()
        #expect(ledger.isNew)
        #expect(ledger.setAside != nil)
    }

    @Test func `is set aside if it has other tables`() throws {
        try place.execute("CREATE TRIGGER t AFTER INSERT ON claim BEGIN DELETE FROM observation; END")
        #expect(try place.open().setAside?.contains("its tables were changed") == true)
    }

    @Test func `is taken as if a block or a signature whose row is not what it was were not there`() throws {
        try place.execute(
            "UPDATE block_output SET output=X'00'; UPDATE signature SET verdict=X'00' WHERE verdict<>X'00'")
        do {
            let reader = try place.open().reader()
            #expect(try sample.blocks.allSatisfy { try reader.block(key: $0.key.span) == nil })
            #expect(try sample.signatures.allSatisfy { try reader.verdict(ofSignature: $0.key.span) == nil })
        }
        try place.run { ledger in for part in 0..<3 { try sample.add(part, to: ledger) } }
        let reader = try place.open().reader()
        #expect(try sample.blocks.allSatisfy { try reader.block(key: $0.key.span)?.output == $0.value })
        #expect(try sample.signatures.allSatisfy { try reader.verdict(ofSignature: $0.key.span) == $0.value })
    }

    @Test(arguments: [
        "UPDATE claim SET record=X'00'", "UPDATE claim SET run=2", "UPDATE observation SET claim=claim-1",
        "UPDATE statement SET record=X'00'", "UPDATE statement SET claim=claim-1",
    ])
    func `says so if a claim, an observation or a statement is not what it was`(change: String) throws {
        try place.execute(change)
        let reader = try place.open().reader()
        let error = #expect(throws: LedgerError.self) {
            for (id, _) in sample.claims { _ = try reader.record(ofClaim: id) }
            for (key, _) in sample.observations { _ = try reader.claims(key) }
            _ = try reader.statements()
        }
        #expect(error?.isDamage == true)
        #expect(try !LedgerHealth(of: place.ledger).isIntact)
    }

    @Test(arguments: ["last_run", "observations", "trust_anchors"])
    func `is not sound if a single value is not what it was`(name: String) throws {
        try place.execute("UPDATE meta SET value=X'0000000000000000' WHERE name='\(name)'")
        let health = try LedgerHealth(of: place.ledger)
        #expect(health.tables.first { $0.name == "values" }?.damaged == 1)
    }

    @Test func `is sound before that`() throws {
        let health = try LedgerHealth(of: place.ledger)
        #expect(health.isIntact, "\(health)")
        #expect(health.tables.map(\.rows) == [7, 3, 9, 60, 60, 120, 60, 30, 0, 0, 0])
        #expect(health.lastRun?.asOf == .day(3))
    }

    /// What came of opening, reading all and writing.
    private func outcome(_ place: TestFolder) throws -> String {
        do throws(LedgerError) {
            _ = try? LedgerHealth(of: place.ledger)
            let hasBegunAnew = try readAndWrite(place)
            let written = try Ledger(place.ledger, origin: .example, runAt: .day(10)).reader()
            for (key, output) in sample.blocks {
                let found = try written.block(key: key.span)?.output
                #expect(found == output)
            }
            let history = try LedgerHistory(place.ledger)
            _ = try history.changes(from: 1, to: 2)
            return hasBegunAnew ? "set aside" : "usable"
        } catch {
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
    /// - Returns: whether it had to be begun anew.
    private func readAndWrite(_ place: TestFolder) throws(LedgerError) -> Bool {
        let ledger = try Ledger(place.ledger, origin: .example, runAt: .day(9))
        let hasBegunAnew = ledger.setAside != nil
        #expect(hasBegunAnew == ledger.isNew)
        if !hasBegunAnew { try sample.check(ledger.reader()) }
        for part in 0..<3 { try sample.add(part, to: ledger) }
        try ledger.commit(.at(.day(9)))
        try ledger.publish()
        return hasBegunAnew
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
