import Encodings
import Engine
import Rules
import Testing

@testable import Streams

/// Rows among the lines that `audit map` and `audit reduce` write.
struct `A row that was written as CSV` {
    private func row(_ line: String, of table: String = "receipts") throws(LineFault) -> WrittenRow? {
        var reader = RowReader(table)
        return try reader.row(Array(line.utf8).span)
    }

    @Test func `is found by its table`() throws {
        let line = #"{"table":"receipts","source":"a","csv":"a,\"b\",c"}"#
        #expect(try row(line)?.csv == #"a,"b",c"#)
        #expect(try row(line, of: "summary") == nil)
    }

    @Test func `is found wherever its keys stand`() throws {
        #expect(try row(#"{"csv":"a","x":{"table":"fraud","csv":[1]},"table":"receipts"}"#)?.csv == "a")
    }

    @Test(arguments: ["", "c01\t[2,0]", "[]", "text", " {}"])
    func `is no other line`(line: String) throws { #expect(try row(line) == nil) }

    @Test(
        arguments: [
            (#"{"table":"receipts"}"#, "the row has no key csv: give map and reduce --csv"),
            ("{\"table\":\"receipts\",\"csv\":\"\u{0}\"}", nil), (#"{"table":"receipts","csv":"a""#, nil),
        ] as [(String, String?)])
    func `is refused if it is damaged`(line: String, reason: String?) {
        let found = #expect(throws: LineFault.self) { _ = try row(line) }
        if let reason { #expect(found == .malformed(reason)) }
    }

    @Test func `has what a finding is sorted by`() throws {
        let line =
            #"{"table":"fraud","severity":"high","rule":"shared-receipt","subject":"receipt:1","claims":3,"#
            + #""devices":2,"accounts":1,"sources":"a;b","evidence":"e","confidence":"possible","csv":"x"}"#
        let finding = try row(line, of: "fraud")?.finding
        #expect(finding?.severity == .high && finding?.rule == "shared-receipt" && finding?.subject == "receipt:1")
        #expect(finding?.confidence == .possible)
    }

    @Test func `has what an entity is sorted by`() throws {
        let line =
            #"{"table":"entities","kind":"account","id":"ana","score":12.5,"at_stake":"at least 4.99","active":true,"#
            + #""last_presented":"2026-05-01T00:00:00Z","csv":"x"}"#
        let order = try #require(try row(line, of: "entities")?.entity)
        #expect(order.score == 125 && order.stake == 4_990_000 && order.entity.id == "ana")
        #expect(order.lastPresented == Instant(seconds: 1_777_593_600))
    }

    @Test(arguments: [#""score":"x""#, #""score":1,"at_stake":"x""#, #""score":1,"last_presented":"x""#])
    func `is no entity if that cannot be read`(cells: String) throws {
        let found = try row(#"{"table":"entities","kind":"account","id":"a","csv":"",\#(cells)}"#, of: "entities")
        #expect(try #require(found).entity == nil)
    }

    @Test(arguments: [
        #"{"table":"fraud","rule":"x","csv":""}"#, #"{"table":"fraud","severity":"bad","rule":"x","csv":""}"#,
    ])
    func `is no finding without what each has`(line: String) throws {
        let found = try #require(try row(line, of: "fraud"))
        #expect(found.finding == nil)
    }
}
