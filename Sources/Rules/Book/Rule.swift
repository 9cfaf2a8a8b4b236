public import Checks
public import Encodings
public import Receipts

/// A pattern of fraud or misuse. Each rule is one file with its documentation, its examples and its check.
public protocol Rule: Sendable {
    static var documentation: RuleDocumentation { get }
    /// At least one case that raises the rule and one that does not. The rule's tests run them.
    static var examples: [RuleExample] { get }
    /// The kinds of subjects that its findings can have.
    static var subjects: [SubjectKind] { get }

    /// Reads the rule's limits, once per run.
    init(_ policy: Policy)
}

/// A rule that checks one claim by itself. Its findings are about the claim.
public protocol ClaimRule: Rule {
    /// Returns what is wrong with the claim, or `nil`. It runs for every claim, so the usual `nil` must be fast.
    func hit(in facts: Facts) -> Hit?
}

/// A rule that checks one claim where all tokens of one of its original transactions meet: those of claims, of this run
/// and earlier ones, and those of evidence. Its findings are about the claim; those of several original transactions are
/// parts of one.
///
/// ``GroupRule/hit()`` only prepares the facts.
protocol InformedClaimRule: ClaimRule, GroupRule {
    /// Returns what is wrong with a claim of this run, or `nil`. Called after ``GroupRule/hit()``.
    func hit(about claim: Observation) -> Hit?
}

extension InformedClaimRule {
    static var keys: [KeyKind] { [.originalTransaction] }
    static var subjects: [SubjectKind] { [.claim] }
    static var minObservations: Int { 1 }
    static var usesEvidence: Bool { true }

    func hit(in facts: Facts) -> Hit? { nil }
    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { .init() }
}

/// A rule that checks all claims with one key.
///
/// Its result depends on the set of observations and not on their order. Its state is bounded for any number of
/// observations.
public protocol GroupRule: Rule {
    /// The kinds of keys that the rule groups claims by, each separately.
    static var keys: [KeyKind] { get }
    /// The minimum number of observations for the rule to find anything.
    static var minObservations: Int { get }
    /// Whether observations without purchases never change the rule's result, so that they may be left out.
    static var looksAtPurchasesOnly: Bool { get }
    /// Whether the rule also reads what Apple sent to the company's server. Findings are never about such evidence.
    static var usesEvidence: Bool { get }
    /// Whether a finding may exist only because two accounts are not one.
    static var countsAccounts: Bool { get }
    /// Whether each group adds its own transactions to a finding, so that the events of groups are summed.
    static var addsEvents: Bool { get }
    /// Whether its events are the distinct transactions at stake, regardless of the number of groups.
    static var countsStake: Bool { get }
    /// The minimum number of significant purchases (refunds, trials, introductory periods) with which a single claim
    /// under a device or an account can be enough.
    var minSignificantPurchases: Int { get }
    /// Returns how many claims with a kind of key must differ for the rule to find anything.
    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum
    /// Returns what its findings about groups with a kind of key put at stake.
    static func stake(under key: KeyKind) -> StakeKind

    /// Returns whether an observation can raise the rule. If none of a group can, as in most groups, the rule finds
    /// nothing. Called before any is added.
    func mayRaise(_ observation: borrowing Observation) -> Bool
    /// Sets the kind of the group's key. Called before the first observation.
    mutating func begin(_ key: KeyKind)
    /// Adds a claim with the key.
    mutating func add(_ observation: Observation)
    /// Adds a claim or evidence that shows, under the key of an original transaction, the chain that replaced it. It
    /// does not present the key's transactions.
    mutating func add(successor observation: Observation)
    /// Returns the name of the part of the group that a claim belongs to, if the rule compares only claims of one part.
    /// Each part then has its own first presenter.
    func part(of observation: Observation) -> ExactText
    /// Returns what is wrong with the group, or `nil`. Called after all observations were added.
    mutating func hit() -> Hit?
    /// Whether all added claims are a hand-over: one customer who changed the device or the account; `nil` if the rule
    /// knows no hand-overs.
    var isHandOver: Bool? { get }
    /// Returns whether the finding is about the claim of an observation. Called after ``hit()``.
    func involves(_ observation: Observation) -> Bool
    /// Returns whether the finding is about claims of a part of the group. Called after ``hit()``.
    func isAbout(part: ExactText) -> Bool
    /// Returns the purchases that the finding puts at stake, of a claim that it is about or of evidence. Called after
    /// ``hit()``.
    func atStake(in observation: Observation) -> [Purchase]
}

extension GroupRule {
    public static var minObservations: Int { 2 }
    public static var looksAtPurchasesOnly: Bool { false }
    public static var usesEvidence: Bool { false }
    public static var countsAccounts: Bool { false }
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

    public var isHandOver: Bool? { nil }

    /// A finding about a transaction, or an original one, puts everything at stake that its claims show of it.
    public static func stake(under key: KeyKind) -> StakeKind {
        switch key {
        case .transaction, .originalTransaction, .nonce: .shown
        case .receipt, .device, .account, .app, .person, .accountToken: .none
        }
    }

    public func atStake(in observation: Observation) -> [Purchase] {
        observation.isEvidence ? [] : observation.purchases
    }
}

/// A rule's result: the evidence, and severity and confidence if they are not the usual ones.
public struct Hit: Sendable {
    /// The facts that an analyst can act on: devices, dates, contradictions. It may contain untrusted text.
    var evidence: String
    /// The severity; `nil` for the one in the rule's documentation.
    var severity: Severity?
    /// The confidence; `nil` for the one in the rule's documentation.
    var confidence: Confidence?
    /// The number of distinct transactions concerned, for rules that count them; otherwise 1.
    var events = 1
    /// The original transaction that the finding is about, if the key is one of its transactions.
    var originalTransactionID: ExactText?
    /// The purchases that a finding about a claim by itself puts at stake; `nil` for the latest purchase of the product
    /// that the claim asks for.
    var atStake: [Purchase]?
    /// Whether these are of the product that the claim asks for (``Finding/isOfAsked``).
    var isOfAsked = false

    init(_ evidence: String, severity: Severity? = nil, confidence: Confidence? = nil, events: Int = 1) {
        self.evidence = evidence
        self.severity = severity
        self.confidence = confidence
        self.events = events
    }
}

/// The kinds of subjects: the word before the colon in the column `subject`.
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

    /// The form of a subject of this kind: `device:…`.
    public var pattern: String { rawValue + ":…" }

    /// Returns the kind of a subject and the text after the colon; `nil` if no kind matches.
    public static func split(_ subject: ExactText) -> (kind: SubjectKind, id: ExactText)? {
        allCases.lazy.compactMap { kind in subject.rest(behind: "\(kind.rawValue):").map { (kind, $0) } }.first
    }

    init(_ key: KeyKind) {
        switch key {
        case .receipt: self = .receipt
        case .originalTransaction, .transaction, .nonce: self = .transaction
        case .device: self = .device
        case .account, .accountToken: self = .account
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
