import Files
import Foundation
import Testing

struct `Files that are published together` {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func finished(_ name: String, _ text: String) throws -> OutputFile {
        let file = try OutputFile(replacing: folder.path(name))
        try file.write(Array(text.utf8).span)
        try file.finish()
        return file
    }

    @Test func `all appear, and nothing lies beside them`() throws {
        try folder.write("old", to: "a")
        try Publication.publish([finished("a", "new a"), finished("b", "new b")])
        #expect(try folder.names == ["a", "b"])
        #expect(folder.text(of: "a") == "new a")
        #expect(folder.text(of: "b") == "new b")
    }

    @Test func `are all their old selves if one of them cannot appear`() throws {
        try folder.write("old", to: "a")
        do {
            let files = [try finished("a", "new a"), try finished("b", "new b"), try finished("c/d", "new d")]
            // The folder of the third goes while it is written.
            try FileManager.default.removeItem(atPath: folder.path("c"))
            #expect(throws: FileError.self) { try Publication.publish(files) }
            #expect(folder.text(of: "a") == "old")
        }
        #expect(try folder.names == ["a"])
        #expect(folder.text(of: "a") == "old")
    }

    @Test func `may be the same file twice: the last one stays`() throws {
        try Publication.publish([finished("a", "first"), finished("a", "second")])
        #expect(try folder.names == ["a"])
        #expect(folder.text(of: "a") == "second")
    }

    @Test func `are for their owner only, whatever was there before`() throws {
        try folder.write("old", to: "a")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path("a"))
        try Publication.publish([finished("a", "new")])
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path("a"))[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }
}

struct `What a run that was killed left of a file` {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test func `is removed by the next one`() throws {
        try folder.write("half", to: ".a.csv.audit-Ab3xyz")
        let file = try OutputFile(replacing: folder.path("a.csv"))
        try file.finish()
        try file.publish()
        #expect(try folder.names == [".a.csv.audit-Ab3xyz", "a.csv"], "which is told where others name no files")
        StaleFiles.remove(beside: folder.path("a.csv"))
        #expect(try folder.names == ["a.csv"])
    }

    @Test func `stays while somebody still writes it`() throws {
        let first = try OutputFile(replacing: folder.path("a.csv"))
        StaleFiles.remove(beside: folder.path("a.csv"))
        let second = try OutputFile(replacing: folder.path("a.csv"))
        for file in [first, second] {
            try file.finish()
            try file.publish()
        }
        #expect(try folder.names == ["a.csv"])
    }

    @Test func `of another date is removed a day later`() throws {
        let (old, new) = (".f-2026-11-01.csv.audit-Ab3xyz", ".f-2026-11-23.csv.audit-Ab3xyz")
        let others = [".f-2026-11-x1.csv.audit-Ab3xyz", ".g-2026-11-01.csv.audit-Ab3xyz", "f-2026-11-01.csv"]
        for name in others + [old, new] {
            try folder.write("half", to: name)
            let age: TimeInterval = name == new ? 3600 : 90_000
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: folder.path(name))
        }
        StaleFiles.remove(beside: folder.path("f-2026-11-24.csv"))
        #expect(try folder.names == (others + [old, new]).sorted(), "the name has no date that is known")
        StaleFiles.remove(beside: folder.path("f-2026-11-24.csv"), varying: ["2026-11-24"])
        #expect(try folder.names == (others + [new]).sorted())
    }

    @Test(arguments: [
        ".b.csv.audit-Ab3xyz", ".a.csv.audit-backup1", ".a.csv.audit-", "a.csv.audit-Ab3xyz", ".a.csv.Ab3xyz",
    ])
    func `is nothing else`(name: String) throws {
        try folder.write("somebody's own", to: name)
        StaleFiles.remove(beside: folder.path("a.csv"))
        #expect(try folder.names == [name])
    }
}

/// A folder for one test, removed when the test is over.
final class TestFolder {
    private let root = FileManager.default.temporaryDirectory.appending(path: "audit-files-\(UUID())").path()

    init() throws { try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    func path(_ name: String) -> String { root + "/" + name }

    func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: URL(filePath: path(name))) }

    func text(of name: String) -> String? {
        (try? Data(contentsOf: URL(filePath: path(name)))).map { String(decoding: $0, as: UTF8.self) }
    }

    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: root).sorted() } }
}
