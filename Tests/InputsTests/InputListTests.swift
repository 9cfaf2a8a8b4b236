import Encodings
import Testing

@testable import Inputs

struct `A list of INPUTs` {
    let folder: Scratch

    init() throws { folder = try Scratch() }

    @Test func `is read in its order, and its claims are called by the INPUT as it was written`() throws {
        try folder.write("f/a.der", "0a")
        try folder.write("f/b.der", "0b")
        try folder.write("f/devices.csv", "file\nb.der\n")
        let one = try folder.write("one", "MA==")
        let two = try folder.write("two.der", "02")
        let table = try folder.write("t.csv", "receipt_data\nTQ\n")
        let lines = try folder.write("t.jsonl", "{\"receipt_data\": \"Tg\"}\n")
        let found = try claims(one, folder.path + "/f/", table, two, one, lines)
        #expect(
            found.map(\.line) == [
                "\(one) 0", "\(folder.path)/f/devices.csv:2 0b", "\(folder.path)/f/a.der 0a", "\(table):2 M",
                "\(two) 02", "\(one) 0", "\(lines):1 N",
            ])
    }

    @Test func `of one file calls it by its name`() throws {
        let found = try claims(folder.write("one.der", "01"))
        #expect(found.map(\.line) == ["one.der 01"])
        #expect(found[0].claim.file == "one.der")
    }

    @Test(arguments: [("-", "stdin"), ("/a/b.csv", "b.csv"), ("b.csv", "b.csv"), ("a/ä.jsonl", "ä.jsonl")])
    func `of one table calls it by its short name`(_ input: String, _ name: String) {
        #expect(ClaimNames(input: GivenPath(input), isOnly: true).table == name)
        #expect(ClaimNames(input: GivenPath(input), isOnly: false).table == input)
    }

    @Test func `does not begin if one is missing`() throws {
        try folder.write("a.der", "0a")
        #expect(throws: InputError.notFound(path: folder.path + "/b.der")) {
            try Inputs([folder.path + "/a.der", folder.path + "/b.der"])
        }
        #expect(throws: InputError.notFound(path: folder.path + "/none.csv")) {
            try Inputs([folder.path], manifestPath: folder.path + "/none.csv")
        }
    }

    @Test func `has one folder for one manifest`() throws {
        let manifest = try folder.write("m.csv", "file\n")
        #expect(throws: InputError.manifestWithoutFolder(path: manifest)) {
            try Inputs([folder.path, folder.path], manifestPath: manifest)
        }
        #expect(throws: InputError.manifestWithoutFolder(path: manifest)) {
            try Inputs([manifest], manifestPath: manifest)
        }
    }

    @Test func `knows how far it has come`() throws {
        for number in 0..<500 { try folder.write("\(number)", "0") }
        let source = try Inputs([folder.path])
        #expect(source.fraction == 0)
        let first = try #require(try source.next())
        #expect(source.fraction == Double(first.count) / 500)
        while try source.next() != nil {}
        #expect(source.fraction == 1)
    }
}
