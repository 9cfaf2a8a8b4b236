import Encodings
import Files

/// Writes the cells of rows of a table in GitHub-flavoured Markdown.
struct MarkdownRow: PageRow {
    private(set) var bytes: [UInt8]
    private var column: Int

    init(from column: Int, appendingTo bytes: consuming [UInt8]) {
        self.bytes = bytes
        self.column = column
    }

    mutating func takeBytes() -> [UInt8] { bytes.take() }

    mutating func endRow() {
        bytes.append(0x0a)
        column = 0
    }

    mutating func text(_ text: String) { cell(MarkdownText.code(TextLayout.safe(text, limit: CellView.longestText))) }
    mutating func code(_ code: String) { cell(MarkdownText.prose(code)) }
    mutating func hex(_ digits: Span<UInt8>) { cell("`" + Hex.string(digits) + "`") }
    mutating func number(_ number: Int) { cell(grouped(number)) }
    mutating func date(_ date: Instant) { cell(date.description) }
    mutating func empty() { cell("") }

    private mutating func cell(_ markdown: String) {
        if column == 0 { bytes.append(UInt8(ascii: "|")) }
        column += 1
        if !markdown.isEmpty { bytes.append(0x20) }
        bytes.append(contentsOf: markdown.utf8)
        bytes.append(contentsOf: " |".utf8)
    }
}
