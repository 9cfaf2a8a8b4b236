import FoundationEssentials
import Testing

@testable import Files

struct `The contents of a file` {
    @Test func `are cut one byte after the limit`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "contents-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data([1, 2, 3, 4, 5]).write(to: file)
        #expect(try FileContents.bytes(of: file.path(), limit: 5) == [1, 2, 3, 4, 5])
        #expect(try FileContents.bytes(of: file.path(), limit: 3) == [1, 2, 3, 4])
        #expect(try FileContents.bytes(of: file.path(), limit: 100_000) == [1, 2, 3, 4, 5])
    }

    @Test func `of a folder, or of none, are an error that says which`() throws {
        let folder = FileManager.default.temporaryDirectory
        let error = #expect(throws: FileError.self) { try FileContents.bytes(of: folder.path(), limit: 10) }
        #expect(error?.isNotFound == false)
        let missing = folder.appending(path: UUID().uuidString).path()
        let absence = #expect(throws: FileError.self) { try FileContents.bytes(of: missing, limit: 10) }
        #expect(absence?.isNotFound == true)
    }
}

struct `The parts of a path` {
    @Test(arguments: [
        ("a/b/c.der", "a/b", "c.der"), ("c.der", "", "c.der"), ("/c.der", "/", "c.der"), ("//c.der", "/", "c.der"),
        ("a//c.der", "a/", "c.der"), ("a/", "a", ""), ("/", "/", ""), ("", "", ""), ("./c.der", ".", "c.der"),
    ])
    func `are the folder and the name`(path: String, folder: String, name: String) {
        let parts = PathParts(path)
        #expect(parts.folder == folder)
        #expect(parts.name == name)
    }

    @Test(arguments: [("a/b/c.der", "a/b/"), ("c.der", "./"), ("/c.der", "/"), ("a//c.der", "a//")])
    func `are a place, before which another name can be put`(path: String, place: String) {
        #expect(PathParts(path).place == place)
    }

    @Test func `are cut at a slash that a mark stands behind`() {
        let parts = PathParts("a/\u{301}b")
        #expect(parts.folder == "a")
        #expect(parts.name.unicodeScalars.elementsEqual("\u{301}b".unicodeScalars))
    }
}

struct `What the system says` {
    @Test func `of free space is believed, however large it is`() {
        #expect(SystemLimits.bytes(blocks: 1000, of: 4096) == 4_096_000)
        #expect(SystemLimits.bytes(blocks: .max, of: 4096) == UInt64.max)
    }

    @Test func `of free space is nothing where there is no folder`() {
        #expect(SystemLimits.freeBytes(in: "/no/such/folder") == nil)
        #expect(SystemLimits.freeBytes(in: "/") != nil)
    }

    @Test func `of an error is told in its words, or by its number`() {
        #expect(FileError(.read, "a", code: 2).reason == "No such file or directory")
        #expect(FileError(.read, "a", code: 9999).reason == "system error 9999")
    }
}
