import Ledgers
import Testing

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
}

extension Collection<UInt64> {
    fileprivate func shuffled(seed: UInt64) -> [UInt64] {
        var numbers = Numbers(seed: seed)
        return sorted().map { ($0, numbers.next()) }.sorted { $0.1 < $1.1 }.map(\.0)
    }
}
