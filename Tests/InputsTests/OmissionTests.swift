import Corpus
import Files
import Testing

@testable import Inputs

struct `Skipped entries` {
    @Test func `names the first hundred unreadable folders, in whatever order they are met, and counts all`() {
        let paths = (0..<250).map { "folder-\($0)" } + ["\u{e9}", "e\u{301}"]
        let first = paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(100).map { Array($0.utf8) }
        var random = Seeded(state: 5)
        for _ in 0..<10 {
            var (parts, shuffled) = ([Omissions(), Omissions()], paths)
            shuffled.shuffle(using: &random)
            for (index, path) in shuffled.enumerated() { parts[index % 2].skipped.add(unreadableFolder: path) }
            let skipped = (parts[0] + parts[1]).skipped
            #expect(skipped.unreadablePaths.map { Array($0.utf8) } == first)
            #expect(skipped.unreadableFolders == 252)
        }
    }

    @Test func `is named as often as it is there`() {
        var omissions = Omissions()
        omissions.skipped.add(unreadableFolder: "a")
        #expect((omissions + omissions).skipped.unreadablePaths == ["a", "a"])
    }

    @Test(arguments: [
        ("file", FolderWalk.Kind.file), ("sub", .folder), ("to-file", .file), ("to-folder", .link),
        ("to-nothing", .link),
        ("to-itself", .link), ("none", .link),
    ])
    func `is told apart on file systems that do not say what an entry is`(name: String, kind: FolderWalk.Kind) throws {
        let folder = try Scratch()
        try folder.write("file", "0")
        try folder.write("sub/file", "0")
        try folder.link("to-file", to: "sub/file")
        try folder.link("to-folder", to: "sub")
        try folder.link("to-nothing", to: "nothing")
        try folder.link("to-itself", to: "to-itself")
        let walk = FolderWalk(try ConfinedDirectory(folder.path))
        #expect(try walk.kind(0, Array(name.utf8)) == kind)
    }
}

struct `Unknown keys` {
    /// What the summary names of lines with one such key each.
    private func named(_ names: [String]) throws -> [[UInt8]] {
        let lines = names.map { #"{"receipt_data":"","\#($0)":1}"# + "\n" }
        let keys = UnknownKeys()
        let origin = ClaimOrigin(table: "t", unknownKeys: keys)
        let source = LineSource(Pieces(lines.joined(), 1 << 20), origin: origin, pool: BufferPool())
        let decoder = ClaimDecoder()
        while let next = source.next() {
            try decoder.forEachClaim(in: next, onReceipt: { _, _, _ in }, onFault: { _, _, _ in })
        }
        return keys.names.map { Array($0.utf8) }
    }

    private func sorted(_ names: [String]) -> [[UInt8]] {
        names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    @Test func `are named, the first hundred in order`() throws {
        let names = (0..<127).map { "key \($0)" }
        for names in [names, names.reversed()] {
            #expect(try named(names) == Array(sorted(names).prefix(100)))
        }
    }

    @Test func `leave no room to others only where they can be named`() throws {
        let long = (0..<120).map { "\($0)" + String(repeating: "x", count: 100) }
        #expect(try named(long + ["short"]) == sorted(["short"]))
    }

    @Test func `are two where they are spelled in two ways`() throws {
        for names in [["\u{e9}", "e\u{301}"], ["e\u{301}", "\u{e9}"]] {
            #expect(try named(names) == sorted(names))
        }
    }

    @Test func `are all in the summary, however they are spelled`() throws {
        let folder = try Scratch()
        let table = try folder.write("t.csv", "receipt_data,\u{e9},e\u{301},\u{e9}\n")
        let source = try Inputs([table])
        _ = try claims(of: source)
        #expect(
            source.omissions.unknownColumns.map { Array($0.utf8) } == ["\u{e9}", "e\u{301}"].map { Array($0.utf8) })
    }
}
