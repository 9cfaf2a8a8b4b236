import Rules
import Testing

@testable import Engine

struct `The entries of a slice` {
    @Test(arguments: [4, 5], [0, 1, 2, 5_000])
    func `come in the order of hashes and, where they are known, of identities`(width: Int, count: Int) {
        var state: UInt64 = 1
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 11
        }
        let entries = (0..<count).map { number in
            // Few hashes, some of them alike in all but their last bits, and few identities.
            [
                next() % 3 << 40 | next() % 5,
                KeyRecord(place: WorkerClaimID(UInt64(number), worker: 3), kind: .device).word, UInt64(number), 7,
            ]
                + (width == 5 ? [next() % 7] : [])
        }
        var slice = KeySlice(sorting: Array(entries.joined()), width: width)
        var found: [[UInt64]] = []
        while !slice.isAtEnd {
            let key = slice.key
            found.append([slice.hash, key.word, key.trait.who, key.trait.what] + (width == 5 ? [key.identity] : []))
            slice.advance()
        }
        func order(_ entry: [UInt64]) -> (UInt64, UInt64, UInt64) { (entry[0], width == 5 ? entry[4] : 0, entry[1]) }
        #expect(found == entries.sorted { order($0) < order($1) })
    }

    @Test func `say of a claim what was said of it`() {
        let key = KeyRecord(place: WorkerClaimID(0xffff_ffff_fffe, worker: 255), kind: .account, isSignificant: true)
        let read = KeyRecord(word: key.word, trait: ClaimTrait(who: 8, what: 7), identity: 9)
        #expect(read.place.rawValue == key.place.rawValue)
        #expect(read.kind == .account)
        #expect(read.isSignificant)
        #expect(read.trait == ClaimTrait(who: 8, what: 7))
        #expect(read.identity == 9)
    }
}
