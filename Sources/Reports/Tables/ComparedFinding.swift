public import Encodings
public import Engine
public import Rules

/// A finding, and how it compares with an earlier report.
public struct ComparedFinding: Sendable {
    public var finding: FindingRow
    /// When it was found first, if that is known.
    public var firstSeen: Instant?
    /// `nil` if there is nothing to compare with.
    public var change: Change?
    /// What reviews say of it.
    public var status = FindingStatus.open
    /// The last review of it, whether or not that still holds.
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
