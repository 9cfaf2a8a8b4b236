import Corpus
import DER
import Encodings
import Inputs
import Proofs
import SampleStore
import Testing

@testable import Checks

/// Bytes made to hurt: no trap, and never more than a second for the 8 MiB that a receipt may have.
struct `Hostile bytes` {
    let authority: PrivateAuthority
    let checker: Checker

    init() throws {
        authority = try PrivateAuthority()
        checker = try Samples.checker(trusting: authority.root.certificate)
    }

    @Test func `cut off anywhere are unreadable`() throws {
        let bytes = try authority.receipt(Samples.receipt)
        for count in 0..<bytes.count {
            let codes = checker.codes(Array(bytes[..<count]))
            let expected = count == 0 ? "receipt-empty" : count < 15 ? "unknown-format" : "malformed-container"
            #expect(codes == expected, "\(count) bytes")
        }
    }

    @Test func `with anything behind them are not canonical`() throws {
        let bytes = try authority.receipt(Samples.receipt)
        for tail in [[0], [0, 0], bytes, [UInt8](repeating: 0x30, count: 1000)] {
            #expect(checker.codes(bytes + tail) == "noncanonical-container")
        }
    }

    @Test func `of chance are not a container`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<Exhaustive.count(20_000, sampled: 2000) {
            let bytes = random.octets(random.within(1...200))
            #expect(checker.facts(bytes).verdict == .unreadable)
        }
    }

    @Test func `of chance behind a container's header are unreadable`() {
        let header = [0x30, 0x80, 0x06, 0x09] + ObjectIdentifier.signedData + [0xa0, 0x80, 0x30, 0x80, 2, 1, 1]
        var random = SeededGenerator(seed: 8)
        for _ in 0..<Exhaustive.count(20_000, sampled: 2000) {
            let bytes = header + random.octets(random.within(0...200))
            #expect(checker.facts(bytes).verdict == .unreadable)
        }
    }

    @Test(arguments: [ContainerEncoding.longLengths, .constructed(pieces: 64), .indefinite(pieces: 64)])
    func `in another encoding, damaged or whole, are never valid`(encoding: ContainerEncoding) throws {
        var container = try authority.sign(Samples.receipt)
        container.encoding = encoding
        let bytes = container.encoded
        #expect(checker.codes(bytes) == "noncanonical-container")
        var random = SeededGenerator(seed: 9)
        for number in 0..<Exhaustive.count(3000, sampled: 300) {
            var mutant = bytes
            for _ in 0...random.below(3) {
                mutant[random.below(mutant.count)] = [0, 0x24, 0x30, 0x80, 0xff][random.below(5)]
                if random.below(2) == 0 { mutant.remove(at: random.below(mutant.count)) }
            }
            #expect(checker.facts(mutant).verdict != .valid, "mutant \(number)")
        }
    }

    @Test(arguments: Bomb.allCases)
    func `in a bomb are judged, and are no receipt unless they are one`(bomb: Bomb) throws {
        let bytes = try bomb.bytes(signedBy: authority)
        #expect(bytes.count <= ReceiptLimit.bytes)
        let facts = checker.facts(bytes)
        #expect((facts.failed.description == "") == (bomb.isGenuine))
    }
}
