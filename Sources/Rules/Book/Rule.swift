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
/// What it finds depends on which observations it is given and not on their order, and it holds no more of them
/// than it states, however many there are.
public protocol GroupRule: Rule {
    /// What claims must have in common to be looked at together: any one of these.
    static var keys: [KeyKind] { get }
    /// How many observations there must be for the rule to find anything.
    static var minObservations: Int { get }
    /// Whether a observation without purchases changes nothing for the rule, so that it need not be shown any.
    static var looksAtPurchasesOnly: Bool { get }
    /// How many purchases one claim must show under a device or an account to be enough by itself: refunded ones, trials
    /// and introductory periods.
    var minSignificantPurchases: Int { get }

    /// Told, before the first observation, which of its keys the claims have in common.
    mutating func begin(_ key: KeyKind)
    /// Looks at one more claim with the key.
    mutating func take(_ observation: Observation)
    /// Carries out what it has taken, or in what the same rule has taken of another part of the group.
    mutating func carry(_ carrier: inout StateCoder) throws
    /// What is wrong with the group, after all its observations; `nil` if nothing is.
    mutating func hit() -> Hit?
    /// Whether a observation is one of those that the finding is about. Asked after ``hit()``.
    func involves(_ observation: Observation) -> Bool
}

extension GroupRule {
    public static var minObservations: Int { 2 }
    public var minSignificantPurchases: Int { 1 }

    public static var looksAtPurchasesOnly: Bool { false }

    public mutating func begin(_ key: KeyKind) {}

    public func involves(_ observation: Observation) -> Bool { true }
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
