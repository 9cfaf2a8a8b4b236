package import Checks
import Files
import Rules
import Sorting
import Subscriptions

/// The comparison of a finding with earlier runs, and its review status.
package struct ComparedID: SortedRecord, Sendable {
    var id: FindingID
    /// Whether the finding is new; `nil` if there is nothing to compare with.
    var isNew: Bool?
    var status = FindingStatus.open

    package init(id: FindingID, isNew: Bool? = nil, status: FindingStatus = .open) {
        self.id = id
        self.isNew = isNew
        self.status = status
    }

    package static var unread: ComparedID { ComparedID(id: .none) }

    package var prefix: UInt64 { id.high }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.identity(&id)
        try coder.place(of: &status)
        var bits = try coder.beginBits()
        try coder.flag(&isNew, &bits)
        coder.end(bits)
    }
}

/// Builds the table `entities` from the links of a run, in bounded memory. It turns links and findings, both by
/// finding, into parts of entities, and these, by entity, into rows.
final class EntityStage {
    private let rules: RuleSet
    private let findings: ValueSorter<FindingFacts>
    private let compared: ValueSorter<ComparedID>
    private let parts: EntityPartSorter
    private let rows: ValueSorter<Keyed<EntityOrder, EntityRow>>
    private let requests: ValueSorter<RefundRequest>
    private let unclaimed: ValueSorter<UnclaimedPurchase>
    private var isCompared = false
    /// The stakes of rings. A ring has as many entities as all its findings together, so none of them gets a copy.
    private var shared: [FindingID: SharedStake] = [:]

    init(_ rules: RuleSet, _ storage: Storage) {
        self.rules = rules
        findings = ValueSorter(storage)
        compared = ValueSorter(storage)
        parts = EntityPartSorter(storage)
        rows = ValueSorter(storage)
        requests = ValueSorter(storage)
        unclaimed = ValueSorter(storage)
    }

    /// Adds a finding of the table `fraud`.
    func add(_ found: MergedFinding) throws(FileError) {
        var facts = FindingFacts(found)
        if found.finding.rule == RuleBook.ringNumber {
            shared[found.id] = SharedStake(facts.finding.stake, rules)
            facts.finding.stake = Stake()
        }
        try findings.add(facts)
    }

    /// Adds parts that groups of claims and evidence show.
    func add(parts runs: [SortedRun]) throws { try parts.add(runs) }

    /// Sets how a finding compares with earlier runs. Must precede the links.
    func add(_ finding: ComparedID) throws(FileError) {
        isCompared = isCompared || finding.isNew != nil
        guard finding.isNew == true || finding.status != .open else { return }
        try compared.add(finding)
    }

    /// Reads links in the order of the table `links`, by finding, and makes the rows.
    ///
    /// - Parameters:
    ///   - onMark: called with each entity and finding, by entity.
    ///   - forEachLink: iterates over all links.
    func take(onMark: (EntityMark) throws -> Void, links forEachLink: ((LinkRow) throws -> Void) throws -> Void) throws
    {
        var known = try RunMerge(findings.finish())
        var compared = try RunMerge(compared.finish())
        var expanded = EntityParts()
        var current: FindingID?
        try forEachLink { link in
            if current != link.finding {
                current = link.finding
                // Links are written only for findings of the table.
                guard var facts: FindingFacts = try Self.value(of: link.finding, &known, id: \.finding.id) else {
                    throw RecordError.malformed
                }
                let found: ComparedID? = try Self.value(of: link.finding, &compared, id: \.id)
                if isCompared { facts.finding.isNew = found?.isNew == true }
                facts.finding.status = found?.status ?? .open
                expanded.begin(facts)
            }
            try expanded.add(link) { entity, part in try parts.add(entity, part) }
        }
        try parts.forEachRow(
            rules, sharing: shared, onMark: onMark, onRequest: { try requests.add($0) },
            onUnclaimed: { try unclaimed.add($0) }, { try rows.add(Keyed(EntityOrder($0), $0)) })
    }

    /// Returns the value about a finding; `nil` if there is none. Findings must be requested in order.
    private static func value<Value: Recorded>(
        of finding: FindingID, _ merge: inout RunMerge, id: (Value) -> FindingID
    ) throws -> Value? {
        while !merge.isAtEnd {
            let value: Value = try merge.value()
            if id(value) == finding { return value }
            guard id(value) < finding else { return nil }
            try merge.advance()
        }
        return nil
    }

    /// Calls a body once with each purchase that no claim presents.
    func forEachUnclaimed(_ body: (UnclaimedPurchase) throws -> Void) throws { try unclaimed.forEach(body) }

    /// Calls a body once with each refund request from Apple, in the order of their table.
    func forEachRequest(_ body: (RefundRequest) throws -> Void) throws { try requests.forEach(body) }

    /// Calls a body once with each row of the table.
    func forEach(_ body: (EntityRow) throws -> Void) throws { try rows.forEach { try body($0.value) } }
}
