import Encodings
import Engine
import Files
import Inputs
import Reports
import Subscriptions

/// The number of a table's rows that all processes of a run wrote, as a line among those of the summary. `audit rows`
/// compares it with the number of rows it reads.
struct TableEnd: Equatable {
    let table: String
    let rows: LineCount
    /// For the table `unclaimed`: the window of its rows.
    var window: UnclaimedWindow?

    private static let start = Array(#"{"table":"end","of":""#.utf8)

    init(of table: String, rows: LineCount) { (self.table, self.rows) = (table, rows) }

    func write(to line: inout LineWriter) throws {
        line.bytes.append(contentsOf: Self.start)
        line.bytes.append(contentsOf: #"\#(table)","rows":"\#(rows.description)""#.utf8)
        if let window {
            let since = window.since?.description ?? ""
            let end = window.endingAfter?.description ?? ""
            line.bytes.append(contentsOf: #","since":"\#(since)","before":"\#(window.before)""#.utf8)
            line.bytes.append(contentsOf: #","after":"\#(end)""#.utf8)
            if let apps = window.apps {
                line.bytes.append(contentsOf: #","apps":\#(try CanonicalJSON.text(of: apps.sorted()))"#.utf8)
            }
        }
        line.bytes.append(UInt8(ascii: "}"))
        line.bytes.append(0x0a)
    }

    /// Reads a line.
    ///
    /// - Returns: `nil` if it is another line.
    init?(_ line: Span<UInt8>) throws(LineFault) {
        guard line.count > Self.start.count, line.extracting(first: Self.start.count).isSame(as: Self.start) else {
            return nil
        }
        let rest = String(decoding: line.extracting(Self.start.count...).copy(), as: UTF8.self)
        guard let match = rest.wholeMatch(of: /(?<table>[a-z_]+)","rows":"(?<rows>[0-9a-f-]+)"(?<window>,.+)?\}/),
            let rows = LineCount(match.output.rows)
        else { throw .malformed("it is no end of a table") }
        self.init(of: String(match.output.table), rows: rows)
        guard let written = match.output.window else { return }
        guard
            let found = written.wholeMatch(
                of:
                    #/
                        ,"since":"(?<since>[^"]*)","before":"(?<before>[^"]+)","after":"(?<after>[^"]*)"
                        (,"apps":(?<apps>.+))?
                    /#
            )?.output,
            let before = Instant(written: Array(found.before.utf8).span)
        else { throw .malformed("it is no end of a table") }
        let apps: [ExactText]? = found.apps.flatMap { try? CanonicalJSON.value(of: ExactText(String($0))) }
        guard (found.apps == nil) == (apps == nil) else { throw .malformed("it is no end of a table") }
        window = UnclaimedWindow(
            since: Instant(written: Array(found.since.utf8).span), before: before,
            endingAfter: Instant(written: Array(found.after.utf8).span), apps: apps.map { Set($0) })
    }
}

extension TableLineWriter {
    /// Writes the rows of a table, and counts them.
    mutating func write<Table: ReportTable>(
        _ table: Table.Type, of run: ReportedRun, to line: inout LineWriter
    ) throws {
        try table.forEachRow(of: run) { write($0, of: table, to: &line) }
    }

    /// Writes a row, and counts it.
    mutating func write<Table: ReportTable>(_ row: Table.Row, of table: Table.Type, to line: inout LineWriter) {
        let start = line.bytes.count
        write(row, of: table, to: &line.bytes)
        line.count(rowOf: table.name, from: start)
    }
}
