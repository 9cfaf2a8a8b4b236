import Encodings
import Rules
import Subscriptions

@testable import Engine

/// All that a run writes.
struct AuditOutcome: Sendable {
    /// The table `receipts` in each format.
    var rows: [String]
    var findings: [FindingRow] = []
    var subscriptions: [SubscriptionRow] = []
    var tally = FindingTally()
    /// The figures of subscriptions, as text.
    var figures = ""

    init(rows: [String]) { self.rows = rows }

    /// Reads all tables of a result.
    ///
    /// - Parameter write: receives the rows before they are read.
    init(_ result: AuditResult, formats: Int, write: (Span<UInt8>) throws -> Void = { _ in }) throws {
        var rows = [[UInt8]](repeating: [], count: formats)
        try result.writeRows { format, bytes in
            try write(bytes)
            for index in bytes.indices { rows[format].append(bytes[index]) }
        }
        self.init(rows: rows.map { String(decoding: $0, as: UTF8.self) })
        try result.forEachFinding { findings.append($0) }
        try result.forEachSubscription { subscriptions.append($0) }
        tally = result.findingTally
        figures = "\(result.figures.figures)"
    }

    /// Where this outcome differs from another; `nil` if it does not.
    func difference(from other: AuditOutcome) -> String? {
        for (format, (found, wanted)) in zip(rows, other.rows).enumerated() where found != wanted {
            let (found, wanted) = (found.split(separator: "\n"), wanted.split(separator: "\n"))
            return "rows in format \(format): \(Self.first(found, wanted))"
        }
        if findings != other.findings { return "findings: \(Self.first(findings, other.findings))" }
        if subscriptions != other.subscriptions {
            return "subscriptions: \(Self.first(subscriptions, other.subscriptions))"
        }
        if tally != other.tally { return "counts of findings" }
        return figures == other.figures ? nil : "figures: \(figures) and not \(other.figures)"
    }

    private static func first<Row: Equatable>(_ found: [Row], _ wanted: [Row]) -> String {
        let index = zip(found, wanted).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        guard let index else { return "\(found.count) and not \(wanted.count)" }
        return "\(found[index]) and not \(wanted[index])"
    }
}

/// What a run over these claims must find: a dictionary of arrays, without threads, hashes, sorting or files.
struct NaiveAudit {
    private let rules: RuleSet
    private var outcome = AuditOutcome(rows: [])
    private var marks: [UInt64: MarkedRules] = [:]
    private var joining: [ExactText: (involved: Involved, claims: [UInt64: Severity])] = [:]
    private var found: [Finding] = []

    private struct Group: ObservationGroup {
        let key: GroupKey
        var observations: [Observation] = []
        var count: Int { observations.count }
        func forEach(_ body: (Observation) -> Void) { observations.forEach(body) }
    }

    /// - Parameter maxRows: how many rows each format has at least, in whole blocks; `nil` for all.
    static func outcome(
        of claims: [GroupedClaim], _ rules: RuleSet, asOf: Instant, maxRows: [Int?]
    ) throws -> AuditOutcome {
        var audit = NaiveAudit(rules: rules)
        for claim in claims { claim.findings.forEach { audit.add($0, about: claim.number) } }
        try audit.addGroups(claims, asOf: asOf)
        audit.addRings()
        audit.outcome.rows = maxRows.map { audit.rows(of: claims, max: $0) }
        audit.outcome.findings = audit.found.map { FindingRow($0) }.sorted(by: precedes)
        return audit.outcome
    }

    private init(rules: RuleSet) { self.rules = rules }

    private mutating func addGroups(_ claims: [GroupedClaim], asOf: Instant) throws {
        var groups: [GroupKey: Group] = [:]
        for claim in claims {
            claim.observations.forEach { kind, octets, purchases in
                let key = GroupKey(kind, octets: octets.indices.map { octets[$0] })
                var observation = claim.observations.presented
                observation.purchases = Array(purchases)
                groups[key, default: Group(key: key)].observations.append(observation)
            }
        }
        var figures = SubscriptionFigures(asOf: asOf, policy: rules.policy)
        for group in groups.values {
            if group.key.kind == .originalTransaction,
                let transaction = try OriginalTransaction(group, asOf: asOf, rules.policy)
            {
                figures.take(transaction)
                if case .subscription(let subscription) = transaction {
                    outcome.subscriptions.append(subscription.row)
                }
            }
            try add(group)
        }
        outcome.subscriptions.sort { $0.originalTransactionID < $1.originalTransactionID }
        outcome.figures = "\(figures.figures)"
    }

    private mutating func add(_ group: Group) throws {
        let search = RingSearch(rules)
        var raised: [(finding: Finding, claims: [UInt64: Severity])] = []
        try rules.evaluate(
            group, onFinding: { raised.append(($0, [:])) },
            onMark: { raised[raised.count - 1].claims[$1.claim] = $2 })
        for (finding, claims) in raised {
            let mark = Mark(finding, under: group.key, search)
            guard add(finding) else { continue }
            for (claim, severity) in claims { marks[claim, default: MarkedRules()].insert(finding.rule, severity) }
            if let name = mark.finding { joining[name] = (finding.involved, claims) }
        }
    }

    private mutating func add(_ finding: Finding, about claim: UInt64) {
        if add(finding) { marks[claim, default: MarkedRules()].insert(finding.rule, finding.severity) }
    }

    /// Adds a finding, and says whether the policy lets it be reported.
    private mutating func add(_ finding: Finding) -> Bool {
        guard !rules.isAllowed(finding) else {
            outcome.tally.countAllowed(finding, by: rules)
            return false
        }
        outcome.tally.count(finding)
        found.append(finding)
        return true
    }

    private mutating func addRings() {
        let rings = Rings(joining.mapValues(\.involved), rules)
        for (finding, members) in zip(rings.findings, rings.members) {
            let claims = members.reduce(into: [UInt64: Severity]()) { claims, member in
                claims.merge(joining[member]?.claims ?? [:]) { max($0, $1) }
            }
            guard add(finding) else { continue }
            for (claim, severity) in claims {
                let mark = severity == .high ? .critical : severity
                marks[claim, default: MarkedRules()].insert(finding.rule, min(mark, finding.severity))
            }
        }
    }

    private func rows(of claims: [GroupedClaim], max: Int?) -> String {
        var text = ""
        var isWanted = true
        for (index, claim) in claims.enumerated() {
            if claim.number & 0xffff == 0 { isWanted = max.map { index < $0 } ?? true }
            guard isWanted else { continue }
            let mark = marks[claim.number]
            text += "\(claim.row)\(mark?.risk?.code ?? "")\t\(mark?.ids ?? "")\n"
        }
        return text
    }

    /// The order of the table `fraud`: the most severe first, then by rule, subject, evidence and sources.
    private static func precedes(_ first: FindingRow, _ second: FindingRow) -> Bool {
        if first.severity != second.severity { return first.severity > second.severity }
        if first.rule != second.rule { return first.rule < second.rule }
        if first.subject != second.subject { return first.subject < second.subject }
        if first.evidence != second.evidence { return ExactText(first.evidence) < ExactText(second.evidence) }
        return first.sources.map(\.text).joined(separator: ";") < second.sources.map(\.text).joined(separator: ";")
    }
}
