public import Encodings
public import Rules

/// The data kept between runs: claims and their keys, statements of evidence, and findings. The ledger implements it.
///
/// One thread at a time uses it, except for its readers. Publication keeps everything that a run added; without it nothing
/// is kept.
public protocol History: AnyObject {
    /// The number of the run.
    var run: Int64 { get }
    /// Whether no earlier run left any data.
    var isEmpty: Bool { get }
    /// Whether any finding was ever reviewed.
    var hasReviews: Bool { get }

    /// Opens the data of earlier runs for another thread.
    func reader() throws -> sending any HistoryReader

    /// What this run is doubtful about. Set before it adds anything.
    var doubt: RunDoubt { get set }

    /// Adds a claim of this run, which earlier runs may have met.
    ///
    /// - Parameters:
    ///   - id: the first 64 bits of its id. Ids must ascend.
    ///   - caseID: the first 64 bits of the id of its case; `nil` for a token of evidence.
    ///   - isDoubtful: whether the run is doubtful about it.
    func put(claim id: UInt64, ofCase caseID: UInt64?, isDoubtful: Bool, record: Span<UInt8>) throws
    /// Adds a key of a claim that no earlier run had. Keys must ascend.
    func put(_ key: EarlierKey) throws
    /// Adds a statement of evidence that no earlier run had.
    ///
    /// - Parameter claim: the number under which the token itself is stored.
    func put(statement record: Span<UInt8>, by claim: UInt64) throws

    /// Returns whether a finding was reviewed and has since gained a case that the reviewer had not seen.
    ///
    /// - Parameter cases: returns the first 64 bits of the ids of the finding's cases; called only if it was reviewed.
    func isAboutMore(rule: ExactText, subject: ExactText, cases: () -> [UInt64]) throws -> Bool
    /// Returns the status that a finding of this run will have once it is recorded.
    func status(of finding: FindingRow) throws -> FindingStatus
    /// Calls a body with each review, oldest first.
    func forEachReview(_ body: (FindingName, ReviewDecision) throws -> Void) throws
    /// Returns how often each rule was right, including the findings recorded by this run: the rules of the book in
    /// order, then others.
    func ruleQuality() throws -> [RuleQuality]
    /// Records a finding of this run, once.
    ///
    /// - Returns: its history and review status.
    func record(_ finding: FindingRow) throws -> FindingHistoryEntry
    /// Returns the findings of the last run for an earlier reference day (UTC) that this run has not
    /// recorded: worst first, then by rule and subject, without evidence.
    func findingsOfLastRun(limit: Int) throws -> [EarlierFinding]
    /// Returns the subjects of the high and critical findings of any earlier run by some rules, in order.
    func subjectsOfSevereFindings(by rules: [ExactText], limit: Int) throws -> [ExactText]
    /// Counts, by severity, the findings that are new on this run's reference day and that this run has not recorded.
    func countNewFindingsOfOtherRuns() throws -> [Severity: Int]

    /// The latest reference time of a run that counts; `nil` if there was none.
    var lastAsOf: Instant? { get }

    /// The earliest presentation date of a stored claim; `nil` if none is dated.
    var firstPresented: Instant? { get }
    /// The apps of stored claims.
    var apps: Set<ExactText> { get }

    /// Completes the data with everything that the run has added, flushed to disk.
    ///
    /// - Returns: the size of all data in bytes.
    func commit(_ outcome: RunOutcome) throws -> Int
    /// Keeps the committed data: the run's reports are in place.
    func publish() throws
}

/// Reads the data that was stored when a run began. For one thread.
public protocol HistoryReader: AnyObject {
    /// Finds a claim by its number, with the reference time of the first run that had it.
    func record(ofClaim id: UInt64) throws -> (record: [UInt8], seenAt: Instant)?
    /// Whether any account has been given another id.
    var hasRenamedAccounts: Bool { get }
    /// Returns the first id of an account that was given another one; `nil` for any other account.
    func formerID(ofAccount id: ExactText) throws -> ExactText?
    /// Calls a body with the number and the record of each claim, in no order.
    func forEachClaim(_ body: (UInt64, Span<UInt8>) throws -> Void) throws
    /// Calls a body with the statements of each token of evidence, in no order.
    func forEachStatement(_ body: (Span<UInt8>) throws -> Void) throws

    /// The current key, in the order of hashes and then of claims; `nil` after the last.
    var key: EarlierKey? { get }
    /// Moves to the first key whose hash is not smaller.
    func seek(_ hash: UInt64) throws
    /// Moves to the next key.
    func next() throws
}

/// A hash of a key, and the number of a claim of earlier runs with this key.
public struct EarlierKey: Sendable, Equatable {
    public let hash: UInt64
    public let claim: UInt64

    public init(hash: UInt64, claim: UInt64) { (self.hash, self.claim) = (hash, claim) }
}

/// The stored facts about a whole run.
public struct RunOutcome: Sendable, Equatable {
    /// The run's reference time.
    public var asOf: Instant
    public var inputs: [String]
    public var claims: Int
    public var valid: Int
    /// The number of claims that are not valid, for any reason.
    public var invalid: Int { claims - valid }
    /// The number of claims with a device.
    public var withDevice = 0
    /// The earliest presentation date of a claim.
    public var firstPresented: Instant?
    /// The apps of its claims.
    public var apps: [ExactText] = []
    /// The run's exit code.
    public var exitCode = 0
    /// The reasons for exit code 3, as sentences.
    public var complaints: [String] = []
    /// The absolute paths of its reports.
    public var reports: [String] = []
    /// The hashes of its messages that are no reasons for 3.
    public var told: [UInt64] = []

    public init(asOf: Instant, inputs: [String], claims: Int, valid: Int) {
        self.asOf = asOf
        self.inputs = inputs
        self.claims = claims
        self.valid = valid
    }
}
