package import Checks
package import Encodings
package import Rules

/// Writes the cells of a row, in the order of the columns, in one format.
///
/// There is a method for each kind of cell, because formats treat them differently: an untrusted text must not become a
/// formula, a date is a date in a spreadsheet, an id is never a number.
package protocol CellWriter {
    /// Writes untrusted text, or text that contains it.
    mutating func text(_ text: String)
    /// Writes our own words: codes, severities, digits in hex.
    mutating func code(_ code: String)
    mutating func severity(_ severity: Severity)
    /// Writes a list of our own words, joined by `;`: an array in formats with arrays.
    mutating func codes(_ joined: String)
    /// Writes a list of untrusted texts: an array in formats with arrays.
    mutating func texts(_ texts: [ExactText])
    mutating func hex(_ bytes: Span<UInt8>)
    /// Writes the id of a claim or a finding.
    mutating func id(_ id: IdentityHash)
    mutating func number(_ number: Int)
    mutating func decimal(_ number: DecimalNumber)
    mutating func date(_ date: Instant)
    /// Writes a JSON value; formats without JSON leave the cell empty.
    mutating func json(_ value: JSONBuilder)
    mutating func empty()
}

extension CellWriter {
    package mutating func severity(_ severity: Severity) { code(severity.code) }

    package mutating func decimal(_ number: DecimalNumber) { code(number.description) }

    package mutating func id(_ id: IdentityHash) { code(id.description) }

    package mutating func codes(_ joined: String) { if joined.isEmpty { empty() } else { code(joined) } }

    package mutating func texts(_ texts: [ExactText]) { text(texts.map(\.text).joined(separator: ";")) }

    package mutating func json(_ value: JSONBuilder) { empty() }

    package mutating func write(_ values: some Sequence<CellValue>) {
        for value in values { write(value) }
    }

    @inline(__always) package mutating func write(_ value: CellValue) {
        switch value {
        case .empty: empty()
        case .text(let text): self.text(text.text)
        case .texts(let texts): self.texts(texts)
        case .code(let code): self.code(code)
        case .codes(let joined): codes(joined)
        case .severity(let severity): self.severity(severity)
        case .id(let id): self.id(id)
        case .number(let number): self.number(number)
        case .decimal(let number): decimal(number)
        case .date(let date): self.date(date)
        case .hex(let bytes): hex(bytes.span)
        case .json(let value): json(value)
        }
    }
}

/// Appends the cells of rows to its own bytes.
package protocol RowBuffer: CellWriter, SendableMetatype {
    /// - Parameters:
    ///   - columns: the names of the columns.
    ///   - column: the index of the first column to write; 0 for a new row.
    ///   - bytes: the bytes to append the cells to.
    init(_ columns: [String], from column: Int, appendingTo bytes: consuming [UInt8])

    var bytes: [UInt8] { get }

    mutating func endRow()
    /// Returns the written bytes, and starts over.
    mutating func takeBytes() -> [UInt8]
}
