import Encodings
import Testing

@testable import Proofs

struct `The tag of a text` {
    private let tagger: ContentTagger
    private static let key: [UInt8] = (0..<32).map { $0 }

    init() throws { tagger = try ContentTagger(key: Self.key, with: ContentHasher()) }

    private func tag(of text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        tagger.appendTag(of: text.span, to: &output)
        #expect(tagger.failure == nil)
        return output
    }

    @Test func `is that of RFC 8439, section 2.5.2`() throws {
        let key = try #require(
            Hex.octets("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b"))
        let tagger = try ContentTagger(key: key, with: ContentHasher())
        let text = Array("Cryptographic Forum Research Group".utf8)
        var output: [UInt8] = []
        tagger.appendTag(of: text.span, to: &output)
        #expect(Hex.string(output.span) == "a8061dc1305136c6c22b8baf0c0127a9")
    }

    @Test func `is the same for the same text, whatever came before`() {
        let text = [UInt8](repeating: 7, count: 5000)
        let before = tag(of: text)
        _ = tag(of: [1, 2, 3])
        #expect(before.count == ContentTagger.tagLength && tag(of: text) == before)
    }

    @Test func `comes behind what is there`() {
        var output: [UInt8] = [1, 2, 3]
        let text: [UInt8] = [4]
        tagger.appendTag(of: text.span, to: &output)
        #expect(output == [1, 2, 3] + tag(of: text))
    }

    @Test(arguments: [1, 15, 16, 17, 255, 256, 257, 6400])
    func `is another one for a text that differs in one bit`(length: Int) {
        var random = Mutations(seed: UInt64(length))
        let text = random.octets(length)
        var tags: Set<[UInt8]> = [tag(of: text)]
        for bit in 0..<8 * length {
            var other = text
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            tags.insert(tag(of: other))
        }
        #expect(tags.count == 1 + 8 * length)
    }

    @Test func `is another one for a text with one zero more`() {
        let tags = Set((0..<300).map { tag(of: [UInt8](repeating: 0, count: $0)) })
        #expect(tags.count == 300)
    }

    @Test func `is another one under another key`() throws {
        var key = Self.key
        key[0] ^= 1
        let other = try ContentTagger(key: key, with: ContentHasher())
        var output: [UInt8] = []
        let text: [UInt8] = [1, 2, 3]
        other.appendTag(of: text.span, to: &output)
        #expect(output != tag(of: text))
    }

    @Test(arguments: [0, 31, 33])
    func `needs a key of 32 octets`(count: Int) {
        #expect(throws: OpenSSLError.self) {
            try ContentTagger(key: [UInt8](repeating: 1, count: count), with: ContentHasher())
        }
    }

    @Test func `is right on several threads at once`() async {
        let texts = (0..<300).map { [UInt8](repeating: 9, count: 7 * $0) }
        let expected = texts.map(tag)
        await withTaskGroup(of: [[UInt8]]?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    guard let tagger = try? ContentTagger(key: Self.key, with: ContentHasher()) else { return nil }
                    return texts.map { text in
                        var output: [UInt8] = []
                        tagger.appendTag(of: text.span, to: &output)
                        return output
                    }
                }
            }
            for await output in group { #expect(output == expected) }
        }
    }
}
