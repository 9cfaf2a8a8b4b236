public import Checks
public import Encodings

/// A pattern of fraud or misuse. Each rule is one file: its documentation, its examples, its check.
public protocol Rule: Sendable {
    static var documentation: RuleDocumentation { get }
    /// Two at least, one that raises it and one that is clear. They are the rule's tests.
    static var examples: [RuleExample] { get }
    /// What its findings can be about.
    static var subjects: [SubjectKind] { get }

    /// Reads its limits, once for a run.
    init(_ policy: Policy)
}

/// A rule that looks at one claim by itself. Its findings are about the claim's source.
public protocol ClaimRule: Rule {
    /// What is wrong with the claim; `nil` if nothing is. Called for each claim, so it must be quick to say so.
    func hit(in facts: Facts) -> Hit?
}

/// A rule that looks at all claims with one key.
///
/// What it finds depends on which sightings it is given and not on their order, and it holds no more of them
/// than it states, however many there are.
public protocol GroupRule: Rule {
    /// What claims must have in common to be looked at together: any one of these.
    static var keys: [KeyKind] { get }
    /// How many sightings there must be for the rule to find anything.
    static var fewestSightings: Int { get }
    /// Whether a sighting without purchases changes nothing for the rule, so that it need not be shown any.
    static var looksAtPurchasesOnly: Bool { get }
    /// How many purchases one claim must show under a device or an account to be enough by itself: refunded ones, trials
    /// and introductory periods.
    var fewestTellings: Int { get }

    /// Told, before the first sighting, which of its keys the claims have in common.
    mutating func begin(_ key: KeyKind)
    /// Looks at one more claim with the key.
    mutating func take(_ sighting: Sighting)
    /// Carries out what it has taken, or in what the same rule has taken of another part of the group.
    mutating func carry(_ carrier: inout PartCarrier) throws
    /// What is wrong with the group, after all its sightings; `nil` if nothing is.
    mutating func hit() -> Hit?
    /// Whether a sighting is one of those that the finding is about. Asked after ``hit()``.
    func involves(_ sighting: Sighting) -> Bool
}

extension GroupRule {
    public static var fewestSightings: Int { 2 }
    public var fewestTellings: Int { 1 }

    public static var looksAtPurchasesOnly: Bool { false }

    public mutating func begin(_ key: KeyKind) {}

    public func involves(_ sighting: Sighting) -> Bool { true }
}

/// What a rule says: why, and sometimes how bad.
public struct Hit: Sendable {
    /// What an analyst can act on: which devices, which dates, what disagrees. A stranger's text may be in it.
    public var evidence: String
    /// `nil` for the severity in the rule's documentation.
    public var severity: Severity?
    /// The original transaction that the finding is about, where the key is one of its transactions.
    public var originalTransactionID: ExactText?

    public init(_ evidence: String, severity: Severity? = nil) {
        self.evidence = evidence
        self.severity = severity
    }
}
