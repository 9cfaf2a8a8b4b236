package import Checks
package import Encodings
import Inputs
package import Rules

/// A row of the table `entities`.
package struct EntityRow: Recorded, Sendable, Equatable {
    package var entity: Entity
    /// The score in tenths of a point, without findings that a review closed as `ok`.
    package var score = 0
    /// The highest severity of a mark on a claim of the entity.
    package var worst = Severity.info
    package var findings = 0
    /// The ids of the rules, joined by `;` in the order of the rule book.
    package var rules = ""
    /// The numbers of distinct claims, in all and by verdict.
    package var claims = 0
    package var valid = 0
    package var invalid = 0
    package var unreadable = 0
    package var devices = 0
    package var accounts = 0
    package var apps = 0
    package var atStake: AmountAtStake?
    /// The number of transactions at stake without a price, or with one in another currency.
    package var unpriced = 0
    package var firstPresented: Instant?
    package var lastPresented: Instant?
    /// Whether one of the findings is new; `nil` if there is nothing to compare with.
    package var isNew: Bool?
    /// The most urgent status of its findings.
    package var status = FindingStatus.ok
    /// The ring that the entity is part of, by its finding.
    package var ring: FindingID?
    /// Its first 50 findings, sorted by highest mark, then by id.
    package var marks: [EntityNote] = []

    package init(_ entity: Entity) { self.entity = entity }

    /// Whether a claim was presented within 30 days before the reference time.
    package var isActive = false

    package static var unread: EntityRow { EntityRow(.unread) }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try entity.code(&coder)
        try coder.count(&score)
        try coder.code(&worst)
        for field in [\EntityRow.findings, \.claims, \.valid, \.invalid, \.unreadable, \.devices, \.accounts, \.apps] {
            try coder.count(&self[keyPath: field])
        }
        var names = ExactText(rules)
        try coder.text(&names)
        rules = names.text
        try coder.count(&unpriced)
        try coder.place(of: &status)
        var bits = try coder.beginBits()
        try coder.amount(&atStake, &bits)
        try coder.instant(&firstPresented, &bits)
        try coder.instant(&lastPresented, &bits)
        try coder.flag(&isNew, &bits)
        coder.flag(&isActive, &bits)
        try coder.value(&ring, &bits)
        coder.end(bits)
        try coder.list(&marks, of: EntityNote(finding: .none, severity: .info)) {
            (note, coder) throws(Coder.Failure) in
            try coder.identity(&note.finding)
            try coder.code(&note.severity)
        }
    }
}

/// A finding of an entity, with the highest of its marks on claims of the entity.
package struct EntityNote: Sendable, Equatable, Comparable {
    package var finding: FindingID
    package var severity: Severity

    package init(finding: FindingID, severity: Severity) { (self.finding, self.severity) = (finding, severity) }

    /// Sorts the highest mark first.
    package static func < (a: Self, b: Self) -> Bool {
        a.severity == b.severity ? a.finding < b.finding : a.severity > b.severity
    }
}

/// A finding that concerns an entity.
package struct EntityMark: Sendable, Equatable {
    package var entity: Entity
    package var finding: FindingID
    /// The highest of the finding's marks on claims of the entity.
    package var severity: Severity

    package init(_ entity: Entity, _ finding: FindingID, _ severity: Severity) {
        self.entity = entity
        self.finding = finding
        self.severity = severity
    }
}

/// Builds the row of one entity from its parts, sorted by their records: claims, then findings. It holds a bounded
/// number of devices, accounts and apps; beyond 4,096 their counts are estimates.
package struct EntityAccumulator {
    private var row: EntityRow
    private var rules = MarkedRules()
    /// The weight of each rule's heaviest finding, in tenths of a point.
    private var weights: [Int: Int] = [:]
    /// The finding of the current parts.
    package private(set) var note: EntityNote?
    private static let maxNotes = 50
    /// The highest confidence of its findings.
    private var confidence = Confidence.doubtful
    /// The maximum age of the last presentation of an active entity at the reference time, in milliseconds: 30 days.
    private static let activeTime: Int64 = 30 * 86_400_000
    private var lastClaim: ClaimID?
    private var stake = Stake()
    /// What the entity's ring puts at stake, if it is shared.
    private var ringStake: SharedStake?
    private let shared: [FindingID: SharedStake]
    private var isCrowded = false
    private var devices = DistinctSketch<Device>()
    private var accounts = DistinctSketch<ExactText>()
    private var apps = DistinctSketch<ExactText>()

    /// - Parameter shared: the stakes of findings whose parts have none.
    package init(_ entity: Entity, sharing shared: [FindingID: SharedStake] = [:]) {
        row = EntityRow(entity)
        self.shared = shared
    }

    /// - Returns: the previous finding, if this part belongs to the next one.
    @discardableResult package mutating func add(_ part: EntityPart) -> EntityNote? {
        switch part {
        case .crowd: isCrowded = true
        case .claim(let claim): add(claim)
        case .finding(let finding): return add(finding)
        case .request, .owner, .unclaimed: break
        }
        return nil
    }

    /// The findings about the entity, after all were added.
    var found: FoundAbout {
        var found = FoundAbout()
        guard row.findings > 0 else { return found }
        found.findings = row.findings
        found.worst = rules.risk
        found.confidence = confidence
        found.status = row.status
        return found
    }

    /// The highest possible severity of a mark, after all claims were added. Somebody may have sent the proofs of a
    /// device with several accounts under another account.
    private var cap: Severity {
        isCrowded || row.entity.kind == .device && accounts.count > 1 ? .medium : .critical
    }

    private mutating func add(_ finding: EntityFinding) -> EntityNote? {
        var finding = finding
        finding.severity = min(cap, finding.severity)
        rules.insert(finding.rule, finding.severity)
        // A ring of severity info does not include the entity.
        if finding.rule == RuleBook.ringNumber, finding.severity > .info, row.ring == nil { row.ring = finding.id }
        confidence = max(confidence, finding.confidence)
        // A finding that a review cleared is counted, but has no weight.
        let isCleared = finding.status == .ok
        if !isCleared {
            let weight = FindingWeight.of(finding.severity, finding.confidence)
            weights[finding.rule] = max(weights[finding.rule] ?? 0, weight)
        }
        if let known = note, known.finding == finding.id {
            note?.severity = max(known.severity, finding.severity)
            return nil
        }
        let last = note
        if let last { row.marks.insertSmallest(last, atMost: Self.maxNotes) }
        note = EntityNote(finding: finding.id, severity: finding.severity)
        row.findings += 1
        row.status = max(row.status, finding.status)
        if let isNew = finding.isNew { row.isNew = row.isNew ?? false || isNew }
        guard !isCleared else { return last }
        stake.add(finding.stake)
        guard let ofRing = shared[finding.id] else { return last }
        if ringStake == nil { ringStake = ofRing } else { stake.add(ofRing.stake) }
        return last
    }

    private mutating func add(_ claim: EntityClaim) {
        // Rows with equal content are one claim.
        guard lastClaim != claim.id else { return }
        lastClaim = claim.id
        row.claims += 1
        switch claim.verdict {
        case .valid: row.valid += 1
        case .invalid: row.invalid += 1
        case .unreadable: row.unreadable += 1
        }
        if let device = claim.device { devices.insert(device) }
        if !claim.accountID.isEmpty { accounts.insert(claim.accountID) }
        if !claim.bundleID.isEmpty { apps.insert(claim.bundleID) }
        guard let date = claim.presentedAt else { return }
        row.firstPresented = min(row.firstPresented ?? date, date)
        row.lastPresented = max(row.lastPresented ?? date, date)
    }

    /// Returns the row, once all parts were added.
    package func finish(_ set: RuleSet) -> EntityRow {
        var row = row
        if let note { row.marks.insertSmallest(note, atMost: Self.maxNotes) }
        row.score = weights.values.reduce(0, +)
        row.worst = rules.risk ?? .info
        row.rules = rules.ids
        row.devices = devices.count
        row.accounts = accounts.count
        row.apps = apps.count
        (row.atStake, row.unpriced) = ringStake?.amount(with: stake, set) ?? stake.amount(set)
        let (start, isBeforeAll) = set.asOf.milliseconds.subtractingReportingOverflow(Self.activeTime)
        row.isActive = row.lastPresented.map { isBeforeAll || $0.milliseconds >= start } ?? false
        return row
    }
}
