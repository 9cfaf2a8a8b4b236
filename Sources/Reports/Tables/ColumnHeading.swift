/// The description of a column for formats, known before the first row.
package struct ColumnHeading: Sendable {
    package enum Kind: Sendable { case text, verdict, severity, number, decimal, date }

    /// The content of one cell, for formats that distinguish more than its kind.
    package enum Form: Sendable { case single, list, flag, object, textOrNumber }

    package let name: String
    package let kind: Kind
    package var form = Form.single
    /// The width on a sheet, in characters: enough for most cells. Longer text is visible in full when edited.
    let width: Double
    /// Whether a sheet shows all of its text, on several lines.
    let wraps: Bool
}
