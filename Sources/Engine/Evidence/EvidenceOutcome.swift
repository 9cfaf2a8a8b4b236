public import Checks
import Encodings

/// How much of evidence counts, and why the rest does not. Tokens inside other tokens are not counted here.
public struct EvidenceOutcome: Sendable, Codable {
    /// The number of tokens that count, including duplicates.
    public private(set) var counted = 0
    /// The number of tokens and texts that do not count.
    public private(set) var refused = 0
    /// The number of texts without content, such as an empty page of the API.
    public private(set) var empty = 0
    /// The failed checks of evidence that does not count.
    public private(set) var failedChecks = Counts<Check>()

    public init() {}

    /// Counts a token, or a text without one.
    mutating func count(_ facts: Facts) {
        guard facts.verdict != .valid else { return counted = counted.addingSaturating(1) }
        refused = refused.addingSaturating(1)
        for check in facts.failed.sorted { failedChecks.count(check) }
    }

    mutating func countEmpty() { empty = empty.addingSaturating(1) }

    package static func += (outcome: inout EvidenceOutcome, other: EvidenceOutcome) {
        outcome.counted = outcome.counted.addingSaturating(other.counted)
        outcome.refused = outcome.refused.addingSaturating(other.refused)
        outcome.empty = outcome.empty.addingSaturating(other.empty)
        outcome.failedChecks += other.failedChecks
    }
}
