import Files
import FoundationEssentials
import Testing

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
