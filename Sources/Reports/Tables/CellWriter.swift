public import Checks
public import Encodings

/// Writes the cells of a row, in the order of the columns, in one format.
///
/// There is a method for each kind of cell, because formats treat them differently: an untrusted text must not become a
/// formula, a date is a date in a spreadsheet, an id is never a number.
public protocol CellWriter {
    /// Writes untrusted text, or text made of it.
    mutating func text(_ text: String)
    /// Writes our own words: codes, severities, digits in hex.
    mutating func code(_ code: String)
    /// Writes a list of our own words, joined by `;`: an array where there are arrays.
    mutating func codes(_ joined: String)
    /// Writes a list of untrusted texts: an array where there are arrays.
    mutating func texts(_ texts: [ExactText])
    mutating func hex(_ bytes: Span<UInt8>)
    /// Writes the id of a claim or a finding.
    mutating func id(_ id: IdentityHash)
    mutating func number(_ number: Int)
    mutating func decimal(_ number: DecimalNumber)
    /// Writes the least that a number can be, where nobody knows it exactly.
    mutating func decimal(atLeast number: DecimalNumber)
    mutating func date(_ date: Instant)
    mutating func empty()
}

extension CellWriter {
    /// Writes a number, or an empty cell.
    mutating func number(_ number: Int?) {
        if let number { self.number(number) } else { empty() }
    }
    public mutating func decimal(_ number: DecimalNumber) { code(number.description) }

    public mutating func id(_ id: IdentityHash) { code(id.description) }

    public mutating func codes(_ joined: String) { if joined.isEmpty { empty() } else { code(joined) } }

    public mutating func texts(_ texts: [ExactText]) { text(texts.map(\.text).joined(separator: ";")) }

    public mutating func decimal(atLeast number: DecimalNumber) {
        code("at least " + Summary.Cell.decimal(Int(clamping: number.millionths / 10_000), digits: 2))
    }

    package mutating func text(_ text: ExactText) { self.text(text.text) }

    /// Writes text, or an empty cell.
    mutating func text(_ text: ExactText?) {
        if let text, !text.isEmpty { self.text(text.text) } else { empty() }
    }

    /// Writes a date, or an empty cell.
    mutating func date(_ date: Instant?) {
        if let date { self.date(date) } else { empty() }
    }
}

/// Appends the cells of rows to bytes that it owns.
protocol RowBuffer: CellWriter, SendableMetatype {
    /// - Parameters:
    ///   - columns: the names of the columns.
    ///   - column: the index of the first column that will be written; 0 for a new row.
    ///   - bytes: what the cells are appended to.
    init(_ columns: [String], from column: Int, appendingTo bytes: consuming [UInt8])

    var bytes: [UInt8] { get }

    mutating func endRow()
    /// Returns what was written, and starts again with nothing.
    mutating func takeBytes() -> [UInt8]
}
