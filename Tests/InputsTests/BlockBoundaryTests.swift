import Corpus
import Encodings
import Testing

@testable import Inputs

/// Where tables and folders are cut into blocks.
struct `The end of a block` {
    /// The rows of a source with the bytes of each block, apart from where they stand.
    private func blocks(of path: String) throws -> [(count: Int, identity: [UInt8])] {
        let source = try Inputs([path])
        let loader = ClaimLoader(pool: BufferPool())
        var blocks: [(count: Int, identity: [UInt8])] = []
        while var block = try source.next() {
            _ = loader.load(&block)
            var identity: [UInt8] = []
            let hasIdentity = block.appendIdentity(to: &identity) { text, bytes in bytes.append(copying: text) }
            #expect(hasIdentity)
            blocks.append((block.count, identity))
        }
        return blocks
    }

    enum Form: CaseIterable {
        case csv
        case ndjson
    }

    private let folder: Scratch

    init() throws { folder = try Scratch() }

    /// The blocks of a table with these values.
    private func blocks(_ form: Form, _ rows: [String]) throws -> [(count: Int, identity: [UInt8])] {
        switch form {
        case .csv:
            try blocks(
                of: folder.write("x.csv", "receipt_data,account_id\n" + rows.map { "MAA=,\($0)\n" }.joined()))
        case .ndjson:
            try blocks(
                of: folder.write(
                    "x.ndjson", rows.map { #"{"receipt_data":"MAA=","account_id":"\#($0)"}"# + "\n" }.joined()))
        }
    }

    private func texts(_ count: Int, seed: UInt64, length: Int = 12) -> [String] {
        var random = Seeded(state: seed)
        return (0..<count).map { _ in
            var letters: [UInt8] = []
            while letters.count < length { letters.append(0x61 + UInt8(random.next() % 26)) }
            return String(decoding: letters, as: UTF8.self)
        }
    }

    private func unknown(
        _ after: [(count: Int, identity: [UInt8])], _ before: [(count: Int, identity: [UInt8])]
    ) -> Int {
        let known = Set(before.map(\.identity))
        return after.filter { !known.contains($0.identity) }.reduce(0) { $0 + $1.count }
    }

    @Test(arguments: Form.allCases) func `makes blocks of about 120 short rows, within its limits`(form: Form) throws {
        let rows = texts(20_000, seed: 1)
        let counts = try blocks(form, rows).map(\.count)
        #expect(counts.reduce(0, +) == rows.count)
        #expect(counts.dropLast().allSatisfy { (BlockBoundary.minCount...BlockBoundary.maxCount).contains($0) })
        #expect((100...140).contains(rows.count / counts.count))
    }

    @Test(arguments: Form.allCases) func `makes smaller blocks of long rows`(form: Form) throws {
        let rows = texts(Exhaustive.count(1000, sampled: 400), seed: 2, length: 6000)
        let counts = try blocks(form, rows).map(\.count)
        #expect(counts.reduce(0, +) == rows.count)
        #expect(counts.dropLast().allSatisfy { (10...BlockBoundary.maxBytes / 6000 + 1).contains($0) })
        #expect((25...60).contains(rows.count / counts.count))
    }

    @Test(arguments: Form.allCases, Exhaustive.cases([12, 300, 6000], every: 2))
    func `is the same around rows that are inserted, removed, changed or moved`(form: Form, length: Int) throws {
        let count = Exhaustive.count(length < 1000 ? 6000 : 1500, sampled: length < 1000 ? 3000 : 600)
        let rows = texts(count, seed: UInt64(length), length: length)
        let before = try blocks(form, rows)
        let (most, third) = (3 * BlockBoundary.maxCount, rows.count / 3)
        let new = texts(1, seed: 99, length: length)
        let changes: [(rows: [String], places: Int)] = [
            (rows[..<third] + new + rows[third...], 1), (Array(rows[..<third] + rows[(third + 1)...]), 1),
            (rows[..<third] + new + rows[(third + 1)...], 1), (new + rows, 1), (rows + new, 1),
            (Array(rows[third...] + rows[..<third]), 2),
        ]
        for (index, (changed, places)) in changes.enumerated() {
            let after = try blocks(form, changed)
            #expect(after.reduce(0) { $0 + $1.count } == changed.count)
            #expect(unknown(after, before) <= places * most, "change \(index)")
        }
    }

    /// Rows that give the same answer always: by their hash every one ends a block, or none does.
    @Test(arguments: ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"])
    func `stays within its limits where all rows are the same`(text: String) throws {
        for length in [1, 5000] {
            let rows = Array(repeating: String(repeating: text, count: length), count: 1000)
            let found = try blocks(.ndjson, rows)
            #expect(found.reduce(0) { $0 + $1.count } == rows.count)
            for block in found.dropLast() {
                #expect(block.count >= BlockBoundary.minCount || block.identity.count >= BlockBoundary.minBytes)
                #expect(block.count <= BlockBoundary.maxCount)
                #expect(block.identity.count <= BlockBoundary.maxBytes + 300 * 64)
            }
        }
    }

    @Test func `comes soon behind rows that cannot be read`() throws {
        let text = "receipt_data,account_id\n" + String(repeating: "one cell\n", count: 2000)
        let counts = try blocks(of: folder.write("x.csv", text)).map(\.count)
        #expect(counts.reduce(0, +) == 2000)
        #expect(counts.allSatisfy { $0 <= BlockBoundary.maxCount })
    }

    @Test func `is the same in a folder with a file more, and under another name of the folder`() throws {
        let names = texts(1500, seed: 5)
        for name in names { try folder.write("a/" + name, "0" + name) }
        let before = try blocks(of: folder.path + "/a")
        #expect(before.count > 5)
        try folder.write("a/" + names[700] + "a", "0new")
        #expect(unknown(try blocks(of: folder.path + "/a"), before) <= 3 * BlockBoundary.maxCount)
        try folder.move("a", to: "b")
        #expect(unknown(try blocks(of: folder.path + "/b"), before) <= 3 * BlockBoundary.maxCount)
    }

    @Test func `does not depend on the pieces in which a stream is read`() throws {
        let rows = texts(3000, seed: 6)
        let text = rows.map { #"{"receipt_data":"MAA=","account_id":"\#($0)"}"# + "\n" }.joined()
        let counts = [7, 1000, 1 << 20].map { piece in
            let source = LineSource(
                Pieces(text, piece), origin: ClaimOrigin(table: "x", unknownKeys: nil), pool: BufferPool())
            var counts: [Int] = []
            while let block = source.next() { counts.append(block.count) }
            return counts
        }
        #expect(counts[0] == counts[1] && counts[1] == counts[2] && counts[0].count > 10)
    }
}
