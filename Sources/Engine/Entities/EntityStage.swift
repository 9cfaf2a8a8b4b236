package import Checks
import Files
import Rules
import Sorting
import Subscriptions

/// The comparison of a finding with earlier runs, and its review status.
package struct ComparedID: Sendable {
    var id: FindingID
    /// Whether the finding is new; `nil` if there is nothing to compare with.
    var isNew: Bool?
    var status = FindingStatus.open

    package init(id: FindingID, isNew: Bool? = nil, status: FindingStatus = .open) {
        (self.id, self.isNew, self.status) = (id, isNew, status)
    }

    fileprivate mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
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
    private let findings: RecordSorter
    private let compared: RecordSorter
    private let parts: EntityPartSorter
    private let rows: EntitySorter
    private let requests: RefundRequestSorter
    private let unclaimed: UnclaimedSorter
    private var record = RecordWriter()
    private var isCompared = false
    /// The stakes of rings. A ring has as many entities as all its findings together, so none of them gets a copy.
    private var shared: [FindingID: SharedStake] = [:]

    init(_ rules: RuleSet, _ storage: Storage) {
        self.rules = rules
        findings = RecordSorter(budget: storage.memory, folder: storage.folder)
        compared = RecordSorter(budget: storage.memory, folder: storage.folder)
        parts = EntityPartSorter(storage)
        rows = EntitySorter(storage)
        requests = RefundRequestSorter(storage)
        unclaimed = UnclaimedSorter(storage)
    }

    /// Adds a finding of the table `fraud`.
    func add(_ found: MergedFinding) throws(FileError) {
        var facts = FindingFacts(found)
        if found.finding.rule == RuleBook.ringNumber {
            shared[found.id] = SharedStake(facts.finding.stake, rules)
            facts.finding.stake = Stake()
        }
        record.removeAll()
        facts.code(&record)
        try findings.add(found.id.high, record)
    }

    /// Adds parts that groups of claims and evidence show.
    func add(parts runs: [SortedRun]) throws { try parts.add(runs) }

    /// Sets how a finding compares with earlier runs. Must precede the links.
    func add(_ finding: ComparedID) throws(FileError) {
        isCompared = isCompared || finding.isNew != nil
        guard finding.isNew == true || finding.status != .open else { return }
        var finding = finding
        record.removeAll()
        finding.code(&record)
        try compared.add(finding.id.high, record)
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
                var facts = try Self.facts(of: link.finding, &known)
                let found = try Self.compared(link.finding, &compared)
                if isCompared { facts.finding.isNew = found?.isNew == true }
                facts.finding.status = found?.status ?? .open
                expanded.begin(facts)
            }
            try expanded.add(link) { entity, part in try parts.add(entity, part) }
        }
        try parts.forEachRow(
            rules, sharing: shared, onMark: onMark, onRequest: { try requests.add($0) },
            onUnclaimed: { try unclaimed.add($0) }, { try rows.add($0) })
    }

    private static func facts(of id: FindingID, _ known: inout RunMerge) throws -> FindingFacts {
        while !known.isAtEnd {
            let facts = try known.withRecord { record in
                try RecordReader.read(record, FindingFacts()) { (facts, fields) throws(RecordError) in
                    try facts.code(&fields)
                }
            }
            if facts.finding.id == id { return facts }
            guard facts.finding.id < id else { break }
            try known.advance()
        }
        // Links are written only for findings of the table.
        throw RecordError.malformed
    }

    private static func compared(_ id: FindingID, _ all: inout RunMerge) throws -> ComparedID? {
        while !all.isAtEnd {
            let next = try all.withRecord { record in
                try RecordReader.read(record, ComparedID(id: .none)) { (finding, fields) throws(RecordError) in
                    try finding.code(&fields)
                }
            }
            if next.id == id { return next }
            guard next.id < id else { return nil }
            try all.advance()
        }
        return nil
    }

    /// Calls a body once with each purchase that no claim presents.
    func forEachUnclaimed(_ body: (UnclaimedPurchase) throws -> Void) throws { try unclaimed.forEach(body) }

    /// Calls a body once with each refund request from Apple, in the order of their table.
    func forEachRequest(_ body: (RefundRequest) throws -> Void) throws { try requests.forEach(body) }

    /// Calls a body once with each row of the table.
    func forEach(_ body: (EntityRow) throws -> Void) throws { try rows.forEach(body) }
}
