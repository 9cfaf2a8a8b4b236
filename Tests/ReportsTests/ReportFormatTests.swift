import Checks
import Encodings
import Engine
import Inputs
import Rules
import Testing

@testable import Reports

struct `A CSV row` {
    @Test(arguments: [
        ("plain", "plain"),
        ("a, b", "\"a, b\""),
        ("say \"so\"", "\"say \"\"so\"\"\""),
        ("two\nlines", "\"two\nlines\""),
        (" blank", "\" blank\""),
        ("blank ", "\"blank \""),
        ("a;b", "\"a;b\""),
        ("ü — 漢", "ü — 漢"),
        ("", ""),
    ])
    func `quotes text where RFC 4180 asks for it`(text: String, cell: String) {
        #expect(line { $0.text(text) } == cell + "\r\n")
    }

    @Test(arguments: [
        ("=1+1", "'=1+1"), ("+49", "'+49"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"),
        ("  =1+1", "\"'  =1+1\""), ("\n=1", "\"'\n=1\""), ("a\tb", "\"'a\tb\""), ("a\rb", "\"'a\rb\""),
        ("\u{ff1d}1+1", "'\u{ff1d}1+1"), ("\u{ff0b}49", "'\u{ff0b}49"), ("\u{ff0d}1", "'\u{ff0d}1"),
        ("\u{ff20}SUM(A1)", "'\u{ff20}SUM(A1)"), ("\u{a0}\u{200b}=1", "'\u{a0}\u{200b}=1"),
        ("\u{feff}\u{3000}\u{ff1d}1", "'\u{feff}\u{3000}\u{ff1d}1"), ("\u{1}\u{7f}@x", "'\u{1}\u{7f}@x"),
        ("a\0b", "\"'a\0b\""), ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""),
    ])
    func `disarms what a spreadsheet would obey`(text: String, cell: String) {
        #expect(line { $0.text(text) } == cell + "\r\n")
    }

    @Test(arguments: ["a=b", "1-2", "x@y.z", "a+b", "1000000472106082", "\u{200b}a=b", "1\u{ff1d}1", "\u{3000}"])
    func `leaves other text alone`(text: String) {
        #expect(line { $0.text(text) } == text + "\r\n")
    }

    @Test func `never alters our own numbers, dates and codes`() {
        let row = line {
            $0.number(-5)
            $0.date(Instant(seconds: 0))
            $0.code("not-checked")
            $0.hex([0xab, 0x01].span)
            $0.empty()
        }
        #expect(row == "-5,1970-01-01T00:00:00Z,not-checked,ab01,\r\n")
    }

    @Test func `quotes words of ours where they hold a comma or a semicolon, and does not disarm them`() {
        #expect(line { $0.code("devices, FIFOs or sockets") } == "\"devices, FIFOs or sockets\"\r\n")
        #expect(line { $0.code("chain-untrusted;guid-mismatch") } == "\"chain-untrusted;guid-mismatch\"\r\n")
        #expect(line { $0.code("-12.50 EUR") } == "-12.50 EUR\r\n")
    }

    private func line(_ write: (inout CSVRow) -> Void) -> String {
        var row = CSVRow()
        write(&row)
        row.endRow()
        return String(decoding: row.bytes, as: UTF8.self)
    }
}

struct `A row on a page` {
    @Test func `is one line of Markdown, with its cells between bars`() {
        var row = MarkdownRow()
        write("a|b", to: &row)
        #expect(written(&row) == "| <code>a&#124;b</code> | not-checked | | 1,234 | 1970-01-01T00:00:00Z | `ab01` |\n")
    }

    @Test func `is a row of an HTML table, whose first cell says what it is about`() {
        var row = HTMLRow()
        write("a<b", to: &row)
        #expect(
            written(&row) == "<tr><th scope=\"row\"><code>a&#60;b</code></th><td>not-checked</td><td></td>"
                + "<td class=\"number\">1,234</td><td>1970-01-01T00:00:00Z</td><td><code>ab01</code></td></tr>\n")
    }

    @Test func `never treats untrusted text as markup or as another row`() {
        for text in HostileText.known + HostileText.random(500) where text != "" {
            let shown = TextLayout.safe(text, limit: 200)
            var markdown = MarkdownRow()
            markdown.text(text)
            markdown.endRow()
            #expect(written(&markdown) == "| " + MarkdownText.code(shown) + " |\n", "\(text.debugDescription)")
            var html = HTMLRow()
            html.text(text)
            html.endRow()
            let cell = "<code>" + HTMLText.escaped(shown) + "</code>"
            #expect(written(&html) == "<tr><th scope=\"row\">\(cell)</th></tr>\n", "\(text.debugDescription)")
            #expect(!shown.utf8.contains(0x0a))
        }
    }

    @Test(arguments: ReportFormat.allCases)
    func `has space for findings, and of the same length in every row`(format: ReportFormat) {
        let encoder = format.type.receiptsEncoder(maxRows: nil)
        var bytes: [UInt8] = []
        encoder.fill(.high, "shared-receipt;fraud-ring", &bytes)
        #expect(bytes.count > encoder.emptyLength)
        #expect(String(decoding: bytes, as: UTF8.self).contains("shared-receipt;fraud-ring"))
    }

    private func write(_ text: String, to row: inout some RowBuffer) {
        row.text(text)
        row.code("not-checked")
        row.empty()
        row.number(1234)
        row.date(Instant(seconds: 0))
        row.hex([0xab, 0x01].span)
        row.endRow()
    }

    private func written(_ row: inout some RowBuffer) -> String { String(decoding: row.takeBytes(), as: UTF8.self) }
}

struct `A table` {
    /// Records the kinds of the cells of a row.
    private struct Recorder: CellWriter {
        var kinds: [String] = []

        mutating func text(_ text: String) { kinds.append("text") }
        mutating func code(_ code: String) { kinds.append("code") }
        mutating func hex(_ bytes: Span<UInt8>) { kinds.append("hex") }
        mutating func number(_ number: Int) { kinds.append("number") }
        mutating func date(_ date: Instant) { kinds.append("date") }
        mutating func empty() { kinds.append("empty") }
    }

    private static let finding = ComparedFinding(
        FindingRow(
            severity: .high, rule: "shared-receipt", subject: "device:a", claims: 1, devices: 1, accounts: 1,
            sources: ["a"], evidence: "b"), firstSeen: Instant(seconds: 0), change: .new)

    private func kinds(_ schema: TableSchema) -> [String] {
        schema.columns.map { [.verdict, .severity].contains($0.kind) ? "code" : "\($0.kind)" }
    }

    @Test(arguments: [false, true])
    func `of findings has cells of the kinds that its columns declare`(withChange: Bool) {
        var row = Recorder()
        FraudTable.write(Self.finding, withChange: withChange, to: &row)
        #expect(row.kinds == kinds(ReportRequest.Table.fraud.schema(withChange: withChange)))
    }

    @Test func `of claims has a cell for each column, and its risk where findings are filled in`() {
        let columns = ReceiptsTable.schema.columns
        let empty = NDJSONFormat.receiptsEncoder(maxRows: nil).emptyLength
        #expect(columns[ReceiptsTable.riskColumn].kind == .severity)
        #expect(empty == ",\"risk\":null,\"rules\":null".utf8.count)
    }

    @Test(
        arguments: [
            (0, "0.00"), (4_990_000, "4.99"), (500_000_000, "500.00"), (5000, "0.005"), (1, "0.000001"),
            (-1_500_000, "-1.50"),
            (Int64.max, "9223372036854.775807"), (Int64.min, "-9223372036854.775808"),
        ] as [(Int64, String)])
    func `has decimal numbers with two digits behind the point, or more`(millionths: Int64, text: String) {
        #expect(DecimalText.text(millionths) == text)
    }

    @Test func `of claims has cells of the kinds that its columns declare`() {
        var row = Recorder()
        let facts = Facts(claim: Claim(source: "a"))
        ReceiptsTable.write(facts, to: &row, findings: ReceiptsTable.writeNoFindings)
        #expect(row.kinds.count == ReceiptsTable.columns.count)
        let written = zip(row.kinds, kinds(ReceiptsTable.schema)).filter { $0.0 != "empty" }
        #expect(written.allSatisfy { $0.0 == $0.1 })
    }

    @Test func `has the name of its request`() {
        #expect(TableSchema.all.map(\.name) == ReportRequest.Table.allCases.map(\.rawValue))
    }

    @Test func `is written in lines that name it, with the same row in CSV`() {
        var (bytes, lines) = ([UInt8](), TableLineWriter(withCSV: true))
        lines.write(Self.finding, to: &bytes)
        let line = String(decoding: bytes, as: UTF8.self)
        #expect(line.hasPrefix("{\"table\":\"fraud\",\"severity\":\"high\","))
        #expect(line.hasSuffix("\"csv\":\"high,shared-receipt,device:a,1,1,1,a,b,1970-01-01T00:00:00Z\"}\n"))
    }
}
