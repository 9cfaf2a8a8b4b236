import Encodings
import Testing

@testable import YAML

/// A reader's messages about a value that it does not accept.
struct `A reader` {
    @Test(arguments: [
        ("[a]", "1:1: a job must be a table of keys, not a list"), ("a", "1:1: a job must be a table of keys, not “a”"),
        ("{inputs: 1, input: 2}", "1:13: unknown key “input”; did you mean “inputs”?"),
        ("{quite other: 2}", "1:2: unknown key “quite other”; known: inputs, memory"),
    ])
    func `refuses what is no table of known keys`(text: String, message: String) {
        let found = complaint(text) { reader, root in _ = reader.table(root, "a job", keys: ["inputs", "memory"]) }
        #expect(found == "file.yml:" + message)
    }

    @Test func `does not list more keys than a person reads`() {
        let keys = (1...9).map { "key-\($0)" as ExactText }
        let found = complaint("{quite other: 2}") { reader, root in _ = reader.table(root, "a job", keys: keys) }
        #expect(found == "file.yml:1:2: unknown key “quite other”")
    }

    @Test func `refuses a blank key where any other is known`() {
        let found = complaint("{' ': 1, a: 2}") { reader, root in
            #expect(reader.table(root, "“apps”").map(\.key) == ["a"])
        }
        #expect(found == "file.yml:1:2: a key under “apps” must not be blank")
    }

    @Test(arguments: [
        ("a", "1:1: “names” must be a list of names, not “a”"),
        ("~", "1:1: “names” must be a list of names, and is empty"),
        ("[]", "1:1: “names” is an empty list; leave the key out instead"),
        ("[a, {b: c}]", "1:5: “names” must be a list of names, not a table of keys"),
        ("[a, '']", "1:5: “names” must be a list of names, not “”"),
        ("[a, ' ']", "1:5: “names” must be a list of names, not “ ”"),
    ])
    func `refuses what is no list of texts`(text: String, message: String) {
        let found = complaint(text) { reader, root in _ = reader.texts(root, "names", of: "names") }
        #expect(found == "file.yml:" + message)
    }

    @Test func `takes an empty text where it means something, and a blank one never`() {
        let found = complaint("['', ' ']") { reader, root in
            #expect(reader.texts(root, "names", of: "names", allowsEmpty: true).map(\.text) == [""])
        }
        #expect(found == "file.yml:1:6: “names” must be a list of names, not “ ”")
    }

    @Test(arguments: [
        ("hihg", "not “hihg”; did you mean “high”?"), ("High", "not “High”; did you mean “high”?"), ("x", "not “x”"),
        ("[high]", "not a list"),
    ])
    func `refuses what is none of a few words`(text: String, message: String) {
        let found = complaint(text) { reader, root in _ = reader.word(root, "level", among: ["high", "low"]) }
        #expect(found == "file.yml:1:1: “level” must be one of high, low, " + message)
    }

    @Test func `takes what is as it must be`() {
        let found = complaint("{a: [x, y], b: high, c: ' z '}") { reader, root in
            let values = reader.table(root, "a job", keys: ["a", "b", "c"]).map(\.value)
            #expect(reader.texts(values[0], "a", of: "names").map(\.text) == ["x", "y"])
            #expect(reader.word(values[1], "b", among: ["high", "low"]) == "high")
            #expect(reader.text(values[2], "c", "a text") == " z ")
        }
        #expect(found == "")
    }

    @Test func `tells all that is wrong in the order of the file, and up to twenty`() {
        let list = "[" + (1...30).map { "x\($0)" }.joined(separator: ", ") + "]"
        let found = complaint(list) { reader, root in
            for item in (root.list ?? []).reversed() { reader.refuse(item, "wrong") }
        }
        let lines = found.split(separator: "\n")
        #expect(lines.first == "file.yml:1:2: wrong, not “x1”")
        #expect(lines.count == 21)
        #expect(lines.last == "file.yml: and 10 more")
    }

    @Test func `says what is wrong with the whole before all else`() {
        let found = complaint("a") { reader, root in
            reader.report(root.place, "second")
            reader.problems.append(YAMLFileError.Problem(nil, "first"))
        }
        #expect(found == "file.yml: first\nfile.yml:1:1: second")
    }
}
