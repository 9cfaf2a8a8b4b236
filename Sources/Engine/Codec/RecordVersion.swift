import Encodings
import Rules

/// The version of records between processes: of their encoding, and of the rule book, whose indices they contain.
package enum RecordVersion {
    package static let number: UInt16 = {
        let text = "lines 26 " + RuleBook.ids.map(\.text).joined(separator: " ")
        return UInt16(truncatingIfNeeded: text.stableHash)
    }()
}
