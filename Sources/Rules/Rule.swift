public import Checks
public import Encodings
public import Receipts

/// A pattern of fraud or misuse. Each rule is one file: its documentation, its examples, its check.
public protocol Rule: Sendable {
    static var documentation: RuleDocumentation { get }
    /// At least one case that raises the rule and one that does not. They are the rule's tests.
    static var examples: [RuleExample] { get }
    /// What its findings can be about.
    static var subjects: [SubjectKind] { get }

    /// Reads the rule's limits, once per run.
    init(_ policy: Policy)
}

/// A rule that checks one claim by itself. Its findings are about the claim.
public protocol ClaimRule: Rule {
    /// Returns what is wrong with the claim, or `nil`. It runs for every claim, so the usual `nil` must be fast.
    func hit(in facts: Facts) -> Hit?
}

/// A rule that checks all claims with one key.
///
/// What it finds depends on the set of observations and not on their order, and its state is bounded however many
/// observations there are.
public protocol GroupRule: Rule {
    /// The kinds of keys that the rule groups claims by, each by itself.
    static var keys: [KeyKind] { get }
    /// The number of observations from which on the rule can find anything.
    static var minObservations: Int { get }
    /// Whether observations without purchases never change the rule's result, so that they may be left out.
    static var looksAtPurchasesOnly: Bool { get }
    /// Whether the rule takes in what Apple told the company's server. Findings are never about it.
    static var usesEvidence: Bool { get }
    /// Whether several groups of one finding are about as many transactions more, so that its events are added up.
    static var addsEvents: Bool { get }
    /// Whether its events are the distinct transactions that are at stake, however many groups show them.
    static var countsStake: Bool { get }
    /// The number of significant purchases (refunds, trials, introductory periods) from which on a single claim under
    /// a device or an account can be enough.
    var minSignificantPurchases: Int { get }
    /// How many claims with a kind of key must differ for the rule to find anything.
    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum
    /// What its findings about groups with a kind of key put at stake.
    static func stake(under key: KeyKind) -> StakeKind

    /// Returns whether an observation is one of those without which the rule finds nothing. It is asked before any is
    /// added: of most groups none is.
    func mayRaise(_ observation: borrowing Observation) -> Bool
    /// Sets the kind of key that the group has; called before the first observation.
    mutating func begin(_ key: KeyKind)
    /// Adds one more claim with the key.
    mutating func add(_ observation: Observation)
    /// Adds a claim or evidence that, under the key of an original transaction, shows the chain that took that one's
    /// place. Nobody presents the key's transactions by it.
    mutating func add(successor observation: Observation)
    /// Names the part of the group that a claim belongs to, where the rule compares claims of one part only: then each
    /// part has a first presenter.
    func part(of observation: Observation) -> ExactText
    /// Encodes the rule's state, or merges that of the same rule over another part of the group into it.
    mutating func code(_ coder: inout StateCoder) throws
    /// Returns what is wrong with the group, or `nil`; called after all observations were added.
    mutating func hit() -> Hit?
    /// Returns whether the finding is about the claim of an observation; called after ``hit()``.
    func involves(_ observation: Observation) -> Bool
    /// Returns whether the finding is about claims of a part of the group; called after ``hit()``.
    func isAbout(part: ExactText) -> Bool
    /// Returns whether the finding puts a purchase at stake, of a claim that it is about or of evidence; called after
    /// ``hit()``.
    func atStake(in observation: Observation) -> [Purchase]
}

extension GroupRule {
    public static var minObservations: Int { 2 }
    public static var looksAtPurchasesOnly: Bool { false }
    public static var usesEvidence: Bool { false }
    public static var addsEvents: Bool { false }
    public static var countsStake: Bool { false }
    public var minSignificantPurchases: Int { 1 }
    public func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { .none }

    public func mayRaise(_ observation: borrowing Observation) -> Bool { true }

    public mutating func begin(_ key: KeyKind) {}

    public mutating func add(successor observation: Observation) {}

    public func part(of observation: Observation) -> ExactText { "" }

    public func involves(_ observation: Observation) -> Bool { true }

    public func isAbout(part: ExactText) -> Bool { true }

    /// A finding about a transaction, or an original one, puts all at stake that its claims show of it.
    public static func stake(under key: KeyKind) -> StakeKind {
        switch key {
        case .transaction, .originalTransaction, .nonce: .shown
        case .receipt, .device, .account, .app, .person: .none
        }
    }

    public func atStake(in observation: Observation) -> [Purchase] {
        observation.isEvidence ? [] : observation.purchases
    }
}

/// What a rule found: the evidence, and severity and confidence if they are not the usual ones.
public struct Hit: Sendable {
    /// What an analyst can act on: which devices, which dates, what disagrees. It may contain untrusted text.
    var evidence: String
    /// `nil` for the severity in the rule's documentation.
    var severity: Severity?
    /// `nil` for the confidence in the rule's documentation.
    var confidence: Confidence?
    /// The number of distinct transactions concerned, for rules that count them; else 1.
    var events = 1
    /// The original transaction that the finding is about, where the key is one of its transactions.
    var originalTransactionID: ExactText?
    /// The purchases that a finding about a claim by itself puts at stake; `nil` for the latest one of the product that the
    /// claim asks for.
    var atStake: [Purchase]?

    init(_ evidence: String, severity: Severity? = nil, confidence: Confidence? = nil, events: Int = 1) {
        self.evidence = evidence
        self.severity = severity
        self.confidence = confidence
        self.events = events
    }
}

/// What a finding can be about: the word before the colon in the column `subject`.
public enum SubjectKind: String, CaseIterable, Sendable {
    case claim
    case receipt
    case transaction
    case device
    case account
    /// An app by bundle id and original purchase date: `app:BUNDLE:DATE`.
    case app
    /// An Apple Account's use of an app, by `appTransactionId`: `person:704…`.
    case person

    /// How a subject of this kind is written: `device:…`.
    public var pattern: String { rawValue + ":…" }

    /// Returns the kind of a subject and what follows the colon; `nil` if it begins with no kind.
    public static func split(_ subject: ExactText) -> (kind: SubjectKind, id: ExactText)? {
        allCases.lazy.compactMap { kind in subject.rest(behind: "\(kind.rawValue):").map { (kind, $0) } }.first
    }

    init(_ key: KeyKind) {
        switch key {
        case .receipt: self = .receipt
        case .originalTransaction, .transaction, .nonce: self = .transaction
        case .device: self = .device
        case .account: self = .account
        case .app: self = .app
        case .person: self = .person
        }
    }
}

extension ClaimRule {
    public static var subjects: [SubjectKind] { [.claim] }
}

extension GroupRule {
    public static var subjects: [SubjectKind] {
        let kinds = Set(keys.map { SubjectKind($0) })
        return SubjectKind.allCases.filter { kinds.contains($0) }
    }
}
