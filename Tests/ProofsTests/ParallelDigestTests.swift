import Encodings
import Testing

@testable import Proofs

/// Digests of many ranges at once are those of each by itself, which OpenSSL computes.
struct `Digests of many ranges of bytes` {
    private let hasher: ContentHasher
    private static let bytes = {
        var random = Mutations(seed: 7)
        return random.octets(200_000)
    }()

    init() throws { hasher = try ContentHasher() }

    private func digests(_ ranges: [Range<Int>]) -> [UInt8] {
        var output: [UInt8] = []
        hasher.appendDigests(of: ranges, in: Self.bytes.span, to: &output)
        return output
    }

    private func digestsByThemselves(_ ranges: [Range<Int>]) -> [UInt8] {
        ranges.flatMap { hasher.digest(of: Self.bytes.span.extracting($0)).bytes }
    }

    @Test func `are those of FIPS 180`() throws {
        let text = Array("abc".utf8)
        var output: [UInt8] = []
        hasher.appendDigests(of: [0..<3], in: text.span, to: &output)
        #expect(Hex.string(output.span) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test(arguments: [1, 2, 15, 16, 17, 40])
    func `are right for each length up to five blocks of the hash`(count: Int) {
        for length in 0...320 {
            let ranges = (0..<count).map { $0..<$0 + length }
            #expect(digests(ranges) == digestsByThemselves(ranges), "\(length) octets")
        }
    }

    @Test(arguments: [65_471, 65_472, 65_473, 65_535, 65_536, 65_537, 131_072, 199_999])
    func `are right for a length near those that are not hashed at once`(length: Int) {
        let ranges = [0..<length, 1..<length + 1, 0..<64, 1..<length]
        #expect(digests(ranges) == digestsByThemselves(ranges))
    }

    @Test(arguments: 0..<40)
    func `are right for lengths of all kinds beside each other`(seed: Int) {
        var random = Mutations(seed: UInt64(seed))
        let ranges = (0..<random.number(below: 100)).map { _ in
            let longest = [3, 70, 3000, 66_000][random.number(below: 4)]
            let start = random.number(below: 100_000)
            return start..<start + random.number(below: longest)
        }
        #expect(digests(ranges) == digestsByThemselves(ranges))
    }

    @Test func `come behind what is there`() {
        var output: [UInt8] = [1, 2, 3]
        hasher.appendDigests(of: [5..<9], in: Self.bytes.span, to: &output)
        #expect(output == [1, 2, 3] + digestsByThemselves([5..<9]))
    }

    @Test func `are none for no range`() { #expect(digests([]).isEmpty) }

    @Test func `are right on several threads at once`() async {
        let bytes = Self.bytes
        let ranges = (0..<300).map { $0 * 300..<$0 * 310 + 17 }
        let expected = digestsByThemselves(ranges)
        await withTaskGroup(of: [UInt8]?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var output: [UInt8] = []
                    (try? ContentHasher())?.appendDigests(of: ranges, in: bytes.span, to: &output)
                    return output
                }
            }
            for await output in group { #expect(output == expected) }
        }
    }
}
