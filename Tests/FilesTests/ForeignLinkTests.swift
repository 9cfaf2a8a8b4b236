import Foundation
import Glibc
import Testing

@testable import Files

struct `A symbolic link in a report's place` {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(name), withDestinationPath: folder.path(target))
    }

    @Test func `stays, and its target is replaced`() throws {
        try folder.write("old", to: "target")
        try link("a", to: "target")
        let file = try OutputFile(replacing: folder.path("a"))
        try file.finish()
        try file.publish()
        #expect(folder.text(of: "target") == "")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("a")) == folder.path("target"))
    }

    @Test(
        arguments: [
            // A shared folder of root's: the link is the user's own, root's, or a stranger's.
            (1000, 0, 0o1777, false), (0, 0, 0o1777, false), (1001, 0, 0o1777, true),
            // A folder that is not shared by all, or not sticky: whoever can put a link there can replace files, too.
            (1001, 0, 0o1775, false), (1001, 0, 0o777, false),
            // A shared folder of the stranger's own.
            (1001, 1001, 0o1777, false),
        ] as [(uid_t, uid_t, mode_t, Bool)])
    func `is followed as Linux does`(owner: uid_t, folder: uid_t, mode: mode_t, isRefused: Bool) {
        #expect(ForeignLink.isRefused(link: owner, in: (folder, mode), to: 1000) == isRefused)
    }

    /// Only root can make another user's link.
    @Test(.enabled(if: geteuid() == 0), arguments: ["a", "folder/b"])
    func `of another user is an error, and its target stays as it was`(name: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path("own"), withIntermediateDirectories: true)
        for file in ["target", "own/b"] { try folder.write("old", to: file) }
        try link("a", to: "target")
        try link("folder", to: "own")
        for link in ["a", "folder"] { try give(folder.path(link), to: 65_534) }
        try share()
        let link = folder.path(String(name.prefix { $0 != "/" }))
        #expect(throws: FileError(.followLink, link, code: EACCES)) { _ = try OutputFile(replacing: folder.path(name)) }
        #expect(folder.text(of: "target") == "old" && folder.text(of: "own/b") == "old")
        try give(link, to: 0)
        _ = try OutputFile(replacing: folder.path(name))
    }

    @Test(.enabled(if: geteuid() == 0)) func `is found by a path in the working directory, too`() throws {
        try link("a", to: "target")
        try give(folder.path("a"), to: 65_534)
        try share()
        let relative = String(repeating: "../", count: 20) + folder.path("a").drop { $0 == "/" }
        #expect(ForeignLink.first(in: relative) == "./" + relative)
    }

    private func give(_ link: String, to user: uid_t) throws {
        try #require(unsafe lchown(link, user, user) == 0)
    }

    private func share() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: folder.path(""))
    }
}
