public import Checks
public import Encodings
import Inputs

/// How much of evidence counts, and why the rest does not. Tokens inside other tokens are not counted here.
public struct EvidenceOutcome: Sendable, Codable {
    /// The number of tokens that count, including duplicates.
    public private(set) var counted = 0
    /// The number of tokens and texts that do not count.
    public private(set) var refused = 0
    /// The number of those that may be tokens cut off, hidden in other text, or unreadable.
    public private(set) var lost = 0
    /// The number of texts without any sign of a token.
    public private(set) var others = 0
    /// The number of texts without content, such as an empty page of the API.
    public private(set) var empty = 0
    /// The failed checks of evidence that does not count.
    public private(set) var failedChecks = Counts<Check>()
    /// The tokens that count, by app.
    private var apps = AppTally()

    public init() {}

    /// Counts a token, or what has the place of one.
    ///
    /// - Parameter isCut: whether it begins like a token and ends within it.
    mutating func count(_ facts: Facts, isCut: Bool) {
        guard facts.verdict != .valid else {
            apps.count(facts.bundleID)
            return counted = counted.addingSaturating(1)
        }
        refuse(facts, lost: facts.verdict == .unreadable || isCut ? 1 : 0)
    }

    /// Counts a text without a token.
    ///
    /// - Parameter lost: the number of tokens that may be in it.
    mutating func count(textOf facts: Facts, lost: Int) {
        if lost == 0 { others = others.addingSaturating(1) }
        refuse(facts, lost: lost)
    }

    private mutating func refuse(_ facts: Facts, lost: Int) {
        refused = refused.addingSaturating(max(1, lost))
        self.lost = self.lost.addingSaturating(lost)
        for check in facts.failed.sorted { failedChecks.count(check) }
    }

    mutating func countEmpty() { empty = empty.addingSaturating(1) }

    /// Returns the apps of tokens that count and that are not among those that count, by the number of tokens.
    ///
    /// - Parameter apps: the apps whose evidence counts; `nil` for all.
    public func unnamedApps(besides apps: Set<ExactText>?) -> [(app: ExactText, count: Int)] {
        guard let apps else { return [] }
        return self.apps.sorted.filter { !apps.contains($0.app) }.sorted { ($1.count, $0.app) < ($0.count, $1.app) }
    }

    package static func += (outcome: inout EvidenceOutcome, other: EvidenceOutcome) {
        outcome.counted = outcome.counted.addingSaturating(other.counted)
        outcome.refused = outcome.refused.addingSaturating(other.refused)
        outcome.lost = outcome.lost.addingSaturating(other.lost)
        outcome.others = outcome.others.addingSaturating(other.others)
        outcome.empty = outcome.empty.addingSaturating(other.empty)
        outcome.failedChecks += other.failedChecks
        outcome.apps += other.apps
    }
}
