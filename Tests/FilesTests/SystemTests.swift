import Testing

@testable import Files

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
