public import Encodings

/// Takes the cells of a row, in the order of the columns, in one report format.
///
/// The methods say what a cell is, because formats differ in what they do with it: an untrusted text must
/// not become a formula, a date is a date in a spreadsheet, an id never a number.
public protocol CellWriter {
    /// Untrusted text, and what is made of it.
    mutating func text(_ text: String)
    /// Words of ours: codes, severities, digits in hex.
    mutating func code(_ code: String)
    mutating func hex(_ bytes: Span<UInt8>)
    mutating func number(_ number: Int)
    mutating func date(_ date: Instant)
    mutating func empty()
}

extension CellWriter {
    package mutating func text(_ text: ExactText) { self.text(text.text) }

    /// Text, or an empty cell.
    mutating func text(_ text: ExactText?) {
        if let text, !text.isEmpty { self.text(text.text) } else { empty() }
    }

    /// A date, or an empty cell.
    mutating func date(_ date: Instant?) {
        if let date { self.date(date) } else { empty() }
    }
}
