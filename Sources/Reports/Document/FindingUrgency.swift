import Checks
import Encodings
import Engine
import Rules

/// The sort key of a finding in the review queue: open ones first, then by weight, new and reopened ones, the latest
/// presentation, the amount at stake, and the id.
struct FindingUrgency: Hashable, Comparable {
    let isClosed: Bool
    /// The weight of severity and confidence, in tenths of a point.
    let weight: Int
    /// Whether it is new or reopened.
    let isNews: Bool
    private let lastPresented: Int64
    private let stake: Int64
    let id: FindingID

    init(_ compared: ComparedFinding) {
        let finding = compared.finding
        isClosed = compared.status.isClosed
        weight = FindingWeight.of(finding.severity, finding.confidence)
        isNews = compared.change == .new || compared.status == .reopened
        lastPresented = finding.lastPresented?.milliseconds ?? .min
        stake = finding.atStake?.millionths ?? .min
        id = finding.id
    }

    /// Whether the first is more urgent.
    static func < (a: Self, b: Self) -> Bool {
        if a.isClosed != b.isClosed { return b.isClosed }
        if a.weight != b.weight { return a.weight > b.weight }
        if a.isNews != b.isNews { return a.isNews }
        if a.lastPresented != b.lastPresented { return a.lastPresented > b.lastPresented }
        return a.stake == b.stake ? a.id < b.id : a.stake > b.stake
    }

    /// Numbers that sort records like findings, except for the id.
    var sortKeys: [UInt64] {
        let descending = { (number: Int64) in ~(UInt64(bitPattern: number) ^ 1 << 63) }
        let first = (isClosed ? 1 << 62 : 0) | (UInt64(clamping: 1 << 20 - weight) << 1) | (isNews ? 0 : 1)
        return [first, descending(lastPresented), descending(stake)]
    }
}
