import Corpus
import Encodings
import Engine
import FoundationEssentials
import Testing

@testable import Ledgers

struct `A damaged ledger` {
    private static let flips = Exhaustive.isOn ? 2000 : 200

    private let place: TestFolder
    private let sample = Sample()
    /// The bytes of the ledger after its third run, and of the one before.
    private let sound: [UInt8]
    private let previous: [UInt8]

    init() throws {
        let (place, sample) = (try TestFolder(), sample)
        for part in 0..<2 { try place.run(on: Int64(part + 1)) { try sample.add(part, to: $0) } }
        _ = try Ledger.review(
            [(.init(rule: "rule", subject: "subject 3"), ReviewDecision(.ok, at: .day(2), by: "anna"))],
            in: place.ledger)
        try place.run(on: 3) { try sample.add(2, to: $0) }
        self.place = place
        (sound, previous) = (try place.bytes, try place.bytes(of: "state.db.previous"))
    }

    /// A folder with these files in the ledger's and the previous one's place.
    private func folder(_ ledger: [UInt8], _ previous: [UInt8]? = nil) throws -> TestFolder {
        let other = try TestFolder()
        try other.write(ledger)
        try other.write(previous ?? self.previous, to: "state.db.previous")
        return other
    }

    /// Checks that a run sees the damage and goes on from the previous ledger, as it was, and that all others refuse it.
    private func check(_ damaged: [UInt8], _ what: Comment) throws {
        let place = try folder(damaged)
        #expect(throws: LedgerError.self, what) { try LedgerHistory(place.ledger) }
        #expect(throws: LedgerError.self, what) { try LedgerReader(place.ledger) }
        #expect(throws: LedgerError.self, what) { try Ledger.review([], in: place.ledger) }
        #expect((try? LedgerHealth(of: place.ledger))?.isIntact != true, what)
        let ledger = try place.open(runAt: .day(4))
        #expect(ledger.restored?.contains("ends with run 2 as of 1970-01-03") == true, what)
        #expect(ledger.lastRun?.asOf == .day(2), what)
        let reader = try ledger.reader()
        try sample.check(reader)
        #expect(try reader.statements().count == 40, what)
        let seen = try (0..<30).map { try ledger.record("rule", "subject \($0)") }
        #expect(seen.allSatisfy { $0.firstSeen == .day(1) && $0.isNew == false }, what)
        #expect(seen.map(\.status).filter { $0 == .ok }.count == 1, what)
        #expect(try place.bytes == damaged, "a run that does not end changes nothing")
    }

    @Test func `is told, and the run goes on from the previous one, whichever page is zeroed`() throws {
        try #require(sound.count % 8192 == LedgerDigest.size && sound.count / 8192 > 8)
        for page in 0...sound.count / 8192 {
            var damaged = sound
            for index in page * 8192..<min((page + 1) * 8192, sound.count) { damaged[index] = 0 }
            try check(damaged, "page \(page)")
        }
    }

    @Test func `is told, and the run goes on from the previous one, whichever bits are flipped`() throws {
        var numbers = Seeded(state: 4)
        for _ in 0..<Self.flips {
            var damaged = sound
            for _ in 0...numbers.below(3) {
                damaged[numbers.below(sound.count)] ^= 1 << UInt8(numbers.below(8))
            }
            guard damaged != sound else { continue }
            try check(damaged, "\(damaged.indices.filter { damaged[$0] != sound[$0] })")
        }
        // In all places that say what the file is.
        for place in Array(0..<100) + Array(sound.count - LedgerDigest.size..<sound.count) {
            var damaged = sound
            damaged[place] ^= 4
            try check(damaged, "\(place)")
        }
    }

    @Test func `is told wherever it is cut short, and if something stands behind it`() throws {
        var numbers = Seeded(state: 5)
        for count in [1, 99, 100, 8192, sound.count - 16, sound.count - 1]
            + (0..<20).map({ _ in
                1 + numbers.below(sound.count - 1)
            })
        {
            try check(Array(sound[..<count]), "\(count) bytes")
        }
        try check(sound + [0], "a byte more")
    }

    @Test(arguments: [true, false]) func `is told if it is empty or gone while the previous one is there`(
        isEmpty: Bool
    ) throws {
        let place = try folder([])
        if !isEmpty { try FileManager.default.removeItem(atPath: place.ledger) }
        do {
            let ledger = try place.open(runAt: .day(4))
            #expect(ledger.restored?.contains(isEmpty ? "it is empty" : "it is gone") == true)
            #expect(ledger.lastRun?.asOf == .day(2))
        }
        #expect(try place.names() == (isEmpty ? ["state.db", "state.db.previous"] : ["state.db.previous"]))
    }

    @Test func `leaves a damaged one of an earlier night where it is, if it is gone`() throws {
        let place = try folder([])
        try place.write([1], to: "state.db.damaged")
        try FileManager.default.removeItem(atPath: place.ledger)
        try place.run(on: 4) { try sample.add(2, to: $0) }
        #expect(try place.bytes(of: "state.db.damaged") == [1])
    }

    @Test func `is replaced by the next run, once, and kept beside it`() throws {
        var damaged = sound
        damaged[9000] ^= 1
        let place = try folder(damaged)
        try place.run(on: 4) { try sample.add(2, to: $0) }
        #expect(try place.names() == ["state.db", "state.db.damaged", "state.db.previous"])
        #expect(try place.bytes(of: "state.db.damaged") == damaged)
        #expect(try place.bytes(of: "state.db.previous") == previous)
        #expect(try LedgerHistory(place.ledger).runs.map(\.asOf) == [.day(1), .day(2), .day(4)])
        #expect(try LedgerHealth(of: place.ledger).isIntact)
        try sample.check(LedgerReader(place.ledger))
        try place.run(on: 5) { #expect($0.restored == nil) }
    }

    @Test func `ends a run if the previous one is damaged, of another kind, or not there`() throws {
        var (damaged, other) = (sound, previous)
        damaged[9000] ^= 1
        other[9000] ^= 1
        var older = previous
        for index in 60..<64 { older[index] = RunHistory.format - 1 }
        for left in [other, Array(previous[..<5000]), [], Array("a,b\n".utf8), older, nil] {
            let place = try folder(damaged, left)
            if left == nil { try FileManager.default.removeItem(atPath: place.ledger + ".previous") }
            let names = try place.names()
            let error = #expect(throws: LedgerError.self) { try place.open(runAt: .day(4)) }
            #expect(error?.description.contains("and so is the one before its last change") == true)
            #expect(try place.names() == names)
            #expect(try place.bytes == damaged)
        }
    }

    @Test func `is sound before that`() throws {
        let health = try LedgerHealth(of: place.ledger)
        #expect(health.isIntact, "\(health)")
        #expect(health.tables.map(\.rows) == [3, 60, 0, 120, 60, 30, 1])
        #expect(health.lastRun?.asOf == .day(3))
        #expect(try LedgerHealth.previous(of: place.ledger)?.lastRun?.asOf == .day(2))
        #expect(try place.open(runAt: .day(4)).restored == nil)
    }
}
