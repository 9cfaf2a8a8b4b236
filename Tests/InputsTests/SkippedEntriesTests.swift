import Testing

@testable import Inputs

struct `What a folder holds besides receipts` {
    @Test func `names the first hundred unreadable folders, in whatever order they are met, and counts all`() {
        let paths = (0..<250).map { "folder-\($0)" } + ["\u{e9}", "e\u{301}"]
        let first = paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(100).map { Array($0.utf8) }
        var random = Seeded(state: 5)
        for _ in 0..<10 {
            var (parts, shuffled) = ([Omissions(), Omissions()], paths)
            shuffled.shuffle(using: &random)
            for (index, path) in shuffled.enumerated() { parts[index % 2].skipped.note(unreadableFolder: path) }
            let skipped = (parts[0] + parts[1]).skipped
            #expect(skipped.unreadablePaths.map { Array($0.utf8) } == first)
            #expect(skipped.unreadableFolders == 252)
        }
    }

    @Test func `is named as often as it is there`() {
        var omissions = Omissions()
        omissions.skipped.note(unreadableFolder: "a")
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
        let walk = FolderWalk(try ConfinedDirectory(folder.path), excluding: [])
        #expect(try walk.kind(0, Array(name.utf8)) == kind)
    }
}
