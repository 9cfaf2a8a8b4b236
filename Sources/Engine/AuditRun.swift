public import Checks
public import Inputs
public import Proofs
public import Rules
import Subscriptions

/// A whole run: every claim is checked by itself, claims with a key in common are evaluated together, and both are joined.
///
///     claims ─▶ map: facts, rows, facts under keys ─▶ sort by key ─▶ reduce: findings ─▶ join: rows with findings
///
/// What the stages hand on grows with the number of claims. It is held in memory up to a limit, and beyond it in
/// temporary files.
public struct AuditRun: Sendable {
    let trust: TrustAnchors
    let expectations: Expectations
    let rules: RuleSet
    let storage: Storage
    let pipeline: OrderedPipeline
    let withFigures: Bool
    let withLinks: Bool
    let withEntities: Bool
    /// The subjects of earlier findings, of which the run records whether any claim has them.
    public var reported: ReportedSubjects
    /// How many days a buyer has to present a purchase.
    public var unclaimedAfter = UnclaimedWindow.standardDays
    /// The key of pseudonyms that stand for device and account ids; `nil` for the ids themselves.
    let pseudonymKey: [UInt8]?
    let history: RunHistory

    /// - Parameters:
    ///   - workers: how many threads check claims; as many cores as there are is best.
    ///   - withFigures: whether to read subscriptions, and to count what receipts say of themselves.
    ///   - withLinks: whether to keep what the table `links` shows of claims.
    ///   - withEntities: whether to make the table `entities`, which needs what links show.
    ///   - pseudonymKey: the key of pseudonyms that stand for device and account ids; `nil` for the ids themselves.
    ///   - history: what earlier runs left, and what this one leaves.
    public init(
        trust: TrustAnchors, expectations: Expectations, rules: RuleSet, workers: Int, storage: Storage,
        withFigures: Bool = true, withLinks: Bool = false, withEntities: Bool = false,
        pseudonymKey: [UInt8]? = nil, history: RunHistory = .none
    ) {
        self.history = history
        self.pseudonymKey = pseudonymKey
        self.withFigures = withFigures
        self.withLinks = withLinks || withEntities
        self.withEntities = withEntities
        reported = ReportedSubjects()
        self.trust = trust
        self.expectations = expectations
        self.rules = rules
        self.storage = storage
        pipeline = OrderedPipeline(workers: workers)
    }

    /// How a run is getting on.
    public struct Progress: Sendable {
        public enum Stage: Sendable {
            /// Claims are checked one by one.
            case claims
            /// Claims that have something in common are evaluated together.
            case groups
            /// Reports are written.
            case reports
        }

        public var stage: Stage
        /// Of the stage, from 0 to 1, if that is known.
        public var fraction: Double?
        public var tally: Tally
    }

    /// Runs all stages but the last, which the result does when it is asked for its rows.
    ///
    /// - Parameters:
    ///   - evidence: what Apple told the company's server.
    ///   - encoders: the formats in which rows of the table `receipts` are wanted.
    ///   - onProgress: called now and then, on the calling thread.
    /// - Throws: what the source throws, ``Interrupted``, or `FileError` if a temporary file cannot be written.
    public func run(
        _ source: any ClaimSource, evidence: EvidenceSource? = nil, encoders: [RowEncoder],
        isStopped: @escaping @Sendable () -> Bool, onProgress: (Progress) -> Void = { _ in }
    ) throws -> AuditResult {
        let encoders = encoders + (withLinks ? [.linkFacts] : [])
        let mapped = try map(
            source, evidence: evidence, encoders: encoders, isStopped: isStopped, onProgress: onProgress)
        let withAnswers = encoders.contains { $0.addParts != nil }
        let found = try reduce(mapped, withAnswers: withAnswers, isStopped: isStopped, onProgress: onProgress)
        return try AuditResult(
            mapped, found, encoders: encoders, withLinks: withLinks, withEntities: withEntities, rules: rules,
            history: history, unclaimedAfter: unclaimedAfter, storage: storage, pipeline: pipeline, isStopped: isStopped
        )
    }
}
