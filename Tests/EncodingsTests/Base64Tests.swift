import Corpus
import Encodings
import FoundationEssentials
import Testing

struct `Base64 text` {
    @Test func `decodes what Foundation encodes, at every length`() {
        var random = Seeded(state: 7)
        for count in 0..<300 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(decoded(Data(bytes).base64EncodedString()) == bytes)
        }
    }

    @Test func `may have line breaks and blanks anywhere`() {
        var random = Seeded(state: 8)
        for _ in 0..<200 {
            let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            var text = ""
            for character in Data(bytes).base64EncodedString() {
                if Int.random(in: 0..<20, using: &random) == 0 { text += ["\n", "\r\n", " ", "\t"][bytes.count % 4] }
                text.append(character)
            }
            #expect(decoded(text) == bytes)
        }
    }

    @Test func `may be of the URL-safe alphabet and without padding`() {
        let bytes = (0...255).map { UInt8($0) }
        var text = Data(bytes).base64EncodedString()
        text.replace("+", with: "-")
        text.replace("/", with: "_")
        text.replace("=", with: "")
        #expect(decoded(text) == bytes)
    }

    @Test(arguments: ["QQ==", "QQ", "QR==", " Q Q = = \n", "QQ=\n="])
    func `may end in any of these ways`(_ text: String) {
        #expect(decoded(text) == [0x41])
    }

    @Test(arguments: [
        "Q", "QUFBQ", "QQ=", "QQ===", "Q===", "====", "=", "QQ==QQ==", "QQ=Q", "QUE=Q", "QUFB=", "Q!==", "QQ\0=",
        "ÄÄÄ=",
        "QUFB====", "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUF.QUFBQUFB",
    ])
    func `refuses`(_ text: String) {
        #expect(decoded(text) == nil)
    }

    @Test func `agrees with Foundation about random text`() {
        var random = Seeded(state: 9)
        let alphabet = Array("ABab01+/==".utf8)
        for _ in 0..<Exhaustive.count(20_000, sampled: 4000) {
            let text = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            // Foundation wants padding, takes any amount of it and takes it in the middle; we do none of that.
            guard text.count % 4 == 0 else { continue }
            let padding = text.drop { $0 != 61 }
            let isMisplaced = padding.count > 2 || padding.contains { $0 != 61 }
            let expected = isMisplaced ? nil : Data(base64Encoded: Data(text)).map { [UInt8]($0) }
            #expect(decoded(String(decoding: text, as: UTF8.self)) == expected)
        }
    }

    @Test func `needs room for what the text can hold`() {
        var none: [UInt8] = []
        var output = none.mutableSpan
        #expect(Base64.decode("QUFB".utf8.span, into: &output) == nil)
    }
}

private func decoded(_ text: String) -> [UInt8]? {
    var bytes = Array(repeating: UInt8(0xee), count: Base64.largestCount(of: text.utf8.count))
    var output = bytes.mutableSpan
    return Base64.decode(text.utf8.span, into: &output).map { Array(bytes.prefix($0)) }
}
