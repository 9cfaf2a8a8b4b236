/// What a format knows of a column before the first row.
package struct ColumnHeading: Sendable {
    package enum Kind: Sendable { case text, verdict, severity, number, decimal, date }

    /// What one cell holds, where formats have more than its kind.
    package enum Form: Sendable { case single, list, flag, object, textOrNumber }

    package let name: String
    package let kind: Kind
    package var form = Form.single
    /// The width on a sheet, in characters: enough for most cells. Longer text is shown in full where it is edited.
    let width: Double
    /// Whether a sheet shows all of its text, on several lines.
    let wraps: Bool
}
