import Checks
import Encodings
import Rules
import Subscriptions

@testable import Engine

/// All that a run writes.
struct AuditOutcome: Sendable {
    /// The table `receipts` in each format.
    var rows: [String]
    var findings: [FindingRow] = []
    /// The table `links`, as texts.
    var links: [String] = []
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
        try result.forEachLink { links.append("\($0)") }
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
        if links != other.links { return "links: \(Self.first(links, other.links))" }
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

/// What a run over these claims must find: dictionaries of arrays, without threads, sorting or files.
struct NaiveAudit {
    private let rules: RuleSet
    private let identities: IdentityHasher
    private var outcome = AuditOutcome(rows: [])
    /// The ring that joins a finding, by the finding.
    private var ringOfFinding: [FindingID: FindingID] = [:]
    /// By claim and finding, the highest.
    private var marks: [ClaimNumber: [FindingID: Severity]] = [:]
    /// What was found about each subject, wherever it was found.
    private var parts: [FindingID: [Finding]] = [:]

    private struct Group: ObservationGroup {
        let key: GroupKey
        var observations: [Observation] = []
        var count: Int { observations.count }
        func forEach(_ body: (Observation) throws -> Void) throws { try observations.forEach(body) }
    }

    static func outcome(
        of claims: [GroupedClaim], _ rules: RuleSet, asOf: Instant
    ) throws -> AuditOutcome {
        var audit = try NaiveAudit(rules)
        for claim in claims {
            for finding in claim.findings { audit.add(finding, [(claim.number, finding.severity)]) }
        }
        try audit.addGroups(claims, asOf: asOf)
        audit.addRings()
        audit.outcome.rows = [String](repeating: audit.rows(of: claims), count: GroupRun.formats)
        audit.outcome.findings = audit.merged().sorted(by: precedes)
        audit.outcome.links = audit.links(of: claims)
        return audit.outcome
    }

    private init(_ rules: RuleSet) throws {
        self.rules = rules
        identities = try IdentityHasher()
    }

    private mutating func addGroups(_ claims: [GroupedClaim], asOf: Instant) throws {
        var groups: [GroupKey: Group] = [:]
        for claim in claims {
            claim.observations.forEach { kind, octets, purchases in
                let key = GroupKey(kind, octets: octets.indices.map { octets[$0] })
                var observation = rules.presented(claim.observations)
                observation.purchases = purchases
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
            var raised: [(finding: Finding, claims: [(ClaimNumber, Severity)])] = []
            try rules.evaluate(
                group, onFinding: { raised.append(($0, [])) },
                onMark: { raised[raised.count - 1].claims.append(($1.claim, $2)) })
            for (finding, claims) in raised { add(finding, claims) }
        }
        outcome.subscriptions.sort { $0.originalTransactionID < $1.originalTransactionID }
        outcome.figures = "\(figures.figures)"
    }

    private mutating func add(_ finding: Finding, _ claims: [(claim: ClaimNumber, severity: Severity)]) {
        let id = identities.finding(rule: finding.ruleID, subject: finding.subject)
        parts[id, default: []].append(finding)
        guard !rules.isAllowed(finding, id: id) else { return }
        for (claim, severity) in claims { mark(claim, id, severity) }
    }

    private mutating func mark(_ claim: ClaimNumber, _ id: FindingID, _ severity: Severity) {
        let known = marks[claim]?[id] ?? severity
        marks[claim, default: [:]][id] = max(known, severity)
    }

    private func rule(of id: FindingID) -> Int { parts[id]?.first?.rule ?? 0 }

    private mutating func addRings() {
        var rings = Rings(rules)
        for (id, parts) in parts {
            for part in parts where !rules.isAllowed(part, id: id) { rings.add(MergedFinding(part, id: id)) }
        }
        var found: [Finding] = []
        let members = rings.find(
            identities, onRing: { found.append($0.finding) }, onAllowed: { found.append($0.finding) })
        for ring in found { add(ring, []) }
        let ofFinding = Dictionary(uniqueKeysWithValues: members.map { ($0.finding, $0.ring) })
        ringOfFinding = ofFinding.mapValues(\.finding)
        for (claim, found) in marks {
            for (id, severity) in found {
                guard let ring = ofFinding[id] else { continue }
                let inRing: Severity = severity >= .high ? .critical : severity
                mark(claim, ring.finding, min(inRing, ring.severity))
            }
        }
    }

    /// The rows of the table `fraud`, and their counts.
    private mutating func merged() -> [FindingRow] {
        parts.compactMap { id, parts in
            var whole = parts[0]
            for part in parts.dropFirst() {
                whole.severity = max(whole.severity, part.severity)
                whole.confidence = max(whole.confidence, part.confidence)
                whole.events =
                    RuleBook.addsEvents(whole.rule) ? whole.events + part.events : max(whole.events, part.events)
                whole.involved.add(part.involved)
                if part.isOfAsked, !whole.isOfAsked { (whole.stake, whole.isOfAsked) = (Stake(), true) }
                if part.isOfAsked == whole.isOfAsked { whole.stake.add(part.stake) }
                if RuleBook.countsStake(whole.rule) { whole.events = max(1, whole.stake.items.count) }
            }
            guard !rules.isAllowed(whole, id: id) else {
                outcome.tally.countAllowed(whole, id: id, by: rules)
                return nil
            }
            outcome.tally.count(whole)
            whole.evidence = Self.evidence(parts)
            var row = MergedFinding(whole, id: id).row(rules)
            row.ring = ringOfFinding[id]
            return row
        }
    }

    /// The first ten distinct texts: the most severe first, then by their bytes.
    private static func evidence(_ parts: [Finding]) -> String {
        let texts = Dictionary(parts.map { (ExactText($0.evidence), $0.severity) }, uniquingKeysWith: max)
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key.text)
        return texts.prefix(10).joined(separator: "; ") + (texts.count > 10 ? "; and more" : "")
    }

    private func rows(of claims: [GroupedClaim]) -> String {
        var text = ""
        for claim in claims {
            var mark = MarkedRules()
            for (id, severity) in marks[claim.number] ?? [:] { mark.insert(rule(of: id), severity) }
            text += "\(claim.row)\(mark.risk?.code ?? "")\t\(mark.ids)\n"
        }
        return text
    }

    /// One row for each finding and claim id: the first of the claim's rows, with the highest of its marks.
    private func links(of claims: [GroupedClaim]) -> [String] {
        var links: [FindingID: [ClaimID: LinkRow]] = [:]
        for claim in claims {
            for (id, severity) in marks[claim.number] ?? [:] {
                if let first = links[id]?[claim.link.claim] {
                    links[id]?[claim.link.claim]?.severity = max(first.severity, severity)
                } else {
                    let mark = Mark(finding: id, rule: rule(of: id), severity: severity)
                    links[id, default: [:]][claim.link.claim] = LinkRow(mark, claim.link, claim: claim.number)
                }
            }
        }
        return links.sorted { $0.key < $1.key }.flatMap { $0.value.sorted { $0.key < $1.key }.map { "\($0.value)" } }
    }

    /// The order of the table `fraud`: the most severe first, then by rule and subject.
    private static func precedes(_ first: FindingRow, _ second: FindingRow) -> Bool {
        if first.severity != second.severity { return first.severity > second.severity }
        if first.confidence != second.confidence { return first.confidence > second.confidence }
        if first.rule != second.rule { return first.rule < second.rule }
        return first.subject < second.subject
    }
}
