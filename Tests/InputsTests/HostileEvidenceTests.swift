import Corpus
import Encodings
import FoundationEssentials
import Testing

@testable import Inputs

/// Endpoints for notifications are public: anybody may write between what Apple sent, and beside it.
struct `A token among what strangers wrote` {
    private static let tokens = (1...4).map(HostileEvidence.token)

    /// Files in which the text of a stranger stands before and after tokens, and the lines where tokens must be found.
    private static let files: [(name: String, text: String)] = [
        ("an open quote behind what looks like a header", "x,y\nz,\"\nT1\nT2\nT3\nT4\n\",x\n"),
        ("a quote that is never closed", "x,y\nz,\"\nT1\nT2\nT3\nT4\n"),
        ("a quote in an unquoted cell", "at,payload\n1,\"\n2,T1\n2,T2\n2,T3\n2,T4\n3,\",x\n"),
        ("an open object", "{\"x\":\n{\"a\":\"T1\"}\n{\"a\":\"T2\"}\nT3\nT4\n"),
        ("an open array", "[\nT1\nT2\nT3\nT4\n"),
        ("an array of lines", "[[[[[[[[[[\n\"T1\",\"T2\",\n[\"T3\"],\"T4\"\n]]]]]]]]]]\n"),
        ("an open string", "{\"a\":\"\nT1\nT2\nT3\nT4\n"),
        ("a header with a token", "signedPayload,T1\nx,T2\nx,T3\nx,T4\n"),
        ("a separator", "sep=;\nT1\nx;T2\nx,T3\nT4"), ("other columns", "a,b,c\nT1\nT2,T3\n{\"a\":\"T4\"}\n"),
        ("the beginning of an archive", "PK\u{3}\u{4}\nT1\nT2\nT3\nT4\n"), ("returns", "x\rT1\rT2\r\rT3\rT4\r"),
    ]

    @Test(arguments: files)
    func `is found behind any first line`(name: String, text: String) throws {
        var text = text
        for (number, token) in Self.tokens.enumerated() { text = text.replacing("T\(number + 1)", with: token) }
        let found = try HostileEvidence.read(Array(text.utf8))
        #expect(Set(found.tokens).isSuperset(of: Self.tokens), "\(name)")
    }

    @Test(arguments: [[0x1f, 0x8b], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x0a], [0xff, 0xfe, 0x0a]] as [[UInt8]])
    func `is found in a file that begins like something else`(start: [UInt8]) throws {
        let lines = Array(("\n" + Self.tokens.joined(separator: "\n") + "\n").utf8)
        #expect(try HostileEvidence.read(start + lines).tokens == Self.tokens)
    }

    @Test func `is found in and behind a line that is too long to be read as a whole`() throws {
        let scratch = try Scratch()
        let long = " " + String(repeating: "x ", count: 400_000)
        let text = "\(long)\(Self.tokens[0])\(long)\(Self.tokens[1])\n\(Self.tokens[2])\n[\(long)\n"
        let source = try EvidenceSource([GivenPath("e", at: scratch.write("e", text))], maxTextSize: 500_000)
        var (found, damages): ([String], [String?]) = ([], [])
        while let block = try source.nextBlock() {
            for item in block.items {
                found += EvidenceText(item).tokens.map { String(decoding: $0, as: UTF8.self) }
                if item.damage != nil { damages.append(item.damage) }
            }
        }
        #expect(found == Array(Self.tokens.prefix(3)))
        #expect(damages.count == 2)
    }

    @Test func `is named by its own line, whatever quotes join`() throws {
        let scratch = try Scratch()
        let text = "x,y\nz,\"\n\(Self.tokens[0])\n\n\(Self.tokens[1])\n\",y\n"
        let source = try EvidenceSource([GivenPath("e", at: scratch.write("e", text))])
        var sources: [ExactText] = []
        while let block = try source.nextBlock() {
            for item in block.items { sources += EvidenceText(item).found.map(item.source) }
        }
        #expect(sources == ["e:3", "e:5"])
    }

    @Test func `is counted each time that it stands on a line`() throws {
        let line = Self.tokens[0] + "\n"
        #expect(try HostileEvidence.read(Array("[\n\(line)\(line)".utf8)).tokens.count == 2)
    }

    /// Any text on lines between records, and in the cells and strings beside a token.
    @Test(arguments: 0..<400)
    func `is found between any texts, and beside any`(seed: UInt64) throws {
        var random = Seeded(state: seed)
        var (bytes, tokens): ([UInt8], [String]) = ([], [])
        for number in 0..<Int.random(in: 1..<7, using: &random) {
            for _ in 0..<Int.random(in: 0..<3, using: &random) { bytes += HostileEvidence.text(&random) + [0x0a] }
            let token = HostileEvidence.token(number)
            let beside = String(decoding: HostileEvidence.text(&random), as: UTF8.self)
            let record = HostileEvidence.records.randomElement(using: &random) ?? HostileEvidence.records[0]
            bytes += Array(record.text(token, beside).utf8) + [0x0a]
            tokens.append(token)
        }
        if Bool.random(using: &random) { bytes += HostileEvidence.text(&random) }
        let found = try HostileEvidence.read(bytes, Bool.random(using: &random) ? "told.csv" : "told.log")
        let missing = tokens.filter { !found.tokens.contains($0) }
        #expect(missing.isEmpty, "\(String(decoding: bytes, as: UTF8.self))")
    }

    /// Any text directly before and after a record.
    @Test(arguments: 0..<400)
    func `is found or counted as lost in any text`(seed: UInt64) throws {
        var random = Seeded(state: seed &+ 1_000_000)
        let token = HostileEvidence.token(1)
        let record = HostileEvidence.records.randomElement(using: &random) ?? HostileEvidence.records[0]
        let bytes =
            HostileEvidence.text(&random) + Array(record.text(token, "x").utf8) + HostileEvidence.text(&random)
        let found = try HostileEvidence.read(bytes)
        #expect(
            found.lost > 0 || found.tokens.contains { $0.contains(token.suffix(40).prefix(20)) || $0 == token },
            "\(String(decoding: bytes, as: UTF8.self))")
    }
}
