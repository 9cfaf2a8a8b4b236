import Encodings
import Testing

@testable import Ledgers

struct `Tiers` {
    private let place: TestFolder

    init() throws { place = try TestFolder() }

    @Test func `of many small runs give back what one run would, and are few`() throws {
        var content = Content()
        var numbers = Numbers(seed: 21)
        for run in 1...40 {
            let part = Content.Part(&numbers, run: run)
            try place.run(on: Int64(run)) { try part.add(to: $0) }
            content.note(part)
            for table in ["claim", "observation", "signature"] { #expect(try tiers(table) <= 9) }
            if run % 13 == 0 { try content.check(try place.open()) }
        }
        try content.check(try place.open())
        #expect(try place.names() == ["state.db"])
        let health = try LedgerHealth(of: place.ledger)
        #expect(health.isIntact, "\(health)")
        let rows = Dictionary(health.tables.map { ($0.name, $0.rows) }) { first, _ in first }
        #expect(rows["claims"] == content.claims.count)
        #expect(rows["observations"] == content.observations.values.reduce(0) { $0 + $1.count })
        #expect(rows["signatures"] == content.signatures.count)
    }

    @Test func `are merged, and the largest is left alone`() throws {
        try place.run { ledger in
            for id in 0..<40_000 { try ledger.add(claim: UInt64(id) << 32, record: [1].span) }
        }
        for day in 2...20 { try place.run(on: Int64(day)) { try $0.add(claim: UInt64(day), record: [2].span) } }
        #expect(try tiers("claim") <= 9)
        let list = try place.open().tiers
        #expect(list[.claim].first == Tier(number: 1, rows: 40_000))
    }

    @Test func `are not there for what no run added`() throws {
        for day in 1...3 { try place.run(on: Int64(day)) }
        #expect(try place.open().tiers == TierList())
    }

    @Test func `keep the first record of a claim, and its time`() throws {
        for day in 1...30 {
            try place.run(on: Int64(day)) { ledger in
                for id in 1...UInt64(day) { try ledger.add(claim: id, record: [UInt8(day)].span) }
            }
        }
        let reader = try place.open().reader()
        for day in 1...30 {
            let found = try #require(try reader.record(ofClaim: UInt64(day)))
            #expect(found.record == [UInt8(day)])
            #expect(found.seenAt == .day(Int64(day)))
        }
    }

    @Test func `keep the first record of a claim, in whatever order claims come`() throws {
        let ids: [UInt64] = [5, 3, 9, 3, .max, 0]
        for day in 1...3 {
            try place.run(on: Int64(day)) { ledger in
                for id in ids { try ledger.add(claim: id, record: [UInt8(day)].span) }
                try ledger.add(claim: UInt64(100 + day), record: [UInt8(day)].span)
            }
        }
        let reader = try place.open().reader()
        for id in ids { #expect(try reader.record(ofClaim: id)?.record == [1]) }
        #expect(try reader.record(ofClaim: 103)?.record == [3])
    }

    @Test func `give back the claims under a key in ascending order, each once`() throws {
        for day in 1...12 {
            try place.run(on: Int64(day)) { ledger in
                for claim in [UInt64(day), UInt64(100 - day), 50, .max] { try ledger.add(observation: 7, claim: claim) }
            }
        }
        let expected = (1...12).map { UInt64($0) } + [50] + (88...99).map { UInt64($0) } + [.max]
        let ledger = try place.open()
        #expect(ledger.observationCount == expected.count)
        let reader = try ledger.reader()
        for _ in 1...2 { #expect(try reader.claims(7) == expected) }
        #expect(try reader.claims(8) == [])
    }

    @Test func `are forgotten in, whichever a claim is in`() throws {
        for day in 1...11 {
            try place.run(on: Int64(day)) { ledger in
                for claim in [UInt64(day), UInt64(100 + day)] {
                    try ledger.add(claim: claim, record: Array("the record of \(claim)!".utf8).span)
                    try ledger.add(observation: 7, claim: claim)
                }
            }
        }
        var what = LedgerDeletion()
        what.claims = (1...11).map { UInt64($0) }
        let forgotten = try Ledger.forget(what, in: place.ledger)
        #expect(forgotten.claims == 11)
        #expect(forgotten.observations == 11)
        let text = String(decoding: try place.bytes, as: UTF8.self)
        for claim in 1...11 { #expect(!text.contains("the record of \(claim)!")) }
        let ledger = try place.open()
        #expect(ledger.tiers[.claim].reduce(0) { $0 + $1.rows } == 11)
        #expect(try ledger.reader().claims(7) == (101...111).map { UInt64($0) })
        #expect(try ledger.reader().record(ofClaim: 105)?.seenAt == .day(5))
    }

    @Test func `give back what evidence said, until its token is forgotten or its run`() throws {
        for day in 1...11 {
            try place.run(on: Int64(day)) { ledger in
                try ledger.add(claim: UInt64(day), record: [UInt8(day)].span)
                for key in [UInt64(day), UInt64(100 - day)] {
                    try ledger.add(statement: key, record: Self.statement(key).span, by: UInt64(day))
                }
            }
        }
        func kept() throws -> Set<[UInt8]> { Set(try place.open().reader().statements()) }
        func said(by days: [Int]) -> Set<[UInt8]> {
            Set(days.flatMap { [UInt64($0), UInt64(100 - $0)] }.map(Self.statement))
        }
        #expect(try tiers("statement") <= 9)
        #expect(try kept() == said(by: Array(1...11)))
        var what = LedgerDeletion()
        what.claims = [4]
        what.before = .day(3)
        #expect(try Ledger.forget(what, in: place.ledger).statements == 6)
        #expect(try kept() == said(by: [3] + Array(5...11)))
        let text = String(decoding: try place.bytes, as: UTF8.self)
        for key in [1, 2, 4, 96, 98, 99] { #expect(!text.contains("said of \(key)!")) }
    }

    private static func statement(_ key: UInt64) -> [UInt8] { Array("said of \(key)!".utf8) }

    @Test func `keep a signature that was verified again because it was damaged`() throws {
        let digests = (1...8).map { [UInt8](repeating: $0, count: 32) }
        for digest in digests { try place.run { try $0.add(signature: digest.span, verdict: [1].span) } }
        try place.execute("UPDATE signature SET verdict=X'00'")
        do {
            let reader = try place.open().reader()
            for digest in digests { #expect(try reader.verdict(ofSignature: digest.span) == nil) }
        }
        try place.run { for digest in digests { try $0.add(signature: digest.span, verdict: [1].span) } }
        // Those that were changed are merged only now.
        #expect(try tiers("signature") == 8)
        try place.run()
        #expect(try tiers("signature") == 1)
        let reader = try place.open().reader()
        for digest in digests { #expect(try reader.verdict(ofSignature: digest.span) == [1]) }
        #expect(try LedgerHealth(of: place.ledger).isIntact)
    }

    /// How many there are in the file.
    private func tiers(_ table: String) throws -> Int {
        let connection = try Connection(place.ledger, name: place.ledger, .reading)
        return Int(try connection.number("SELECT count(DISTINCT tier) FROM \(table)") ?? 0)
    }
}

/// What a ledger should have, in dictionaries.
private struct Content {
    var claims: [UInt64: (record: [UInt8], day: Int)] = [:]
    var observations: [UInt64: Set<UInt64>] = [:]
    var signatures: [[UInt8]: [UInt8]] = [:]

    /// What one run adds: some of it again.
    struct Part {
        var run: Int
        var claims: [UInt64: [UInt8]] = [:]
        var observations: [UInt64: Set<UInt64>] = [:]
        var signatures: [[UInt8]: [UInt8]] = [:]

        init(_ numbers: inout Numbers, run: Int) {
            self.run = run
            for _ in 0..<numbers.next(below: 80) {
                // Of few hashes, so that many come again.
                let claim = stableMix(UInt64(numbers.next(below: 900)))
                claims[claim] = numbers.bytes(numbers.next(below: 40))
                for _ in 0..<6 { observations[stableMix(UInt64(numbers.next(below: 2000))), default: []].insert(claim) }
                let digest = [UInt8](repeating: UInt8(numbers.next(below: 256)), count: 32)
                signatures[digest] = numbers.bytes(1)
            }
        }

        func add(to ledger: Ledger) throws {
            for (id, record) in claims.sorted(by: { $0.key < $1.key }) {
                try ledger.add(claim: id, record: record.span)
            }
            for (key, claims) in observations.sorted(by: { $0.key < $1.key }) {
                for claim in claims.sorted() { try ledger.add(observation: key, claim: claim) }
            }
            for (digest, verdict) in signatures.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                try ledger.add(signature: digest.span, verdict: verdict.span)
            }
        }
    }

    mutating func note(_ part: Part) {
        claims.merge(part.claims.mapValues { ($0, part.run) }) { first, _ in first }
        observations.merge(part.observations) { $0.union($1) }
        signatures.merge(part.signatures) { first, _ in first }
    }

    func check(_ ledger: Ledger) throws {
        #expect(ledger.observationCount == observations.values.reduce(0) { $0 + $1.count })
        let reader = try ledger.reader()
        for (id, expected) in claims {
            let found = try #require(try reader.record(ofClaim: id))
            #expect(found.record == expected.record)
            #expect(found.seenAt == .day(Int64(expected.day)))
        }
        for (key, expected) in observations.sorted(by: { $0.key < $1.key }) {
            #expect(try reader.claims(key) == expected.sorted())
        }
        for (digest, verdict) in signatures { #expect(try reader.verdict(ofSignature: digest.span) == verdict) }
    }
}

struct `Which tiers are merged` {
    private static let few: [[Int64]] = [
        [], [1], Array(repeating: 10_000, count: 7), [1_000_000] + Array(repeating: 10_000, count: 7),
    ]

    @Test(arguments: few)
    func `is none if there are few of any size`(rows: [Int64]) {
        #expect(Self.merged(rows) == [])
    }

    @Test func `is eight of one size, and what is smaller, but nothing larger`() {
        let small: [Int64] = [5, 100] + [Int64](repeating: 10_000, count: 8)
        #expect(Self.merged(small + [40_000, 1_000_000]) == small)
    }

    @Test func `is more if they become one of eight`() {
        let all = [Int64](repeating: 80_000, count: 7) + [Int64](repeating: 10_000, count: 8)
        #expect(Self.merged(all + [1_000_000]) == all.sorted())
    }

    @Test func `leaves few tiers, and writes a row anew only now and then`() {
        var tiers: [Int64] = [1_000_000]
        var written: Int64 = 0
        for night in 1...2000 {
            tiers.append(10_000)
            let merged = Self.merged(tiers)
            written += merged.reduce(0, +)
            for rows in merged { if let place = tiers.firstIndex(of: rows) { tiers.remove(at: place) } }
            if !merged.isEmpty { tiers.append(merged.reduce(0, +)) }
            #expect(tiers.count <= 30, "after \(night) nights")
        }
        #expect(tiers.reduce(0, +) == 21_000_000)
        #expect(written < 4 * 21_000_000)
    }

    /// How many rows those have that are merged, in ascending order.
    private static func merged(_ rows: [Int64]) -> [Int64] {
        TierPlan(rows.enumerated().map { Tier(number: Int64($0.offset), rows: $0.element) }).merged.map(\.rows).sorted()
    }
}

struct `Observations` {
    private let place: TestFolder
    private let keys: [UInt64: [UInt64]]

    init() throws {
        place = try TestFolder()
        var numbers = Numbers(seed: 3)
        var keys: [UInt64: [UInt64]] = [0: [0, .max], .max: [1 << 63], 1 << 63: [(1 << 63) - 1, 1 << 63]]
        for _ in 0..<3000 {
            keys[numbers.next(), default: []] += (0...numbers.next(below: 3)).map { _ in numbers.next() }
        }
        self.keys = keys.mapValues { Set($0).sorted() }
        let observations = self.keys
        try place.run { ledger in
            for (key, claims) in observations.sorted(by: { $0.key < $1.key }) {
                for claim in claims { try ledger.add(observation: key, claim: claim) }
            }
        }
    }

    @Test(arguments: [1, 2, 3, 20, 1000])
    func `are found under every key, whether all or few are asked for`(step: Int) throws {
        let reader = try place.open().reader()
        let asked = keys.keys.sorted().enumerated().filter { $0.offset % step == 0 }.map(\.element)
        for key in asked {
            #expect(try reader.claims(key) == keys[key])
            // What is between keys is nothing.
            if key < .max, keys[key + 1] == nil { #expect(try reader.claims(key + 1) == []) }
        }
    }

    @Test func `are found under keys in any order, and twice`() throws {
        let reader = try place.open().reader()
        for key in keys.keys.shuffled(seed: 5) + [0, 0, .max, .max, 0] { #expect(try reader.claims(key) == keys[key]) }
    }
}

extension LedgerReader {
    func claims(_ key: UInt64) throws -> [UInt64] {
        var claims: [UInt64] = []
        try self.claims(under: key) { claims.append($0) }
        return claims
    }

    /// What evidence said, in no order.
    func statements() throws(LedgerError) -> [[UInt8]] {
        var statements: [[UInt8]] = []
        do {
            try forEachStatement { record in
                var bytes: [UInt8] = []
                bytes.append(copying: record)
                statements.append(bytes)
            }
        } catch {
            throw error as? LedgerError ?? .storage(path: "", reason: "\(error)")
        }
        return statements
    }
}

extension Collection<UInt64> {
    fileprivate func shuffled(seed: UInt64) -> [UInt64] {
        var numbers = Numbers(seed: seed)
        return sorted().map { ($0, numbers.next()) }.sorted { $0.1 < $1.1 }.map(\.0)
    }
}
