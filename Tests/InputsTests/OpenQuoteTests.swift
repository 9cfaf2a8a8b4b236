import Encodings
import Testing

@testable import Inputs

/// A quote that nobody closed, in tables whose rows take several lines or have one cell.
struct `An open quote` {
    private static let receipt = "MIIROAYJKoZIhvcNAQcCoIIRKTCCESUCAQEx"
    private static let wrapped =
        receipt + "\n" + [String](repeating: "ABCD+/ab", count: 5).joined(separator: "\n") + "\nAA=="

    /// The sources of the claims, those that cannot be read with a mark; the same for pieces of any size.
    private func sources(_ lines: [String], damages: Int) throws -> [String] {
        let table = lines.joined(separator: "\n") + "\n"
        var all: [[String]] = []
        for (size, lineBreak) in [
            (Int.max, "\n"), (1, "\n"), (7, "\n"), (Int.max, "\r\n"), (3, "\r\n"), (Int.max, "\r"),
        ] {
            let text = table.replacing("\n", with: lineBreak)
            let source = TableSource(Pieces(text, size), table: "t", folder: nil, pool: BufferPool())
            all.append(try claims(of: source).map { "\($0.claim.source)\($0.fault == nil ? "" : "!")" })
            #expect(source.omissions.damages.count == damages)
        }
        // Lines in cells that end in CR alone are not counted.
        #expect(all.dropLast().allSatisfy { $0 == all[0] })
        let marks = all.map { $0.map { $0.hasSuffix("!") } }
        #expect(marks.last == marks[0])
        return all[0]
    }

    @Test func `in a table of one column costs its row`() throws {
        let rows = [String](repeating: Self.receipt, count: 20)
        let found = try sources(["receipt_data"] + rows + ["\"" + Self.receipt] + rows, damages: 1)
        #expect(found.count == 41 && found.count { $0.hasSuffix("!") } == 1 && found[20] == "t:22!")
        #expect(found.last == "t:42")
    }

    @Test func `in a table of one column with tokens or files costs its row`() throws {
        let tokens = try sources(["jws", "eyJh.eyJi.c2ln", "\"eyJh", "eyJh.eyJi.c2ln", "eyJh.eyJi.c2ln"], damages: 1)
        #expect(tokens == ["t:2", "t:3!", "t:4", "t:5"])
        let files = TableSource(
            Pieces("file\na.der\n\"b.der\nc.der\nd.der\n", .max), table: "t", folder: nil, pool: BufferPool())
        #expect(try claims(of: files).map(\.claim.file) == ["a.der", "", "c.der", "d.der"])
    }

    @Test(arguments: [0, 2, 4])
    func `in the last cell of a row with a receipt in lines costs that row`(broken: Int) throws {
        var rows = (0..<5).map { "\"\(Self.wrapped)\",dev,acc\($0)" }
        rows[broken] = "\"\(Self.wrapped)\",,\"acc"
        let found = try sources(["receipt_data,device_id,account_id"] + rows, damages: 1)
        #expect(found == (0..<5).map { "t:\(2 + 7 * $0)" + ($0 == broken ? "!" : "") })
    }

    @Test(arguments: [0, 2, 4])
    func `of the receipt itself costs that row`(broken: Int) throws {
        var rows = (0..<5).map { "dev,\"\(Self.wrapped)\",acc\($0)" }
        rows[broken] = "dev,\"\(Self.wrapped),acc"
        let found = try sources(["device_id,receipt_data,account_id"] + rows + ["dev,\(Self.receipt),x"], damages: 1)
        #expect(found == (0..<5).map { "t:\(2 + 7 * $0)" + ($0 == broken ? "!" : "") } + ["t:37"])
    }

    @Test func `that makes one row of several is told of, whatever these hold`() throws {
        let source = TableSource(
            Pieces("receipt_data,device_id,account_id\nTQ,,\"x\n\"y\",b\nTg,,\n", .max), table: "t", folder: nil,
            pool: BufferPool())
        _ = try claims(of: source)
        #expect(source.omissions.damages.map(\.source) == ["t:2"])
        // A row of its own is read as written.
        let other = TableSource(
            Pieces("receipt_data,device_id,account_id\nTQ,,5\" x\nTQ,,a \"b\" c\n", .max), table: "t", folder: nil,
            pool: BufferPool())
        #expect(try claims(of: other).count == 2 && other.omissions.damageCount == 0)
    }

    @Test func `is none in receipts in lines`() throws {
        let rows = (0..<5).map { "\"\(Self.wrapped)\",\"a\nb\",acc\($0)" }
        let found = try sources(["receipt_data,device_id,account_id"] + rows, damages: 0)
        #expect(found == (0..<5).map { "t:\(2 + 8 * $0)" })
    }
}
