import Checks
import Encodings
import Rules

/// The description of a column for formats, known before the first row.
package struct ColumnHeading: Sendable {
    package enum Kind: Sendable {
        /// Untrusted text, or digits.
        case text
        /// Words of ours.
        case code
        case verdict, severity, number, decimal, date
    }

    /// The content of one cell, for formats that distinguish more than its kind.
    package enum Form: Sendable { case single, list, flag, amount, object, textOrNumber }

    package let name: String
    /// What its cells hold, in Markdown for reports/README.md.
    let meaning: String
    package let kind: Kind
    package let form: Form
    /// The width on a sheet, in characters: enough for most cells. Longer text is visible in full when edited.
    fileprivate(set) var width: Double
    /// Whether a sheet shows all of its text, on several lines.
    fileprivate(set) var wraps: Bool

    /// The meaning without links and marks of code, for programs and databases.
    var plainMeaning: String {
        meaning.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }.replacing("`", with: "")
    }
}

/// The name of a table and the headings of its columns.
package struct TableSchema: Sendable {
    package let name: String
    package let columns: [ColumnHeading]

    package var columnNames: [String] { columns.map(\.name) }

    /// Returns the schema under the name of its sheet.
    func titled(_ name: String) -> TableSchema { TableSchema(name: name, columns: columns) }

    /// Returns the index of a column; -1 if there is none.
    func index(of column: String) -> Int { columns.firstIndex { $0.name == column } ?? -1 }
}

/// A column of a table, declared once: its name, its meaning, the kind of its cells, and the value of its cell in a row.
///
/// Databases, schemas and pages that describe columns are made from it.
package struct TableColumn<Row>: Sendable {
    package private(set) var heading: ColumnHeading
    /// Returns the value of its cell in a row.
    package let value: @Sendable (Row) -> CellValue

    package var name: String { heading.name }

    @inline(__always) init(
        _ name: String, _ meaning: String, _ kind: ColumnHeading.Kind, _ form: ColumnHeading.Form = .single,
        width: Double, wraps: Bool = false, _ value: @escaping @Sendable (Row) -> CellValue
    ) {
        heading = ColumnHeading(name: name, meaning: meaning, kind: kind, form: form, width: width, wraps: wraps)
        self.value = value
    }

    @inline(__always) private init(_ heading: ColumnHeading, _ value: @escaping @Sendable (Row) -> CellValue) {
        self.heading = heading
        self.value = value
    }

    /// Returns the same column in another width.
    func sized(_ width: Double, wraps: Bool = false) -> TableColumn {
        var column = self
        column.heading.width = width
        column.heading.wraps = wraps
        return column
    }

    /// Returns the same column for rows that contain these.
    func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row) -> TableColumn<Whole> {
        let value = value
        return TableColumn<Whole>(heading) { value(part($0)) }
    }
}

extension TableColumn {
    /// A column of untrusted text. JSON shows an empty text as `""`.
    @inline(__always) static func text(
        _ name: String, _ meaning: String, width: Double, _ value: @escaping @Sendable (Row) -> ExactText?
    ) -> TableColumn {
        TableColumn(name, meaning, .text, width: width) { value($0).map { .text($0) } ?? .empty }
    }

    /// A column of untrusted text in which an empty text is an empty cell.
    @inline(__always) static func textIfAny(
        _ name: String, _ meaning: String, width: Double, wraps: Bool = false,
        _ value: @escaping @Sendable (Row) -> ExactText?
    ) -> TableColumn {
        TableColumn(name, meaning, .text, width: width, wraps: wraps) { row in
            guard let text = value(row), !text.isEmpty else { return .empty }
            return .text(text)
        }
    }

    /// A column of lists of untrusted texts.
    @inline(__always) static func texts(
        _ name: String, _ meaning: String, width: Double, _ value: @escaping @Sendable (Row) -> [ExactText]
    ) -> TableColumn {
        TableColumn(name, meaning, .text, .list, width: width) { .texts(value($0)) }
    }

    /// A column of our own words. An empty word is an empty cell.
    @inline(__always) static func code(
        _ name: String, _ meaning: String, width: Double, wraps: Bool = false,
        _ value: @escaping @Sendable (Row) -> String?
    ) -> TableColumn {
        TableColumn(name, meaning, .code, width: width, wraps: wraps) { value($0).map { .code($0) } ?? .empty }
    }

    /// A column of `true` and `false`.
    @inline(__always) static func flag(
        _ name: String, _ meaning: String, width: Double, _ value: @escaping @Sendable (Row) -> Bool?
    )
        -> TableColumn
    {
        TableColumn(name, meaning, .code, .flag, width: width) { row in
            value(row).map { .code($0 ? "true" : "false") } ?? .empty
        }
    }

    /// A column of lists of our own words, joined by `;`.
    @inline(__always) static func codes(
        _ name: String, _ meaning: String, width: Double, _ value: @escaping @Sendable (Row) -> String
    )
        -> TableColumn
    {
        TableColumn(name, meaning, .code, .list, width: width) { .codes(value($0)) }
    }

    @inline(__always) static func verdict(
        _ name: String, _ meaning: String, width: Double, _ value: @escaping @Sendable (Row) -> Verdict
    )
        -> TableColumn
    {
        TableColumn(name, meaning, .verdict, width: width) { .code(value($0).rawValue) }
    }

    @inline(__always) static func severity(
        _ name: String, _ meaning: String, width: Double, _ value: @escaping @Sendable (Row) -> Severity?
    ) -> TableColumn {
        TableColumn(name, meaning, .severity, width: width) { value($0).map { .severity($0) } ?? .empty }
    }

    @inline(__always) static func id(
        _ name: String, _ meaning: String, width: Double, _ value: @escaping @Sendable (Row) -> IdentityHash?
    )
        -> TableColumn
    {
        TableColumn(name, meaning, .code, width: width) { value($0).map { .id($0) } ?? .empty }
    }

    @inline(__always) static func number(
        _ name: String, _ meaning: String, width: Double, _ value: @escaping @Sendable (Row) -> Int?
    )
        -> TableColumn
    {
        TableColumn(name, meaning, .number, width: width) { value($0).map { .number($0) } ?? .empty }
    }

    @inline(__always) static func decimal(
        _ name: String, _ meaning: String, width: Double, _ value: @escaping @Sendable (Row) -> DecimalNumber?
    ) -> TableColumn {
        TableColumn(name, meaning, .decimal, width: width) { value($0).map { .decimal($0) } ?? .empty }
    }

    /// A column of amounts of money, in millionths. Other columns have the currency, and whether it is a lower bound.
    @inline(__always) static func amount<Number: BinaryInteger & SendableMetatype>(
        _ name: String, _ meaning: String, width: Double, _ value: @escaping @Sendable (Row) -> Number?
    ) -> TableColumn {
        TableColumn(name, meaning, .decimal, .amount, width: width) { row in
            value(row).map { .decimal(DecimalNumber(millionths: Int128($0))) } ?? .empty
        }
    }

    @inline(__always) static func date(
        _ name: String, _ meaning: String, width: Double, _ value: @escaping @Sendable (Row) -> Instant?
    )
        -> TableColumn
    {
        TableColumn(name, meaning, .date, width: width) { value($0).map { .date($0) } ?? .empty }
    }

    /// A column of bytes, as hex digits. No bytes make an empty cell.
    @inline(__always) static func hex(
        _ name: String, _ meaning: String, width: Double, _ value: @escaping @Sendable (Row) -> [UInt8]?
    )
        -> TableColumn
    {
        TableColumn(name, meaning, .text, width: width) { row in
            guard let bytes = value(row), !bytes.isEmpty else { return .empty }
            return .hex(bytes)
        }
    }
}
