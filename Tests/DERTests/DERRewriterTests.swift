import Corpus
import DER
import Testing

struct `Rewriting BER as DER` {
    struct Rewriting: Sendable {
        let name: String
        let ber: [UInt8]
        let der: [UInt8]

        init(_ name: String, _ ber: [UInt8], _ der: [UInt8]) {
            self.name = name
            self.ber = ber
            self.der = der
        }
    }

    static let rewritings = [
        Rewriting("DER as it is", [0x30, 0x03, 0x02, 0x01, 0x05], [0x30, 0x03, 0x02, 0x01, 0x05]),
        Rewriting("nothing inside", [0x30, 0x80, 0x00, 0x00], [0x30, 0x00]),
        Rewriting("an indefinite length", [0x30, 0x80, 0x02, 0x01, 0x05, 0x00, 0x00], [0x30, 0x03, 0x02, 0x01, 0x05]),
        Rewriting(
            "one inside another", [0x30, 0x80, 0xa0, 0x80, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00],
            [0x30, 0x04, 0xa0, 0x02, 0x05, 0x00]),
        Rewriting(
            "one inside a definite length", [0x30, 0x06, 0xa0, 0x80, 0x05, 0x00, 0x00, 0x00],
            [0x30, 0x04, 0xa0, 0x02, 0x05, 0x00]),
        Rewriting("a length that is not the shortest", [0x04, 0x82, 0x00, 0x01, 0x07], [0x04, 0x01, 0x07]),
        Rewriting("a string in pieces", [0x24, 0x06, 0x04, 0x01, 0x07, 0x04, 0x01, 0x08], [0x04, 0x02, 0x07, 0x08]),
        Rewriting("a string of no pieces", [0x24, 0x80, 0x00, 0x00], [0x04, 0x00]),
        Rewriting(
            "a string in pieces in pieces",
            [0x24, 0x80, 0x24, 0x80, 0x04, 0x01, 0x07, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00],
            [0x04, 0x01, 0x07]),
        Rewriting("a tag of several octets", [0x3f, 0x81, 0x01, 0x80, 0x00, 0x00], [0x3f, 0x81, 0x01, 0x00]),
        Rewriting("nothing behind the first element", [0x05, 0x00, 0x05, 0x00], [0x05, 0x00]),
        Rewriting(
            "DER inside as it is", [0x30, 0x80, 0x31, 0x04, 0x30, 0x02, 0x05, 0x00, 0x00, 0x00],
            [0x30, 0x06, 0x31, 0x04, 0x30, 0x02, 0x05, 0x00]),
        Rewriting(
            "what is not DER beside what is",
            [0x30, 0x0d, 0x30, 0x03, 0x02, 0x01, 0x05, 0x30, 0x04, 0x02, 0x81, 0x01, 0x06, 0x31, 0x00],
            [0x30, 0x0c, 0x30, 0x03, 0x02, 0x01, 0x05, 0x30, 0x03, 0x02, 0x01, 0x06, 0x31, 0x00]),
        Rewriting(
            "a string in pieces deep inside definite lengths",
            [0x30, 0x0b, 0x31, 0x02, 0x05, 0x00, 0xa0, 0x05, 0x24, 0x03, 0x04, 0x01, 0x07],
            [0x30, 0x09, 0x31, 0x02, 0x05, 0x00, 0xa0, 0x03, 0x04, 0x01, 0x07]),
        Rewriting(
            "a tag of several octets inside DER", [0x30, 0x80, 0x30, 0x04, 0x1f, 0x81, 0x01, 0x00, 0x00, 0x00],
            [0x30, 0x06, 0x30, 0x04, 0x1f, 0x81, 0x01, 0x00]),
        Rewriting(
            "a length that grows by it",
            [0x30, 0x80, 0x24, 0x80] + [0x04, 0x81, 0x80] + [UInt8](repeating: 7, count: 128) + [0, 0, 0, 0],
            [0x30, 0x81, 0x83, 0x04, 0x81, 0x80] + [UInt8](repeating: 7, count: 128)),
    ]

    @Test(arguments: rewritings)
    func `gives`(rewriting: Rewriting) throws {
        #expect(try DERRewriter.der(of: rewriting.ber.span) == rewriting.der, "\(rewriting.name)")
    }

    static let refusals: [(String, [UInt8], DERError)] = [
        ("nothing at all", [], .truncated(at: 0)),
        ("an element that never ends", [0x30, 0x80, 0x05, 0x00], .truncated(at: 4)),
        ("an element beyond the one around it", [0x30, 0x03, 0x04, 0x02, 0x07, 0x08], .truncated(at: 2)),
        ("an end beyond the element around it", [0x30, 0x02, 0x30, 0x80, 0x00, 0x00], .truncated(at: 4)),
        ("an end of nothing", [0x30, 0x02, 0x00, 0x00], .unexpectedTag(0, wanted: 0x30, at: 2)),
        ("an end of nothing at the start", [0x00, 0x00], .unexpectedTag(0, wanted: 0x30, at: 0)),
        (
            "another kind of piece in a string", [0x24, 0x03, 0x02, 0x01, 0x05],
            .unexpectedTag(0x02, wanted: 0x04, at: 2)
        ),
        ("a primitive of indefinite length", [0x04, 0x80, 0x00, 0x00], .badLength(at: 1)),
        ("a string in pieces too often", nested(0x24, 6), .beyondLimits(at: 10)),
        ("more levels than are read", nested(0x30, 41), .beyondLimits(at: 80)),
        ("more levels than are read, of DER", inside(41), .beyondLimits(at: 80)),
        (
            "an end inside what would be DER", [0x30, 0x04, 0x31, 0x02, 0x00, 0x00],
            .unexpectedTag(0, wanted: 0x30, at: 4)
        ),
        ("a length that reaches out of what would be DER", [0x30, 0x04, 0x31, 0x02, 0x05, 0x01], .truncated(at: 4)),
    ]

    @Test(arguments: refusals)
    func `refuses`(name: String, bytes: [UInt8], error: DERError) {
        #expect(throws: error, "\(name)") { try DERRewriter.der(of: bytes.span) }
    }

    @Test func `refuses more elements than it would remember`() {
        let bytes = [0x30, 0x80] + Self.nulls(DERRewriter.elementLimit) + [0, 0]
        #expect(throws: DERError.beyondLimits(at: 2 * DERRewriter.elementLimit)) { try DERRewriter.der(of: bytes.span) }
    }

    @Test func `takes any number of elements that are in DER`() throws {
        let set = DERWriter.element(.set, Self.nulls(DERRewriter.elementLimit + 1))
        #expect(try DERRewriter.der(of: ([0x30, 0x80] + set + [0, 0]).span) == DERWriter.element(.sequence, set))
    }

    @Test func `gives what it would not change again, whatever it is given`() throws {
        var state: UInt64 = 5
        let octets: [UInt8] = [
            0x30, 0x80, 0x24, 0x04, 0x00, 0x00, 0x00, 0x01, 0x02, 0x03, 0xa0, 0x81, 0x1f, 0x05, 0x82,
        ]
        var rewritten = 0
        for _ in 0..<Exhaustive.count(20_000, sampled: 5000) {
            var bytes: [UInt8] = [0x30, 0x80]
            for _ in 0..<12 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.append(octets[Int(state >> 33) % octets.count])
            }
            guard let der = try? DERRewriter.der(of: (bytes + [0, 0]).span) else { continue }
            rewritten += 1
            #expect(try DERRewriter.der(of: der.span) == der)
            let whole = try DERReader.read(der.span) { reader throws(DERError) in
                try reader.inside(.sequence) { $0.rangeOfRest().count }
            }
            #expect(whole < bytes.count)
        }
        #expect(rewritten > Exhaustive.count(100, sampled: 10))
    }

    private static func nested(_ tag: UInt8, _ depth: Int) -> [UInt8] {
        (0..<depth).flatMap { _ in [tag, 0x80] }
    }

    /// Nested SEQUENCEs, `depth` of them, each of a definite length.
    private static func inside(_ depth: Int) -> [UInt8] {
        (0..<depth).reversed().flatMap { [0x30, UInt8(2 * $0)] }
    }

    private static func nulls(_ count: Int) -> [UInt8] { (0..<count).flatMap { _ in [0x05, 0x00] as [UInt8] } }
}
