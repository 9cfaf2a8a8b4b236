package import Checks
package import Encodings
package import Rules

/// The value of a cell, which a table makes from a row and a format writes.
///
/// There is a case for each kind of cell, because formats treat them differently: an untrusted text must not become a
/// formula, a date is a date in a spreadsheet, an id is never a number.
package enum CellValue: Sendable {
    case empty
    /// Untrusted text, or text that contains it.
    case text(ExactText)
    /// A list of untrusted texts: an array in formats with arrays.
    case texts([ExactText])
    /// Our own words: codes, severities.
    case code(String)
    /// A list of our own words, joined by `;`: an array in formats with arrays.
    case codes(String)
    case severity(Severity)
    /// The id of a claim or a finding.
    case id(IdentityHash)
    case number(Int)
    case decimal(DecimalNumber)
    case date(Instant)
    /// Bytes, as hex digits.
    case hex([UInt8])
    /// A JSON value, which only JSON supports.
    case json(JSONBuilder)
}
