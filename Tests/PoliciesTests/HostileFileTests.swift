import Policies
import Rules
import Testing

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
        ("rules: {}\n---\nrules: {}", "2:1: here starts a second document; there must be one"),
        ("rules: !!python/object x", "1:8: the tag “tag:yaml.org,2002:python/object” is not read"),
        ("rules: !include other.yml", "1:8: the tag “!include” is not read"),
        ("? [a]\n: b", "1:3: a key must be a text"),
        ("? \n: b", "1:2: a key must be a text"),
    ])
    func `that is not the YAML of a policy`(text: String, message: String) {
        #expect(complaint(text) == "policy.yml:" + message)
    }

    @Test func `that is not UTF-8`() {
        let bytes = Array("version: 1\nap".utf8) + [0xff] + Array("ps: {}".utf8)
        #expect(complaint(bytes) == "policy.yml:2:3: is not UTF-8; save it as UTF-8")
    }

    @Test func `over 8 MiB`() {
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: PolicyFile.limit + 1)
        #expect(complaint(bytes) == "policy.yml: is over 8 MiB")
        #expect(complaint(Array(bytes.dropLast())) == "")
    }

    @Test func `that is nested too deep`() {
        for depth in [65, 900, 5000] {
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect(complaint(text).hasPrefix("policy.yml:1:"))
        }
        let lists = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        #expect(complaint(lists) == "policy.yml:1:65: is nested more than 64 levels deep")
    }

    @Test func `that is a bomb of aliases, as values or as keys`() {
        for (open, close) in [("[", "]"), ("? [", "]\n: x")] {
            var text = "a0: &a0 [x]\n"
            for level in 1...60 {
                let last = "*a\(level - 1)"
                text += "a\(level): &a\(level)\n  \(open)\(last), \(last), \(last)\(close)\n"
            }
            #expect(
                complaint(text).hasSuffix("aliases (“&a0” and “*a0”) are not read; write out what it stands for"))
        }
    }

    @Test func `but not for an ampersand and an asterisk in its texts`() throws {
        let text = "allow:\n- {subject: 'account:*', reason: 'R&D, *all* of it'} # &a *b\n"
        #expect(try policy(text).allowances.first?.reason == "R&D, *all* of it")
    }

    @Test func `with all that is wrong in it, in order, up to twenty`() {
        #expect(
            complaint("version: 3\nrules:\n  shared-receipt: {devices: many, severity: bad}\n") == """
                policy.yml:1:10: “version” must be 1, the one version there is, not “3”
                policy.yml:3:29: “devices” must be a whole number from 2 to 4000, not “many”
                policy.yml:3:45: “severity” must be one of info, low, medium, high, critical, not “bad”
                """)
        let many = complaint("apps:\n" + (1...50).map { "  a\($0): 1\n" }.joined())
        #expect(many.split(separator: "\n").count == 21)
        #expect(many.hasSuffix("\npolicy.yml: and 30 more"))
    }

    @Test func `in a text that is safe for a terminal and not too long`() {
        #expect(complaint("\"\\e[31m\u{202e}\": 1").contains("unknown key “\\u{1b}[31m\\u{202e}”"))
        #expect(complaint(String(repeating: "x", count: 500)).hasSuffix(String(repeating: "x", count: 80) + "…”"))
    }

    @Test func `in seconds, even if it is long`() {
        let filler = String(repeating: "x,", count: 1 << 18)
        let clock = ContinuousClock()
        #expect(clock.measure { _ = complaint("apps: {a: {version: [" + filler + "]}}") } < .seconds(30))
    }
}
