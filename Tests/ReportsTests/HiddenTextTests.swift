import Encodings
import FoundationEssentials
import Inputs
import Testing

@testable import Reports

/// Each scalar that cannot be seen, in every format: in those that people read it is written out, in those that
/// programs read it stays.
struct `A text with a scalar that cannot be seen` {
    private static let scalars = (0...UInt32(0x10_ffff)).compactMap { Unicode.Scalar($0) }
        .filter { HiddenScalar.contains($0) }

    private static func written(_ scalar: Unicode.Scalar) -> String { "\\u{\(String(scalar.value, radix: 16))}" }

    @Test func `shows it in a cell of HTML`() {
        for scalar in Self.scalars {
            var row = HTMLRow(from: 1)
            row.text("a\(scalar)b")
            #expect(String(decoding: row.bytes, as: UTF8.self) == "<td><code>a\(Self.written(scalar))b</code></td>")
        }
    }

    @Test func `shows it in a cell of Markdown`() {
        for scalar in Self.scalars {
            var row = MarkdownRow(from: 1)
            row.text("a\(scalar)b")
            let cell = " <code>a&#92;u&#123;\(String(scalar.value, radix: 16))&#125;b</code> |"
            #expect(String(decoding: row.bytes, as: UTF8.self) == cell)
            #expect(MarkdownText.prose("a\(scalar)b") == "a\\\\u\\{\(String(scalar.value, radix: 16))\\}b")
        }
    }

    @Test func `shows it everywhere on a page`() throws {
        // Not those that a page itself may have, and no more than a few: a page is long.
        for scalar: Unicode.Scalar in ["\u{200b}", "\u{feff}", "\u{202e}", "\u{e0041}", "\u{3164}", "\u{fe0f}"] {
            let document = try DocumentSamples.document("a\(scalar)b")
            for page in try [HTMLFormat.text(of: document), MarkdownFormat.text(of: document)] {
                #expect(!page.unicodeScalars.contains(scalar))
                #expect(page.contains("u{\(String(scalar.value, radix: 16))}") || page.contains("u&#123;"))
            }
        }
    }

    @Test func `shows it in a cell of a workbook`() {
        for scalar in Self.scalars where scalar != "\t" && scalar != "\n" {
            var bytes: [UInt8] = []
            WorkbookText.append("a\(scalar)b", to: &bytes)
            let picture = scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) : nil
            let shown = picture.map { String($0) } ?? (scalar == "\u{7f}" ? "␡" : Self.written(scalar))
            #expect(String(decoding: bytes, as: UTF8.self) == "a\(shown)b")
        }
    }

    @Test func `shows it in the command that repeats a run, which a shell reads as it is`() {
        for scalar in Self.scalars where scalar != "\0" {
            let digits = String(scalar.value, radix: 16)
            let isLong = scalar.value > 0xffff
            let padded = String(repeating: "0", count: (isLong ? 8 : 4) - digits.utf8.count) + digits
            #expect(CommandWord.quoted("a\(scalar)b") == "$'a\\\(isLong ? "U" : "u")\(padded)b'")
        }
    }

    @Test func `keeps it in CSV`() throws {
        for scalar in Self.scalars {
            var row = CSVRow()
            row.text("a\(scalar)b")
            let cell = try #require(CSVRows.read(row.bytes)?.first?.first)
            let isObeyed = ["\t", "\r", "\0"].contains(scalar)
            #expect(Array(cell.utf8) == Array((isObeyed ? "'a\(scalar)b" : "a\(scalar)b").utf8))
        }
    }

    @Test func `keeps it in JSON`() throws {
        for scalar in Self.scalars {
            var row = JSONRow(["text"])
            row.text("a\(scalar)b")
            row.endRow()
            let read = try JSONDecoder().decode([String: String].self, from: Data(row.bytes))
            #expect(read["text"].map { Array($0.utf8) } == Array("a\(scalar)b".utf8))
        }
    }
}

struct `A text that begins with what is not seen` {
    /// What a spreadsheet may drop or not show in front of a formula.
    private static let fronts = (0...UInt32(0x10_ffff)).compactMap { Unicode.Scalar($0) }
        .filter { $0.properties.isWhitespace || HiddenScalar.contains($0) }
        .filter { !["\n", "\r"].contains($0) }

    @Test(arguments: ["=", "+", "-", "@", "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}"])
    func `is disarmed in CSV if a formula stands behind it`(sign: String) throws {
        let texts = Self.fronts.flatMap { ["\($0)\(sign)1", "\($0) \u{200b}\($0)\(sign)1", "\(sign)\($0)"] }
        #expect(try Self.altered(texts) { _ in true } == [])
    }

    @Test(arguments: [";", "\n", ";\""])
    func `is disarmed in CSV where a reader that splits at semicolons begins a cell`(separator: String) throws {
        var row = CSVRow()
        row.text("x\(separator)=1+1;1=1")
        let cell = try #require(CSVRows.read(row.bytes)?.first?.first)
        #expect(cell == "x\(separator.replacing("\"", with: ""))'\(separator.hasSuffix("\"") ? "\"" : "")=1+1;1=1")
    }

    @Test func `is left alone if none does`() throws {
        let fronts = Self.fronts.filter { !["\t", "\r", "\0"].contains($0) }
        let texts = fronts.flatMap { ["\($0)1=1", "\($0)a\($0)=1", "\($0)", "\($0)é=", "\($0)\u{ff1c}="] }
        #expect(try Self.altered(texts) { _ in false } == [])
    }

    @Test func `is disarmed for no other scalar`() throws {
        let signs = Set("=+-@\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}\t\r\0".unicodeScalars)
        let texts = (0...UInt32(0x1_ffff)).compactMap { Unicode.Scalar($0) }.map { String($0) }
        #expect(try Self.altered(texts) { $0.unicodeScalars.first.map(signs.contains) == true } == [])
    }

    /// The texts whose cells are not as they should be: with an apostrophe in front, or unchanged.
    private static func altered(_ texts: [String], isDisarmed: (String) -> Bool) throws -> [String] {
        var row = CSVRow()
        for text in texts { row.text(text) }
        row.text("z")
        let cells = try #require(CSVRows.read(row.bytes)?.first)
        #expect(cells.count == texts.count + 1)
        return zip(texts, cells).filter { text, cell in
            !(isDisarmed(text) ? "'" + text : text).utf8.elementsEqual(cell.utf8)
        }.map { $0.0.debugDescription }
    }
}
