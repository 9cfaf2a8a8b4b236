import Corpus
import Encodings
import Testing
import YAML

struct `A file is refused` {
    @Test(arguments: [
        ("rules: {", "2:1: is not YAML: while parsing a flow node: did not find expected node content"),
        ("a: b: c", "1:5: is not YAML: mapping values are not allowed in this context"),
        (
            "rules:\n\t- x",
            "2:1: is not YAML: while scanning for the next token: found character that cannot start any token"
        ),
        ("rules: *all", "1:8: is not YAML: found undefined alias"),
        ("rules: {}\nversion: \u{1}1", "2:10: is not YAML: control characters are not allowed"),
        ("rules: {}\n---\nrules: {}", "2:1: a second document starts here; there must be only one"),
        ("rules: !!python/object x", "1:8: the tag “tag:yaml.org,2002:python/object” is not read"),
        ("rules: !include other.yml", "1:8: the tag “!include” is not read"),
        ("? [a]\n: b", "1:3: a key must be a text"),
        ("? \n: b", "1:2: a key must be a text"),
    ])
    func `that is no YAML that we read`(text: String, message: String) {
        #expect(complaint(text) == "file.yml:" + message)
    }

    @Test func `that is not UTF-8`() {
        let bytes = Array("version: 1\nap".utf8) + [0xff] + Array("ps: {}".utf8)
        #expect(complaint(bytes) == "file.yml:2:3: is not UTF-8; save it as UTF-8")
    }

    @Test func `that is longer than it may be`() {
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: (2 << 20) + 1)
        #expect(complaint(bytes, limit: 2 << 20) == "file.yml: is over 2 MiB")
        #expect(complaint(Array(bytes.dropLast()), limit: 2 << 20) == "")
    }

    @Test func `that is nested too deep`() {
        for depth in [65, 900, 5000] {
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect(complaint(text).hasPrefix("file.yml:1:"))
        }
        let lists = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        #expect(complaint(lists) == "file.yml:1:65: is nested more than 64 levels deep")
    }

    @Test func `that is a bomb of aliases, as values or as keys`() {
        for (open, close) in [("[", "]"), ("? [", "]\n: x")] {
            var text = "a0: &a0 [x]\n"
            for level in 1...60 {
                let last = "*a\(level - 1)"
                text += "a\(level): &a\(level)\n  \(open)\(last), \(last), \(last)\(close)\n"
            }
            #expect(
                complaint(text).hasSuffix("aliases (“&a0” and “*a0”) are not supported; write out the value"))
        }
    }

    @Test func `but not for an ampersand and an asterisk in its texts`() throws {
        let value = try document("- 'account:*'\n- 'R&D, *all* of it' # &a *b\n")
        #expect(value.list?.map(\.text) == ["account:*", "R&D, *all* of it"])
    }

    @Test func `in a text that is safe for a terminal and not too long`() {
        #expect(
            complaint("\"\\e[31m\u{202e}\": 1\n\"\\e[31m\u{202e}\": 2")
                == "file.yml:1:1: the key “\\u{1b}[31m\\u{202e}” occurs more than once")
        let long = complaint("!" + String(repeating: "x", count: 500) + " y")
        #expect(long.contains("the tag “!" + String(repeating: "x", count: 79) + "…” is not read"))
    }

    @Test func `but not for its length, and that is known in seconds of processor time`() {
        let filler = String(repeating: "x,", count: 1 << 18)
        let time = ProcessorTime.measure {
            let isRead = complaint("a: {b: [" + filler + "]}").isEmpty
            #expect(isRead)
        }
        #expect(time < .seconds(30))
    }
}
