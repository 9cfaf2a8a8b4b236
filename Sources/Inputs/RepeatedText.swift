import Files

/// What the claim before said of app and product, for one decoder: where the next one says the same, the text is shared
/// and not made again.
final class RepeatedText {
    private var texts = [String](repeating: "", count: Column.count)

    /// The text that the same column had before, if it has these bytes.
    func text(_ bytes: Span<UInt8>, in column: Column) -> String? {
        let last = texts[column.rawValue]
        return bytes.isSame(as: last.utf8.span) ? last : nil
    }

    func keep(_ text: String, in column: Column) { texts[column.rawValue] = text }
}
