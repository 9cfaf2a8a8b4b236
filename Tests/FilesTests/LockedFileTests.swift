import Files
import FoundationEssentials
import Glibc
import Testing

struct `A locked file` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "audit-lock-\(UUID())").path()

    @Test func `is one holder's at a time, and free when he goes`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/state"
        do {
            let file = try #require(try LockedFile(path))
            #expect(try LockedFile(path) == nil)
            #expect(file.size == 0)
        }
        #expect(try LockedFile(path) != nil)
    }

    @Test func `is free when its holder goes, though a child of his has it open`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/state"
        var copy: CInt = -1
        do {
            let file = try #require(try LockedFile(path))
            // As a child has it between fork and exec.
            copy = dup(try #require(Self.descriptor(of: file.path)))
        }
        defer { close(copy) }
        #expect(copy >= 0)
        #expect(try LockedFile(path) != nil)
    }

    /// The number of the open file of this name.
    private static func descriptor(of path: String) -> CInt? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap(CInt.init).first {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
    }

    @Test func `is not made where it is only looked for`() throws {
        let error = #expect(throws: FileError.self) { _ = try LockedFile(folder + "/state", isMade: false) }
        #expect(error?.isNotFound == true)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
