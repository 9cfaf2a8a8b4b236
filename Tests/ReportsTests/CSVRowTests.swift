import Encodings
import Reports
import Testing

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
