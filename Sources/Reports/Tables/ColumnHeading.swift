/// What a format knows of a column before the first row.
package struct ColumnHeading: Sendable {
    package enum Kind: Sendable { case text, verdict, severity, number, decimal, date }

    package let name: String
    package let kind: Kind
    /// The width on a sheet, in characters: enough for most cells. Longer text is shown in full where it is edited.
    let width: Double
    /// Whether a sheet shows all of its text, on several lines.
    let wraps: Bool
}
