import Corpus
import Testing

@testable import Inputs

struct `A compressed table` {
    let folder: Scratch
    let rows: [UInt8]

    init() throws {
        folder = try Scratch()
        rows = Array("receipt_data,device_id\nTQ,\nTg,\n".utf8)
    }

    @Test func `is the same as one that is not`() throws {
        let table = try folder.write("t.csv.GZ", gzip(rows))
        #expect(try claims(table).map(\.line) == ["t.csv.GZ:2 M", "t.csv.GZ:3 N"])
        let lines = try folder.write("t.ndjson.gz", gzip(Array(#"{"receipt_data":"TQ"}"#.utf8)))
        #expect(try claims(lines).map(\.line) == ["t.ndjson.gz:1 M"])
    }

    @Test func `may be of several members, with zeros behind the last`() throws {
        let members = gzip(Array(rows[..<30])) + gzip([]) + gzip(Array(rows[30...]))
        let table = try folder.write("t.csv.gz", members + [UInt8](repeating: 0, count: 512))
        #expect(try claims(table).map(\.line) == ["t.csv.gz:2 M", "t.csv.gz:3 N"])
    }

    @Test func `that is truncated ends with one malformed row, wherever the cut is`() throws {
        let whole = gzip(rows)
        for count in 1..<whole.count {
            let found = try claims(folder.write("t.csv.gz", Array(whole[..<count])))
            #expect(found.last?.fault == InputFault(.rowMalformed, "the compressed file is truncated"))
            #expect(found.dropLast().allSatisfy { $0.fault == nil })
        }
        #expect(try claims(folder.write("t.csv.gz", Array(whole.dropLast()))).count == 3)
        #expect(try claims(folder.write("t.csv.gz", [])).isEmpty)
    }

    @Test func `that is damaged ends with one malformed row`() throws {
        var bytes = gzip(rows) + gzip(rows)
        bytes[bytes.count - 6] ^= 1
        let found = try claims(folder.write("t.csv.gz", bytes))
        #expect(found.last?.fault == InputFault(.rowMalformed, "the compressed file is damaged"))
        #expect(found.count == 6)
    }

    @Test func `is none if it begins like text, whatever its name`() throws {
        let found = try claims(folder.write("t.csv.gz", rows))
        #expect(found.count == 2 && found.allSatisfy { $0.fault == nil })
    }
}

/// A gzip file (RFC 1952) of blocks that are stored and not compressed.
func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var file: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1]
    file += littleEndian(UInt32(bytes.count), 2)
    file += littleEndian(~UInt32(bytes.count), 2)
    file += bytes
    file += littleEndian(PlainArchive.checksum(bytes), 4)
    file += littleEndian(UInt32(bytes.count), 4)
    return file
}

private func littleEndian(_ number: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
}
