import Dispatch
import Files
import Foundation
import Synchronization
import Testing

struct `An output file` {
    @Test func `is its old self until it is published`() throws {
        try withFolder { folder in
            let path = folder + "/report.csv"
            try Data("old".utf8).write(to: URL(filePath: path))
            let file = try OutputFile(replacing: path)
            try file.write(Array("new".utf8).span)
            try file.finish()
            #expect(contents(path) == "old")
            try file.publish()
            #expect(contents(path) == "new")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["report.csv"])
        }
    }

    @Test func `leaves nothing behind if it is given up`() throws {
        try withFolder { folder in
            do {
                let file = try OutputFile(replacing: folder + "/report.csv")
                try file.write(Array("half".utf8).span)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test func `makes the folders that are missing`() throws {
        try withFolder { folder in
            let path = folder + "/2026/11/report.csv"
            let file = try OutputFile(replacing: path)
            try file.finish()
            try file.publish()
            #expect(contents(path) == "")
        }
    }

    @Test func `says which file could not be made, and why`() throws {
        try withFolder { folder in
            try Data().write(to: URL(filePath: folder + "/file"))
            let error = #expect(throws: FileError.self) {
                _ = try OutputFile(replacing: folder + "/file/report.csv")
            }
            #expect(error?.description.contains("\(folder)/file") == true)
            #expect(error?.description.hasSuffix("Not a directory") == true)
        }
    }

    @Test func `behind a symbolic link is written through it`() throws {
        try withFolder { folder in
            try Data("old".utf8).write(to: URL(filePath: folder + "/real.csv"))
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/link.csv", withDestinationPath: "real.csv")
            let file = try OutputFile(replacing: folder + "/link.csv")
            try file.write(Array("new".utf8).span)
            try file.finish()
            try file.publish()
            #expect(contents(folder + "/real.csv") == "new")
        }
    }

    @Test func `behind a symbolic link to nothing is made where that points`() throws {
        try withFolder { folder in
            let links = ["link.csv": "second.csv", "second.csv": "below/real.csv"]
            for (link, target) in links {
                try FileManager.default.createSymbolicLink(
                    atPath: folder + "/" + link, withDestinationPath: target)
            }
            let file = try OutputFile(replacing: folder + "/link.csv")
            try file.write(Array("new".utf8).span)
            try file.finish()
            try file.publish()
            for (link, target) in links {
                #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + link) == target)
            }
            #expect(contents(folder + "/below/real.csv") == "new")
        }
    }

    @Test func `that is a device is written directly`() throws {
        let file = try OutputFile(replacing: "/dev/null")
        try file.write(Array("gone".utf8).span)
        try file.finish()
        try file.publish()
        #expect(FileManager.default.fileExists(atPath: "/dev/null"))
    }

    @Test func `may be written by who insists on a name, or copied from another file`() throws {
        try withFolder { folder in
            let file = try OutputFile(replacing: folder + "/made.bin")
            let made = try #require(file.temporaryPath)
            let handle = try #require(FileHandle(forWritingAtPath: made))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data(repeating: 7, count: 300_000))
            try handle.close()

            let copy = try OutputFile(replacing: folder + "/copy.bin")
            try copy.write(contentsOf: made)
            for file in [file, copy] {
                try file.finish()
                try file.publish()
            }
            #expect(file.temporaryPath == nil)
            #expect(contents(folder + "/made.bin") == contents(folder + "/copy.bin"))
            #expect(try FileContents.tail(of: folder + "/copy.bin", atMost: 3, for: "it").prefix(3) == [7, 7, 7])
            #expect(try OutputFile(replacing: "/dev/null").temporaryPath == nil)
        }
    }

    @Test func `is there from its beginning to its end, whoever else writes the same file`() throws {
        try withFolder { folder in
            let lost = Atomic(0)
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                for _ in 0..<500 {
                    let file = try? OutputFile(replacing: folder + "/report.csv")
                    let isThere = file?.temporaryPath.map { FileManager.default.fileExists(atPath: $0) } ?? false
                    if !isThere { lost.add(1, ordering: .relaxed) }
                }
            }
            #expect(lost.load(ordering: .relaxed) == 0)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(left.isEmpty)
        }
    }

    private func contents(_ path: String) -> String? {
        (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
    }

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "audit-files-\(UUID())").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }
}
