/// The stages of a run, in which tables are written.
package enum RunStage: Int, Comparable, Sendable {
    /// The claims are checked.
    case claims
    case findings
    case links
    case entities
    case evidence
    case figures

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
