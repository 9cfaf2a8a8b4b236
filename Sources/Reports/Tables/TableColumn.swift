import Checks
import Encodings
import Rules

/// A column of a table, declared once: its name, the kind of its cells, and the value of its cell in a row.
package struct TableColumn<Row>: Sendable {
    package let heading: ColumnHeading
    /// Returns the value of its cell in a row.
    package let value: @Sendable (Row) -> CellValue

    package var name: String { heading.name }

    @inline(__always) init(
        _ name: String, _ kind: ColumnHeading.Kind, _ form: ColumnHeading.Form = .single, width: Double,
        wraps: Bool = false, _ value: @escaping @Sendable (Row) -> CellValue
    ) {
        self.init(ColumnHeading(name: name, kind: kind, form: form, width: width, wraps: wraps), value)
    }

    @inline(__always) private init(_ heading: ColumnHeading, _ value: @escaping @Sendable (Row) -> CellValue) {
        (self.heading, self.value) = (heading, value)
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
        _ name: String, width: Double, _ value: @escaping @Sendable (Row) -> ExactText?
    ) -> TableColumn {
        TableColumn(name, .text, width: width) { value($0).map { .text($0) } ?? .empty }
    }

    /// A column of untrusted text in which an empty text is an empty cell.
    @inline(__always) static func textIfAny(
        _ name: String, width: Double, wraps: Bool = false, _ value: @escaping @Sendable (Row) -> ExactText?
    ) -> TableColumn {
        TableColumn(name, .text, width: width, wraps: wraps) { row in
            guard let text = value(row), !text.isEmpty else { return .empty }
            return .text(text)
        }
    }

    /// A column of lists of untrusted texts.
    @inline(__always) static func texts(
        _ name: String, width: Double, _ value: @escaping @Sendable (Row) -> [ExactText]
    ) -> TableColumn {
        TableColumn(name, .text, .list, width: width) { .texts(value($0)) }
    }

    /// A column of our own words. An empty word is an empty cell.
    @inline(__always) static func code(
        _ name: String, width: Double, wraps: Bool = false, _ value: @escaping @Sendable (Row) -> String?
    ) -> TableColumn {
        TableColumn(name, .text, width: width, wraps: wraps) { value($0).map { .code($0) } ?? .empty }
    }

    /// A column of `true` and `false`.
    @inline(__always) static func flag(_ name: String, width: Double, _ value: @escaping @Sendable (Row) -> Bool?)
        -> TableColumn
    {
        TableColumn(name, .text, .flag, width: width) { row in
            value(row).map { .code($0 ? "true" : "false") } ?? .empty
        }
    }

    /// A column of lists of our own words, joined by `;`.
    @inline(__always) static func codes(_ name: String, width: Double, _ value: @escaping @Sendable (Row) -> String)
        -> TableColumn
    {
        TableColumn(name, .text, .list, width: width) { .codes(value($0)) }
    }

    @inline(__always) static func verdict(_ name: String, width: Double, _ value: @escaping @Sendable (Row) -> Verdict)
        -> TableColumn
    {
        TableColumn(name, .verdict, width: width) { .code(value($0).rawValue) }
    }

    @inline(__always) static func severity(
        _ name: String, width: Double, _ value: @escaping @Sendable (Row) -> Severity?
    ) -> TableColumn {
        TableColumn(name, .severity, width: width) { value($0).map { .severity($0) } ?? .empty }
    }

    @inline(__always) static func id(_ name: String, width: Double, _ value: @escaping @Sendable (Row) -> IdentityHash?)
        -> TableColumn
    {
        TableColumn(name, .text, width: width) { value($0).map { .id($0) } ?? .empty }
    }

    @inline(__always) static func number(_ name: String, width: Double, _ value: @escaping @Sendable (Row) -> Int?)
        -> TableColumn
    {
        TableColumn(name, .number, width: width) { value($0).map { .number($0) } ?? .empty }
    }

    @inline(__always) static func decimal(
        _ name: String, width: Double, _ value: @escaping @Sendable (Row) -> DecimalNumber?
    ) -> TableColumn {
        TableColumn(name, .decimal, width: width) { value($0).map { .decimal($0) } ?? .empty }
    }

    /// A column of amounts of money. Other columns have the currency, and whether the amount is a lower bound.
    @inline(__always) static func amount(
        _ name: String, width: Double, _ value: @escaping @Sendable (Row) -> AmountAtStake?
    ) -> TableColumn {
        decimal(name, width: width) { value($0).map { DecimalNumber(millionths: Int128($0.millionths)) } }
    }

    @inline(__always) static func date(_ name: String, width: Double, _ value: @escaping @Sendable (Row) -> Instant?)
        -> TableColumn
    {
        TableColumn(name, .date, width: width) { value($0).map { .date($0) } ?? .empty }
    }

    /// A column of bytes, as hex digits. No bytes make an empty cell.
    @inline(__always) static func hex(_ name: String, width: Double, _ value: @escaping @Sendable (Row) -> [UInt8]?)
        -> TableColumn
    {
        TableColumn(name, .text, width: width) { row in
            guard let bytes = value(row), !bytes.isEmpty else { return .empty }
            return .hex(bytes)
        }
    }
}
