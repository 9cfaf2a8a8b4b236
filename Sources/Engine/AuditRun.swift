public import Checks
public import Inputs
public import Proofs
public import Rules
public import Subscriptions

/// A whole run. It checks every claim by itself, evaluates claims with a common key together, and joins both results.
///
///     claims ─▶ map: facts, rows, facts under keys ─▶ sort by key ─▶ reduce: findings ─▶ join: rows with findings
///
/// The data between stages grows with the number of claims. It is held in memory up to a limit, and beyond it in
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
    /// The subjects of earlier findings. The run records whether any claim has them.
    public var reported: ReportedSubjects
    public var unclaimed = UnclaimedTerms()
    /// What Apple sold, to compare it with what the run sees.
    public var sales: SalesReports?
    /// The key for pseudonyms of device and account ids; `nil` to show the ids themselves.
    let pseudonymKey: [UInt8]?
    let history: RunHistory

    /// - Parameters:
    ///   - workers: the number of threads that check claims; ideally the number of cores.
    ///   - withFigures: whether to read subscriptions, and to count what receipts say of themselves.
    ///   - withLinks: whether to keep the claims' columns of the table `links`.
    ///   - withEntities: whether to make the table `entities`, which needs the data of links.
    ///   - pseudonymKey: the key for pseudonyms of device and account ids; `nil` to show the ids themselves.
    ///   - history: the data of earlier runs, and the place for the data of this one.
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

    /// The progress of a run.
    public struct Progress: Sendable {
        public enum Stage: Sendable {
            /// Claims are checked one by one.
            case claims
            /// Claims with a common key are evaluated together.
            case groups
            /// Reports are written.
            case reports
        }

        public var stage: Stage
        /// The fraction of the stage that is done, from 0 to 1, if known.
        public var fraction: Double?
        public var tally: Tally
    }

    /// Runs all stages except the last. The result runs the last one when its rows are read.
    ///
    /// - Parameters:
    ///   - evidence: what Apple sent to the company's server.
    ///   - encoders: the formats for rows of the table `receipts`.
    ///   - onProgress: called now and then, on the calling thread.
    /// - Throws: the errors of the source, ``Interrupted``, or `FileError` if a temporary file cannot be written.
    public func run(
        _ source: any ClaimSource, evidence: EvidenceSource? = nil, encoders: [RowEncoder],
        isStopped: @escaping @Sendable () -> Bool, onProgress: (Progress) -> Void = { _ in }
    ) throws -> AuditResult {
        let encoders = encoders + (withLinks ? [.linkFacts] : [])
        let earlier = try EarlierLinks(of: rules, in: history, isStopped: isStopped)
        let mapped = try map(
            source, evidence: evidence, encoders: encoders, earlier, isStopped: isStopped, onProgress: onProgress)
        let completeness = try sales.map { sales in
            try Completeness(
                sales, shown: try mapped.stores.flatMap { try $0.sold?.finish() ?? [] },
                since: mapped.tally.firstPresented)
        }
        let withAnswers = encoders.contains { $0.complete?.addParts != nil }
        let found = try reduce(
            mapped, earlier, withAnswers: withAnswers, isStopped: isStopped, onProgress: onProgress)
        return try join(mapped, found, encoders: encoders, completeness: completeness, isStopped: isStopped)
    }
}
