import Encodings
import Files

/// Writes the cells of rows of the table `receipts` in HTML, as the template `table` writes those of others.
struct HTMLRow: PageRow {
    private(set) var bytes: [UInt8]
    private var column: Int

    init(from column: Int, appendingTo bytes: consuming [UInt8]) {
        self.bytes = bytes
        self.column = column
    }

    mutating func takeBytes() -> [UInt8] { bytes.take() }

    mutating func endRow() {
        bytes.append(contentsOf: "</tr>\n".utf8)
        column = 0
    }

    mutating func text(_ text: String) { code(wrapping: TextLayout.safe(text, limit: CellView.longestText)) }

    mutating func code(_ code: String) {
        let text = HTMLText.escaped(code)
        let isBadge = column == ReceiptsTable.riskColumn && !code.isEmpty
        cell(isBadge ? "<span class=\"badge \(text)\">\(text)</span>" : text)
    }

    mutating func hex(_ digits: Span<UInt8>) { code(wrapping: Hex.string(digits)) }
    mutating func number(_ number: Int) { cell(grouped(number), attributes: " class=\"number\"") }
    mutating func date(_ date: Instant) { cell(date.description) }
    mutating func empty() { cell("") }

    /// A text that may be wrapped anywhere.
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
