import Encodings
import Testing

@testable import Inputs

struct `A folder of evidence` {
    @Test(arguments: ["evidence", "evidence/"])
    func `names its texts by file and line, however it is written itself`(name: String) throws {
        let scratch = try Scratch()
        try scratch.write("evidence/a.ndjson", "{\"signedPayload\":\"a.b.c\"}\n\n{\"signedPayload\":\"d.e.f\"}\n")
        try scratch.write("evidence/b/one.json", "{\n  \"signedPayload\": \"g.h.i\"\n}\n")
        let source = try EvidenceSource([GivenPath(name, in: scratch.path)])
        var (sources, tokens): ([ExactText], [String]) = ([], [])
        while let block = try source.nextBlock() {
            for item in block.items {
                sources.append(item.source)
                tokens += EvidenceText(item).tokens.map { String(decoding: $0, as: UTF8.self) }
            }
        }
        #expect(sources == ["evidence/a.ndjson:1", "evidence/a.ndjson:3", "evidence/b/one.json"])
        #expect(tokens == ["a.b.c", "d.e.f", "g.h.i"])
    }
}
