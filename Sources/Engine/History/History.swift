public import Encodings
public import Rules

/// What is kept between runs: the results of blocks of claims, the claims and their keys, what evidence said, and findings.
/// The ledger implements it.
///
/// It is used by one thread at a time, but for its readers. All that a run adds is kept when it commits, or nothing.
public protocol History: AnyObject {
    /// The number of the run.
    var run: Int64 { get }
    /// Whether no earlier run left anything.
    var isEmpty: Bool { get }
    /// Whether a finding was ever reviewed.
    var hasReviews: Bool { get }
    /// The damaged rows that were left out, in words; empty if there were none.
    var lost: String { get }

    /// Opens what earlier runs left, for another thread.
    func reader() throws -> sending any HistoryReader

    /// Adds the result of a block of claims. It takes the place of one with the same key.
    func put(_ block: NewBlock) throws
    /// Notes that the run used the stored result of a block.
    ///
    /// - Parameter newStatusKey: another key by which it can be found from now on; `nil` if it has that already.
    func use(block id: Int64, newStatusKey: [UInt8]?) throws
    /// Adds a claim (``ClaimRecord``) that no earlier run had.
    ///
    /// - Parameter id: the first 64 bits of its id. They come in ascending order.
    func put(claim id: UInt64, record: Span<UInt8>) throws
    /// Adds a key of such a claim. They come in ascending order.
    func put(_ key: EarlierKey) throws
    /// Adds what a token of evidence says that none said before.
    ///
    /// - Parameter claim: the number under which the token itself is kept.
    func put(statement record: Span<UInt8>, by claim: UInt64) throws

    /// Whether a finding was reviewed, and one of its claims was first met in a later run than the reviewer saw.
    ///
    /// - Parameter claims: the numbers of the claims that it is about; asked for only if it was reviewed.
    func isAboutMore(rule: ExactText, subject: ExactText, claims: () -> [UInt64]) throws -> Bool
    /// Returns the status that a finding of this run will have once it is recorded.
    func status(of finding: FindingRow) throws -> FindingStatus
    /// Calls a body with each review, oldest first.
    func forEachReview(_ body: (RecordedReview) throws -> Void) throws
    /// Counts how often each rule was right, with the findings that this run has recorded: the rules of the book in its
    /// order, then others.
    func ruleQuality() throws -> [RuleQuality]
    /// Records a finding of this run, once.
    ///
    /// - Returns: what earlier runs and reviews know of it.
    func record(_ finding: FindingRow) throws -> FindingHistoryEntry
    /// Returns the findings that the last published run for an earlier day (UTC, of its reference time) made and this run
    /// has not made, as far as it is recorded: worst first, then by rule and subject, without evidence.
    func findingsOfLastRun(limit: Int) throws -> [EarlierFinding]
    /// Counts by severity the findings that are new on the day of this run's reference time and that this run has not
    /// made, as far as it is recorded.
    func countNewFindingsOfOtherRuns() throws -> [Severity: Int]

    /// Returns how many claims with a device the last run had for an earlier day over the same inputs; `nil` if there was
    /// none. Runs in which devices were missing do not count.
    func devicesOfLastRun(of inputs: [String]) -> DeviceShare?

    /// The earliest date on which a claim that is kept was presented; `nil` if none is dated.
    var firstPresented: Instant? { get }

    /// Drops all that the run has added.
    func discard() throws
    /// Keeps all that was added, flushed to disk.
    func commit(_ outcome: RunOutcome) throws
    /// Notes that the run's reports are in place.
    func publish() throws
}

/// Reads what was kept when a run began. For one thread.
public protocol HistoryReader: AnyObject {
    /// Finds a block by a hash of all that it holds and of all settings.
    func block(key: Span<UInt8>) throws -> StoredBlock?
    /// Finds a block by a hash of the status of its files.
    func block(statusKey: Span<UInt8>) throws -> StoredBlock?
    /// Finds a claim by its number, and the reference time of the run that had it first.
    func record(ofClaim id: UInt64) throws -> (record: [UInt8], seenAt: Instant)?
    /// Calls a body with the number and the record of each claim, in no order.
    func forEachClaim(_ body: (UInt64, Span<UInt8>) throws -> Void) throws
    /// Calls a body with what each token of evidence said, in no order.
    func forEachStatement(_ body: (Span<UInt8>) throws -> Void) throws

    /// The current key, in the order of hashes and, under a hash, of claims; `nil` after the last.
    var key: EarlierKey? { get }
    /// Goes to the first key with a hash or with a later one.
    func seek(_ hash: UInt64) throws
    /// Goes to the next key.
    func next() throws
}

/// A hash of a key, and the number of a claim of earlier runs that has it.
public struct EarlierKey: Sendable, Equatable {
    public let hash: UInt64
    public let claim: UInt64

    public init(hash: UInt64, claim: UInt64) { (self.hash, self.claim) = (hash, claim) }
}

/// The result of a block of claims, to be kept.
public struct NewBlock: Sendable {
    /// SHA-256 of all that the block holds and of all settings.
    public let key: [UInt8]
    /// SHA-256 of the status of its files and of all settings; `nil` if the block has no files.
    public let statusKey: [UInt8]?
    public let output: [UInt8]

    public init(key: [UInt8], statusKey: [UInt8]?, output: [UInt8]) {
        (self.key, self.statusKey, self.output) = (key, statusKey, output)
    }
}

/// The result of a block of claims that an earlier run kept.
public struct StoredBlock: Sendable {
    public let id: Int64
    /// The last key of its files' status under which it was kept or used; empty if there was none.
    public let statusKey: [UInt8]
    public let output: [UInt8]

    public init(id: Int64, statusKey: [UInt8], output: [UInt8]) {
        (self.id, self.statusKey, self.output) = (id, statusKey, output)
    }
}

/// What is kept of a run as a whole.
public struct RunOutcome: Sendable {
    /// The run's reference time.
    public let asOf: Instant
    public let inputs: [String]
    public let claims: Int
    public let valid: Int
    /// How many of the claims have a device.
    public var withDevice = 0
    /// The earliest date on which one of the claims was presented.
    public var firstPresented: Instant?
    /// What the run ends with.
    public var exitCode = 0
    /// Why, if that is 3: sentences.
    public var complaints: [String] = []
    /// Whether devices were missing, or the reference time was wrong, so that nothing is kept of its claims.
    public var keepsOnlyEvidence = false

    public init(asOf: Instant, inputs: [String], claims: Int, valid: Int) {
        (self.asOf, self.inputs, self.claims, self.valid) = (asOf, inputs, claims, valid)
    }
}

/// How many of a run's claims have a device.
public struct DeviceShare: Sendable, Equatable {
    /// The run's number.
    public let run: Int64
    public let claims: Int
    public let withDevice: Int

    public init(run: Int64, claims: Int, withDevice: Int) {
        (self.run, self.claims, self.withDevice) = (run, claims, withDevice)
    }
}
