import Files
import FoundationEssentials
import Glibc
import Testing

@testable import Inputs

struct `A confined folder` {
    let outside: Scratch
    let folder: String

    init() throws {
        outside = try Scratch()
        try outside.write("secret.der", "0secret")
        try outside.write("in/a.der", "0a")
        try outside.write("in/sub/b.der", "0b")
        folder = outside.path + "/in"
    }

    @Test(arguments: [
        "/etc/hostname", "../secret.der", "sub/../a.der", "sub/../../secret.der", "..", "leak.der", "up/secret.der",
        "absolute.der", "loop.der", "none.der", "a.der/x", "sub/none/x",
    ])
    func `opens no row's path that leads out, such as`(_ path: String) throws {
        try outside.link("in/leak.der", to: "../secret.der")
        try outside.link("in/up", to: "..")
        try outside.link("in/absolute.der", to: outside.path + "/secret.der")
        try outside.link("in/loop.der", to: "loop.der")
        try outside.write("in/devices.csv", "file\n\(path)\n")
        for loading in [true, false] {
            let found = try claims(folder, loading: loading)
            #expect(found.map(\.line) == ["devices.csv:2 receiptNotFound", "a.der 0a", "sub/b.der 0b"])
        }
    }

    @Test func `lets links through that stay inside`() throws {
        try outside.link("in/link.der", to: "sub/b.der")
        try outside.link("in/long.der", to: folder + "/sub/b.der")
        try outside.link("in/folder", to: "sub")
        try outside.write("in/devices.csv", "file\nfolder/b.der\n")
        let source = try Inputs([folder])
        #expect(
            try claims(of: source).map(\.line) == [
                "devices.csv:2 0b", "a.der 0a", "link.der 0b", "long.der 0b", "sub/b.der 0b",
            ])
        #expect(source.omissions.skipped.links == 1)
    }

    @Test func `opens nothing but regular files`() throws {
        #expect(unsafe mkfifo(folder + "/fifo", 0o600) == 0)
        try outside.link("in/device", to: "/dev/zero")
        try outside.write("in/devices.csv", "file\nfifo\nsub\n.\n/\ndevice\n")
        let source = try Inputs([folder])
        let found = try claims(of: source)
        #expect(
            found.prefix(5).map(\.fault?.kind) == [
                .receiptUnreadable, .receiptUnreadable, .receiptUnreadable, .receiptUnreadable, .receiptNotFound,
            ])
        #expect(found[1].fault?.reason == "is a directory")
        #expect(found.count == 7)
        #expect(source.omissions.skipped.specialFiles == 1)
        #expect(source.omissions.skipped.links == 1)
    }

    @Test func `reads up to 8 MiB of a file, and no byte more`() throws {
        let largest = [0x30] + [UInt8](repeating: 1, count: ReceiptLimit.bytes - 1)
        try outside.write("in/a.der", largest)
        try outside.write("in/sub/b.der", largest + [0])
        for loading in [true, false] {
            let found = try claims(folder, loading: loading)
            #expect(found[0].bytes?.count == ReceiptLimit.bytes)
            #expect(found[1].fault == InputFault(.receiptUnreadable, "over 8 MiB"))
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func `tells what may not be read`() throws {
        #expect(unsafe chmod(folder + "/a.der", 0) == 0)
        #expect(try claims(folder)[0].fault == InputFault(.receiptUnreadable, "Permission denied"))
    }

    @Test func `holds around a table too`() throws {
        let table = try outside.write("in/t.csv", "file\n../secret.der\na.der\n")
        #expect(try claims(table).map(\.line) == ["t.csv:2 receiptNotFound", "t.csv:3 0a"])
        let lines = try outside.write("in/t.jsonl", #"{"file": "../secret.der"}"# + "\n" + #"{"file": ".//a.der"}"#)
        #expect(try claims(lines).map(\.line) == ["t.jsonl:1 receiptNotFound", "t.jsonl:2 0a"])
    }

    @Test(arguments: [("a.der", true), ("link.der", true), ("leak.der", false), ("sub", false), ("fifo", false)])
    func `holds on a kernel without openat2`(_ path: String, _ isOpened: Bool) throws {
        try outside.link("in/link.der", to: "sub/b.der")
        try outside.link("in/leak.der", to: "../secret.der")
        #expect(unsafe mkfifo(folder + "/fifo", 0o600) == 0)
        let fence = try ConfinedDirectory(folder, isKernelOld: true)
        #expect((try? fence.open(Array(path.utf8 + [0]).span).number >= 0) ?? false == isOpened)
    }
}
