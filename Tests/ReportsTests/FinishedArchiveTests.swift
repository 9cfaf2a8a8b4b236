import Testing

@testable import Reports

struct `The list at the end of an archive` {
    /// One part of 1,000 bytes, named `xl/a.xml`, and the end of the list.
    private static let tail: [UInt8] = entry("xl/a.xml", size: 1000) + end(listSize: 54)

    @Test func `says which parts there are, and how large`() {
        let archive = FinishedArchive(tail: [1, 2, 3] + Self.tail)
        #expect(archive.sizes == ["xl/a.xml": 1000])
        #expect(archive.hasParts(ofAtLeast: ["xl/a.xml": 1000]))
        #expect(!archive.hasParts(ofAtLeast: ["xl/a.xml": 1001]))
        #expect(!archive.hasParts(ofAtLeast: ["xl/b.xml": 0]))
    }

    @Test func `cannot say more than that a part is large`() {
        let tail = Self.entry("a", size: FinishedArchive.large) + Self.end(listSize: 47)
        #expect(FinishedArchive(tail: tail).hasParts(ofAtLeast: ["a": 5 << 30]))
    }

    @Test(arguments: 0..<76)
    func `is not there if the file is cut short`(length: Int) {
        #expect(FinishedArchive(tail: Array(Self.tail.prefix(length))).sizes.isEmpty)
    }

    private static func entry(_ name: String, size: Int) -> [UInt8] {
        var entry = [UInt8](repeating: 0, count: 46)
        entry.replaceSubrange(0..<4, with: [0x50, 0x4b, 1, 2])
        for index in 0..<4 { entry[24 + index] = UInt8(truncatingIfNeeded: size >> (8 * index)) }
        entry[28] = UInt8(name.utf8.count)
        return entry + Array(name.utf8)
    }

    private static func end(listSize: UInt8) -> [UInt8] {
        [0x50, 0x4b, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0, listSize, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    }
}
