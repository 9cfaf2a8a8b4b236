import Checks
public import Encodings
public import Rules
import Sorting
public import Subscriptions

/// The result of a run: counts, and tables that are written row by row.
public final class AuditResult {
    public let tally: Tally
    /// The number of claims per INPUT, by its number. Omits inputs without claims.
    public let inputs: [Int: InputTally]
    public let breakdown: Breakdown
    /// The accounts that are written in more than one way.
    public let spellings: AccountSpellings
    public let figures: SubscriptionFigures
    /// The proofs to compare with those of earlier runs.
    public let proofs: PresentedProofs
    public var findingTally: FindingTally { table.counts.tally }
    /// The total price of all transactions that findings concern, each once, in every currency, and the number of
    /// transactions without a price.
    package var atStake: (amounts: [AmountAtStake], unpriced: Int) { table.counts.atStake }
    /// The same for critical and high findings that are not doubtful.
    package var urgentAtStake: (amounts: [AmountAtStake], unpriced: Int) { table.counts.urgentAtStake }
    /// The same by app, in the app's currency.
    package var appsAtStake: [ExactText: AmountAtStake] { table.counts.appsAtStake }
    /// The same for purchases that were used after their refund.
    package var usedRefundsAtStake: (amounts: [AmountAtStake], unpriced: Int) { table.counts.usedRefundsAtStake }

    /// What Apple sold, compared with what the run saw; `nil` without sales reports.
    public let completeness: Completeness?

    /// The policy of the run.
    public var policy: Policy { rules.policy }

    /// The apps of claims, in this run and its ledger, whose evidence counts; `nil` if the policy decides that.
    public let namedApps: Set<ExactText>?
    /// The purchases that should have been presented by now.
    package let unclaimedWindow: UnclaimedWindow
    private let mapped: MappedClaims
    private let found: FoundFindings
    private let rules: RuleSet
    private let table: FindingTable
    private var notices: FindingNotices { table.counts.notices }
    private let rows: RowJoin
    private let entities: EntityStage?
    private let isStopped: @Sendable () -> Bool

    /// - Parameters:
    ///   - namedApps: the apps of claims; `nil` if the policy decides whose evidence counts.
    ///   - table: all findings, which name the claims in `rows`.
    init(
        _ mapped: MappedClaims, _ found: FoundFindings, _ table: FindingTable, _ rows: RowJoin,
        _ entities: EntityStage?, rules: RuleSet, namedApps: Set<ExactText>?, unclaimed: UnclaimedWindow,
        completeness: Completeness?, isStopped: @escaping @Sendable () -> Bool
    ) {
        tally = mapped.tally
        inputs = mapped.inputs
        breakdown = found.breakdown
        spellings = found.spellings
        var figures = found.figures
        figures.settle(naming: namedApps)
        self.figures = figures
        var proofs = PresentedProofs()
        for store in mapped.stores { proofs.add(store.proofs) }
        self.proofs = proofs
        self.completeness = completeness
        self.namedApps = namedApps
        unclaimedWindow = unclaimed
        self.mapped = mapped
        self.found = found
        self.rules = rules
        self.table = table
        self.rows = rows
        self.entities = entities
        self.isStopped = isStopped
    }

    /// Writes the rows of all encoders, in claim order: first the table `receipts`, then the others. Sorts the links,
    /// if they are wanted.
    ///
    /// - Parameter write: receives the next rows, with the index of their encoder, on the calling thread; meanwhile the
    ///   following rows are read.
    public func writeRows(_ write: (Int, Span<UInt8>) throws -> Void) throws {
        try rows.writeRows(isStopped: isStopped, write)
    }

    /// Writes the rows like ``writeRows(_:)``, on a separate thread, while the calling thread does something else:
    /// ``forEachFinding(_:)`` and its consumers.
    public func writeRows<Value>(
        _ write: @escaping @Sendable (Int, Span<UInt8>) throws -> Void, meanwhile body: () throws -> Value
    ) throws -> Value {
        let (rows, isStopped) = (Shared(value: rows), isStopped)
        return try OrderedPipeline.atOnce(
            { hasFailed in try rows.value.writeRows(isStopped: { isStopped() || hasFailed() }, write) }, body)
    }

    /// Visits the rows of the table `fraud`: worst first, then the likeliest, then by rule and subject.
    public func forEachFinding(_ body: (FindingRow) throws -> Void) throws {
        try FindingRow.forEach(in: table.rows) { row in
            if isStopped() { throw Interrupted() }
            var finding = row
            finding.ring = notices.ring(of: finding.id)?.finding
            try body(finding)
        }
    }

    /// Whether a claim of the run has the subject of an earlier finding, if the run looked for it, so that the run
    /// could have made the finding again.
    public func hasClaim(of subject: ExactText) -> Bool {
        ReportedSubjects.hashes(of: subject).contains(where: found.met.contains)
    }

    /// Sets how a finding of the table `fraud` compares with earlier runs, for ``forEachEntity(_:)``.
    package func setCompared(_ finding: ComparedID) throws { try entities?.add(finding) }

    /// Visits the rows of the table `links` once, after ``writeRows(_:)``: by finding, then by claim.
    ///
    /// - Parameter onMark: called with each entity and finding, by entity, if entities are wanted.
    package func forEachLink(
        _ body: (LinkRow) throws -> Void, onMark: (EntityMark) throws -> Void = { _ in }
    ) throws {
        let forEach = { (body: (LinkRow) throws -> Void) throws -> Void in
            try self.rows.links?.forEach {
                if self.isStopped() { throw Interrupted() }
                try body($0)
            }
        }
        guard let entities else { return try forEach(body) }
        try entities.take(onMark: onMark) { take in
            try forEach { link in
                try body(link)
                try take(link)
            }
        }
    }

    /// Visits the rows of the table `entities` once, after ``forEachLink(_:)``, in the order of ``EntityOrder``.
    package func forEachEntity(_ body: (EntityRow) throws -> Void) throws {
        try entities?.forEach {
            if isStopped() { throw Interrupted() }
            try body($0)
        }
    }

    /// Visits the rows of the table `refund_requests` once, after ``forEachLink(_:onMark:)``, in its order.
    package func forEachRefundRequest(_ body: (RefundRequest) throws -> Void) throws {
        try entities?.forEachRequest {
            if isStopped() { throw Interrupted() }
            try body($0)
        }
    }

    /// Visits the rows of the table `unclaimed` once, after ``forEachLink(_:onMark:)``, by original transaction.
    package func forEachUnclaimed(_ body: (UnclaimedPurchase) throws -> Void) throws {
        try entities?.forEachUnclaimed {
            if isStopped() { throw Interrupted() }
            if unclaimedWindow.contains($0.purchasedAt, until: $0.expiresAt, of: $0.bundleID) { try body($0) }
        }
    }

    /// The counts of evidence.
    public var evidenceTally: EvidenceTally { mapped.evidenceTally }

    /// The members and values of tokens, in claims and in evidence, that this version does not know.
    public var unknown: UnknownTally {
        var unknown = tally.unknown
        unknown += evidenceTally.unknown
        return unknown
    }

    /// Visits the rows of the table `evidence` once, in the order of the evidence.
    package func forEachEvidence(_ body: (EvidenceRow) throws -> Void) throws {
        var rows = mapped.evidence
        while let piece = try rows?.nextPiece() {
            if isStopped() { throw Interrupted() }
            try piece.forEach { try body(EvidenceRow(record: $0)) }
        }
    }

    /// Visits the rows of the table `subscriptions`, by original transaction id.
    public func forEachSubscription(_ body: (SubscriptionRow) throws -> Void) throws {
        try SubscriptionRow.forEach(in: found.subscriptions) {
            if isStopped() { throw Interrupted() }
            try body($0)
        }
    }
}
