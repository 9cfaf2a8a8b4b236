import Encodings
import Engine
import Rules
import Testing

@testable import Reports

struct `A row on a page` {
    @Test func `is one line of Markdown, with its cells between bars`() {
        var row = MarkdownRow(from: 0, appendingTo: [])
        write("a|b", to: &row)
        #expect(text(&row) == "| <code>a&#124;b</code> | not-checked | | 1,234 | 1970-01-01T00:00:00Z | `ab01` |\n")
    }

    @Test func `is a row of an HTML table, whose first cell says what it is about`() {
        var row = HTMLRow(from: 0, appendingTo: [])
        write("a<b", to: &row)
        #expect(
            text(&row) == "<tr><th scope=\"row\"><code>a&#60;b</code></th><td>not-checked</td><td></td>"
                + "<td class=\"number\">1,234</td><td>1970-01-01T00:00:00Z</td><td><code>ab01</code></td></tr>\n")
    }

    @Test func `never takes a stranger's text for markup or for another row`() {
        for stranger in HostileText.known + HostileText.random(500) where stranger != "" {
            let shown = TextLayout.safe(stranger, limit: 200)
            var markdown = MarkdownRow(from: 0, appendingTo: [])
            markdown.text(stranger)
            markdown.endRow()
            #expect(text(&markdown) == "| " + MarkdownText.code(shown) + " |\n", "\(stranger.debugDescription)")
            var html = HTMLRow(from: 0, appendingTo: [])
            html.text(stranger)
            html.endRow()
            let cell = "<code>" + HTMLText.escaped(shown) + "</code>"
            #expect(text(&html) == "<tr><th scope=\"row\">\(cell)</th></tr>\n", "\(stranger.debugDescription)")
            #expect(!shown.utf8.contains(0x0a))
        }
    }

    @Test(arguments: ReportFormat.allCases)
    func `has room for what is found, and of the same length in every row`(format: ReportFormat) {
        let encoder = format.receiptsEncoder
        var bytes: [UInt8] = []
        encoder.fill(.high, "shared-receipt;fraud-ring", &bytes)
        #expect(bytes.count > encoder.emptyLength)
        #expect(String(decoding: bytes, as: UTF8.self).contains("shared-receipt;fraud-ring"))
    }

    private func write(_ stranger: String, to row: inout some PageRow) {
        row.text(stranger)
        row.code("not-checked")
        row.empty()
        row.number(1234)
        row.date(Instant(seconds: 0))
        row.hex([0xab, 0x01].span)
        row.endRow()
    }

    private func text(_ row: inout some PageRow) -> String { String(decoding: row.takeBytes(), as: UTF8.self) }
}
