import Engine
import Testing

@testable import Streams

/// What processes wrote and read, compared.
struct `The balance of lines` {
    /// A process that wrote or read some lines.
    private static func traffic(_ edit: (inout LineTraffic) -> Void) -> LineTraffic {
        var traffic = LineTraffic()
        edit(&traffic)
        return traffic
    }

    private static func reason(_ traffic: LineTraffic...) -> String? {
        var balance = LineBalance()
        for part in traffic { balance.add(part) }
        do throws(LineFault) { try balance.check() } catch {
            guard case .incomplete(let reason) = error else { return "\(error)" }
            return reason
        }
        return nil
    }

    private static let kinds = Array("rtdabnpujcfe".utf8)

    @Test(arguments: kinds)
    func `is even if each line is read once, in any order and by any process`(kind: UInt8) {
        let mapped = Self.traffic { for sum in 1...3 { $0.written.add(kind, UInt32(sum)) } }
        let first = Self.traffic { $0.read.add(kind, 3) }
        let second = Self.traffic { for sum in [2, 1] { $0.read.add(kind, UInt32(sum)) } }
        #expect(Self.reason(first, mapped, second) == nil)
        #expect(Self.reason(mapped, first)?.contains("3 lines \(String(UnicodeScalar(kind)))… ") == true)
        #expect(Self.reason(mapped, first, second, second)?.contains("were written and 5 read") == true)
    }

    @Test func `tells other lines from the same number of lines`() {
        let mapped = Self.traffic { $0.written.add(0x63, 7) }
        let other = Self.traffic { $0.read.add(0x63, 8) }
        #expect(Self.reason(mapped, other)?.contains("1 lines c… (claims) were written and 1 others read") == true)
    }

    @Test func `needs the findings in rings in every process that reads claims`() {
        var ring = LineCount()
        ring.add(9)
        let rings = Self.traffic { $0.written.add(0x30, 9) }
        let joined = Self.traffic { $0.notices = ring }
        let lacking = Self.traffic { $0.notices = LineCount() }
        #expect(Self.reason(rings, joined, joined) == nil)
        #expect(Self.reason(rings) == nil)
        #expect(Self.reason(rings, joined, lacking)?.hasPrefix("1 lines 0 (findings in rings)") == true)
    }

    @Test func `needs every part once, and all of one number of parts`() throws {
        func part(_ text: String) throws -> LineTraffic {
            let part = try #require(MapPart(text))
            return Self.traffic { $0.part = part }
        }
        #expect(Self.reason(try part("2/2"), try part("1/2")) == nil)
        #expect(
            Self.reason(try part("3/3"), try part("1/3"))?.hasPrefix("1 of 3 parts of the claims are missing") == true)
        #expect(Self.reason(try part("1/2"), try part("1/2"))?.contains("part 1 of 2 is there twice") == true)
        #expect(Self.reason(try part("1/2"), try part("2/3"))?.contains("one part is of 2, another of 3") == true)
        let unnumbered = Self.traffic { $0.isUnnumbered = true }
        #expect(Self.reason(try part("1/1"), unnumbered)?.contains("others without") == true)
        #expect(Self.reason(unnumbered, unnumbered) == nil)
    }

    @Test(arguments: [(1, 0), (-1, -5), (0, 3), (4, 3), (1, .max)])
    func `refuses a part that cannot be, whatever a line says`(number: Int, count: Int) throws {
        var part = try #require(MapPart("1/1"))
        (part.number, part.count) = (number, count)
        let found = part
        #expect(Self.reason(Self.traffic { $0.part = found }) == "a part is \(number) of \(count)")
    }

    @Test(arguments: ["", "1", "0/1", "2/1", "1/0", "1/2/3", "-1/2", "1/1000001", " 1/2", "a/b"])
    func `has no part of such a number`(text: String) { #expect(MapPart(text) == nil) }
}

/// How many rows a table has, as the summary says.
struct `The end of a table` {
    @Test func `is read as it was written`() throws {
        var line = LineWriter()
        var rows = LineCount()
        rows.add(.max)
        let end = TableEnd(of: "receipts", rows: rows)
        try end.write(to: &line)
        let text: [UInt8] = line.bytes.dropLast()
        #expect(try TableEnd(text.span) == end)
    }

    @Test(arguments: ["", "{}", #"{"table":"receipts","csv":"a"}"#])
    func `is no other line`(text: String) throws { #expect(try TableEnd(Array(text.utf8).span) == nil) }

    @Test(arguments: [
        #"{"table":"end","of":"x"}"#, #"{"table":"end","of":"x","rows":"1"}"#,
        #"{"table":"end","of":"x","rows":"1-g"}"#,
    ])
    func `is refused if it is damaged`(text: String) {
        #expect(throws: LineFault.malformed("it is no end of a table")) { try TableEnd(Array(text.utf8).span) }
    }
}
