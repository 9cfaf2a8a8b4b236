public import Encodings
public import Engine
public import Rules

/// The data of earlier runs in a ledger, for a run that stores nothing: the ledger is only read, and others may write
/// it at the same time.
public final class LedgerSnapshot: History {
    private let path: String
    private let withBlocks: Bool
    public let run: Int64
    public let isEmpty: Bool
    public let firstPresented: Instant?
    public let apps: Set<ExactText>

    /// - Parameter withBlocks: whether to find stored results.
    public init(_ path: String, withBlocks: Bool) throws(LedgerError) {
        (self.path, self.withBlocks) = (path, withBlocks)
        let runs = try LedgerHistory(path).runs
        let last = runs.last?.id ?? 0
        (run, isEmpty, firstPresented, apps) = (last + 1, last == 0, runs.firstPresented, runs.apps)
    }

    public var hasReviews: Bool { false }
    public var lost: String { "" }

    public func reader() throws -> sending any HistoryReader { try LedgerReader(path, withBlocks: withBlocks) }

    public func put(_ block: NewBlock) {}
    public func use(block id: Int64, newStatusKey: [UInt8]?) {}
    public func put(claim id: UInt64, record: Span<UInt8>) {}
    public func put(_ key: EarlierKey) {}
    public func put(statement record: Span<UInt8>, by claim: UInt64) {}
    public func isAboutMore(rule: ExactText, subject: ExactText, claims: () -> [UInt64]) -> Bool { false }
    public func status(of finding: FindingRow) -> FindingStatus { .open }
    public func forEachReview(_ body: (RecordedReview) throws -> Void) {}
    public func ruleQuality() -> [RuleQuality] { [] }
    public func record(_ finding: FindingRow) -> FindingHistoryEntry {
        FindingHistoryEntry(firstSeen: Instant(milliseconds: 0), isNew: true)
    }
    public func findingsOfLastRun(limit: Int) -> [EarlierFinding] { [] }
    public func subjectsOfSevereFindings(by rules: [ExactText], limit: Int) -> [ExactText] { [] }
    public func countNewFindingsOfOtherRuns() -> [Severity: Int] { [:] }
    public func devicesOfLastRun(of inputs: [String]) -> DeviceShare? { nil }
    public func discard() {}
    public func commit(_ outcome: RunOutcome) {}
    public func publish() {}
}
