import Encodings
import Files
import FoundationEssentials
import Mustache
import Proofs
import Rules

/// Writes `--report out.html`: one page that needs no network, and can be read without its script.
///
/// The templates in `Templates` escape every text. The exceptions, with three braces, are our style sheet, our script,
/// which is the same on every page, and the charts, where ``SVG`` escapes every text.
enum HTMLFormat: DocumentFormat {
    typealias Row = HTMLRow
    static let name = "html"

    static func write(_ document: ReportDocument, to page: PageWriter) throws {
        let view = try PageView(document)
        let write = { (part: String) in try page.write(HTMLTemplates.library.render(view, withTemplate: part) ?? "") }
        try write("page")
        if document.table == .receipts { try page.writeReceipts(of: document.report, as: HTMLFormat.self) }
        try write("between")
        if view.hasIndex { try PageIndex(report: document.report).write(to: page) }
        try write("end")
    }
}

/// The templates, style sheets and the script, which are embedded in the binary.
enum HTMLTemplates {
    static let library = MustacheLibrary(
        templates: [
            "page": PackageResources.page_mustache, "end": PackageResources.end_mustache,
            "between": PackageResources.between_mustache,
            "chart": PackageResources.chart_mustache,
            "chapter": PackageResources.chapter_mustache, "table": PackageResources.table_mustache,
            "cell": PackageResources.cell_mustache,
            "section": PackageResources.section_mustache, "glance": PackageResources.glance_mustache,
            "queue": PackageResources.queue_mustache, "cards": PackageResources.cards_mustache,
            "claims": PackageResources.claims_mustache, "rules": PackageResources.rules_mustache,
            "decisions": PackageResources.decisions_mustache, "line": PackageResources.line_mustache,
            "run": PackageResources.run_mustache,
        ].compactMapValues(template))

    static let style =
        "\n"
        + [
            PackageResources.color_css, PackageResources.layout_css, PackageResources.table_css,
            PackageResources.chart_css, PackageResources.queue_css, PackageResources.glance_css,
        ].map { String(decoding: $0, as: UTF8.self) }.joined()

    /// Sorts, filters, links, searches and keeps decisions. The page can be read without it.
    static let script =
        "\n\"use strict\";\n{\n"
        + [
            PackageResources.tables_js, PackageResources.links_js, PackageResources.find_js, PackageResources.decide_js,
        ].map { String(decoding: $0, as: UTF8.self) }.joined() + "}\n"

    static let stylePolicy = InlinePolicy.source(of: style)
    static let scriptPolicy = InlinePolicy.source(of: script)

    /// - Returns: `nil` if it is not a template. A test would find that.
    private static func template(_ bytes: [UInt8]) -> MustacheTemplate? {
        do { return try MustacheTemplate(string: HTMLText.pragma + String(decoding: bytes, as: UTF8.self)) } catch {
            return nil
        }
    }
}

/// Writes the cells of rows of the table `receipts` in HTML, like the template `table` for other tables.
struct HTMLRow: RowBuffer {
    private(set) var bytes: [UInt8]
    private var column: Int

    init(_ columns: [String] = [], from column: Int = 0, appendingTo bytes: consuming [UInt8] = []) {
        self.bytes = bytes
        self.column = column
    }

    mutating func takeBytes() -> [UInt8] { bytes.take() }

    mutating func endRow() {
        bytes.append(contentsOf: "</tr>\n".utf8)
        column = 0
    }

    mutating func text(_ text: String) { code(wrapping: TextLayout.safe(text, limit: CellView.maxLength)) }

    mutating func code(_ code: String) { cell(HTMLText.escaped(code)) }

    mutating func severity(_ severity: Severity) {
        let text = HTMLText.escaped(severity.code)
        cell("<span class=\"badge \(text)\">\(text)</span>")
    }

    mutating func hex(_ digits: Span<UInt8>) { code(wrapping: Hex.string(digits)) }
    mutating func number(_ number: Int) { cell(grouped(number), attributes: " class=\"number\"") }
    mutating func date(_ date: Instant) { cell(date.description) }
    mutating func empty() { cell("") }

    /// Writes a text that may wrap anywhere.
    private mutating func code(wrapping text: String) {
        cell(text.isEmpty ? "" : "<code>" + HTMLText.escaped(text) + "</code>")
    }

    private mutating func cell(_ html: String, attributes: String = "") {
        if column == 0 { bytes.append(contentsOf: "<tr>".utf8) }
        let isHead = column == 0
        column += 1
        bytes.append(contentsOf: (isHead ? "<th scope=\"row\">" : "<td\(attributes)>").utf8)
        bytes.append(contentsOf: html.utf8)
        bytes.append(contentsOf: (isHead ? "</th>" : "</td>").utf8)
    }
}

/// Escapes text in HTML scalar by scalar.
///
/// The templates' own escaping works by characters. A quotation mark with a combining accent is a different character,
/// but in a browser it ends the attribute.
struct HTMLText: MustacheContentType {
    /// The start of every template, which selects this escaping.
    static let pragma: String = {
        MustacheContentTypes.register(HTMLText(), named: "SCALARS")
        return "{{% CONTENT_TYPE: SCALARS}}\n"
    }()

    func escapeText(_ text: String) -> String { Self.escaped(text) }

    static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&", "<", ">", "\"", "'": escaped.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}

/// The sources in the page's Content-Security-Policy: only our own style sheet and script, by their digests.
enum InlinePolicy {
    static func source(of text: String) -> String {
        do {
            let digest = try Digest.sha256Hex(of: Array(text.utf8))
            return "'sha256-" + base64(hex: digest) + "'"
        } catch {
            // Without a digest the page has no style or script, but is still readable.
            return "'none'"
        }
    }

    private static func base64(hex: String) -> String {
        let digits: [UInt8] = hex.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue.map(UInt8.init) }
        let bytes: [UInt8] = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        return Data(bytes).base64EncodedString()
    }
}
