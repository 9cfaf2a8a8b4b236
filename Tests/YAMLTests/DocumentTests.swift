import Encodings
import Testing
import YAML

struct `A document` {
    @Test(arguments: ["1.10", "no", "0x10", "2026-01-01", "1e3", "a b"])
    func `keeps a text as it is written`(text: String) throws { #expect(try document(text).text == ExactText(text)) }

    @Test(arguments: ["", "~", "null", "Null", "NULL", "---", "# nothing"])
    func `may be empty`(text: String) throws { #expect(try document(text).isEmpty) }

    @Test(arguments: ["''", "'~'", "\"null\"", "nULL"])
    func `has a text where quotes or letters say so`(text: String) throws {
        #expect(try document(text).text != nil)
    }

    @Test func `has lists, and tables in the order of the file`() throws {
        let entries = try #require(try document("b: [x, y]\na:\nc: {d: z}\n").table)
        #expect(entries.map(\.key) == ["b", "a", "c"])
        #expect(entries[0].value.list?.map(\.text) == ["x", "y"])
        #expect(entries[1].value.isEmpty)
        #expect(entries[2].value.table?.map(\.value.text) == ["z"])
    }

    @Test func `says where its keys and values stand, in scalars`() throws {
        let entries = try #require(try document("a: 1\n\"é\u{301}漢\":   [x,\n  y]\n").table)
        #expect(entries.map(\.place.line) == [1, 2])
        #expect(entries.map(\.place.column) == [1, 1])
        #expect(entries[1].value.place.column == 10)
        #expect(entries[1].value.list?.map(\.place.line) == [2, 3])
    }

    @Test(arguments: ["!!str 1", "!!seq [a]", "!!map {a: b}"])
    func `may say by a tag what it is anyway`(text: String) throws {
        #expect(try !document(text).isEmpty)
    }

    @Test func `may nest as deep as no file of ours does`() throws {
        #expect(complaint(String(repeating: "[", count: 64) + String(repeating: "]", count: 64)) == "")
    }

    @Test(arguments: ["\u{feff}a", "a\r\n"])
    func `may begin and end as editors on Windows write it`(text: String) throws {
        #expect(try document(text).text == "a")
    }
}

/// A reader that makes no value of a document.
struct PlainReader: YAMLReader {
    var problems: [YAMLFileError.Problem] = []
}

/// The values of a text.
func document(_ text: String) throws(YAMLFileError) -> YAMLValue {
    try PlainReader.read(bytes: Array(text.utf8), name: "file.yml", limit: 8 << 20) { $1 }
}

/// The message about a text that cannot be read, or that a reader refuses; empty if there is no problem.
func complaint(
    _ bytes: [UInt8], limit: Int = 8 << 20, _ read: (inout PlainReader, YAMLValue) -> Void = { _, _ in }
) -> String {
    do throws(YAMLFileError) {
        try PlainReader.read(bytes: bytes, name: "file.yml", limit: limit, read)
        return ""
    } catch {
        return error.description
    }
}

func complaint(_ text: String, _ read: (inout PlainReader, YAMLValue) -> Void = { _, _ in }) -> String {
    complaint(Array(text.utf8), read)
}

extension YAMLValue {
    var list: [YAMLValue]? {
        guard case .list(let list) = content else { return nil }
        return list
    }

    var table: [YAMLEntry]? {
        guard case .table(let table) = content else { return nil }
        return table
    }

    var isEmpty: Bool {
        guard case .empty = content else { return false }
        return true
    }
}
