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
        ("  =1+1", "\"'  =1+1\""), ("\n=1", "\"'\n'=1\""), ("x\r\n=1", "\"'x\r\n'=1\""), ("a\tb", "\"'a\tb\""),
        ("a\rb", "\"'a\rb\""),
        ("\u{ff1d}1+1", "'\u{ff1d}1+1"), ("\u{ff0b}49", "'\u{ff0b}49"), ("\u{ff0d}1", "'\u{ff0d}1"),
        ("\u{ff20}SUM(A1)", "'\u{ff20}SUM(A1)"), ("\u{a0}\u{200b}=1", "'\u{a0}\u{200b}=1"),
        ("\u{feff}\u{3000}\u{ff1d}1", "'\u{feff}\u{3000}\u{ff1d}1"), ("\u{1}\u{7f}@x", "'\u{1}\u{7f}@x"),
        ("a\0b", "\"'a\0b\""), ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""),
        ("x;=1+1;y", "\"x;'=1+1;y\""), ("x; @a", "\"x;' @a\""), ("=1;=2", "\"'=1;'=2\""), ("x;\"=1", "\"x;'\"\"=1\""),
        ("x;\u{ff1d}1", "\"x;'\u{ff1d}1\""), ("a;b=1;", "\"a;b=1;\""),
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
    func `has space for findings, and of the same length in every row`(format: ReportFormat) throws {
        let encoder = ReceiptsTable.encoder(in: format.type)
        var bytes: [UInt8] = []
        encoder.fill(.high, "shared-receipt;fraud-ring", &bytes)
        #expect(bytes.count > encoder.emptyLength)
        let list =
            [.json, .ndjson].contains(format) ? #"["shared-receipt","fraud-ring"]"# : "shared-receipt;fraud-ring"
        #expect(String(decoding: bytes, as: UTF8.self).contains(list))
    }

    @Test func `has lists as arrays in JSON, also of texts with a semicolon, and joined elsewhere`() {
        var json = JSONRow(["a", "b", "c", "d"])
        var csv = CSVRow()
        func write(to row: inout some RowBuffer) {
            row.codes("")
            row.codes("one;two")
            row.texts([])
            row.texts(["a;\"b", "=c"])
            row.endRow()
        }
        write(to: &json)
        write(to: &csv)
        #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"a":[],"b":["one","two"],"c":[],"d":["a;\"b","=c"]}"#)
        #expect(
            String(decoding: csv.bytes, as: UTF8.self).hasPrefix(#","one;two",,"a;""b;'=c""#),
            "\(String(decoding: csv.bytes, as: UTF8.self))")
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
