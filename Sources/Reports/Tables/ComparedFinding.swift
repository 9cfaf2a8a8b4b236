public import Encodings
public import Engine
public import Rules

/// A finding, with its comparison with an earlier report.
public struct ComparedFinding: Sendable {
    public var finding: FindingRow
    /// When it was first found, if that is known.
    public var firstSeen: Instant?
    /// The change; `nil` if there is nothing to compare with.
    public var change: Change?
    /// Its review status.
    public var status = FindingStatus.open
    /// The last review of it, even if that no longer holds.
    public var decision: ReviewDecision?

    public init(_ finding: FindingRow, firstSeen: Instant? = nil, change: Change? = nil) {
        self.finding = finding
        self.firstSeen = firstSeen
        self.change = change
    }

    public enum Change: String, Sendable {
        case new
        case persisting
        case resolved
    }
}
