package import Checks
import Encodings
import Files
package import Rules
import Sorting

/// A mark on a claim: a finding is about it.
package struct Mark: Recorded, Sendable, Equatable {
    package var finding: FindingID
    package var rule: Int
    /// The severity for this claim, which may differ from the finding's.
    package var severity: Severity
    /// The number of the ``ClaimWave`` that lowers the mark if there is such a wave; otherwise 0.
    package var wave: UInt64 = 0
    /// Whether the part of the finding that the claim is in may be part of a ring. Other parts may be milder.
    private var isOfSevere = false

    package init(finding: FindingID, rule: Int, severity: Severity, wave: UInt64 = 0) {
        self.finding = finding
        self.rule = rule
        self.severity = severity
        self.wave = wave
    }

    /// The mark on the claim of a finding about a claim by itself.
    package init(ofClaim found: MergedFinding) {
        self.init(found, found.finding.severity)
        wave = found.finding.wave
    }

    /// The mark of one claim in a finding about a group, or in a part of one.
    package init(_ found: MergedFinding, _ severity: Severity) {
        self.init(finding: found.id, rule: found.finding.rule, severity: severity)
        isOfSevere = found.finding.severity >= .high
    }

    /// The claim's mark in the ring of the finding; `nil` if the claim is not in it.
    package func mark(in ring: FindingNotices.Ring?) -> Mark? {
        guard isOfSevere, let ring else { return nil }
        let severity = min(FraudRing.severity(of: severity), ring.severity)
        return Mark(finding: ring.finding, rule: RuleBook.ringNumber, severity: severity)
    }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.identity(&finding)
        try coder.rule(&rule)
        try coder.code(&severity)
        try coder.number(&wave)
        try coder.bool(&isOfSevere)
    }

    package static var unread: Mark { Mark(finding: .none, rule: 0, severity: .info) }
}

/// The rules with findings about a claim, and the highest severity of these findings.
package struct MarkedRules: Sendable {
    /// One bit per rule of the book.
    private var bits: UInt64 = 0
    package private(set) var risk: Severity?

    package init() {}

    package mutating func insert(_ rule: Int, _ severity: Severity) {
        bits |= 1 << UInt64(rule)
        risk = max(risk ?? severity, severity)
    }

    package mutating func formUnion(_ other: MarkedRules) {
        bits |= other.bits
        if let risk = other.risk { self.risk = max(self.risk ?? risk, risk) }
    }

    /// The ids, joined by `;` in the order of the rule book.
    package var ids: String {
        bits == 0
            ? ""
            : RuleBook.ids.indices.filter { bits & 1 << UInt64($0) != 0 }.map { RuleBook.ids[$0].text }
                .joined(separator: ";")
    }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.number(&bits)
        guard bits != 0 else { return risk = nil }
        var severity = risk ?? .info
        try coder.code(&severity)
        risk = severity
        if bits >> UInt64(RuleBook.ids.count) != 0 { try coder.reject() }
    }
}

/// The findings about one claim.
package struct MarkedClaim: Sendable {
    package let claim: ClaimNumber
    package private(set) var rules = MarkedRules()
    /// The highest mark of each finding.
    private var found: [FindingID: Mark] = [:]

    package init(claim: ClaimNumber) { self.claim = claim }

    package mutating func add(_ mark: Mark, _ notices: FindingNotices) {
        var mark = mark
        if notices.isWave(mark.wave) { mark.severity = min(.medium, mark.severity) } else { mark.wave = 0 }
        insert(mark)
        if let mark = mark.mark(in: notices.ring(of: mark.finding)) { insert(mark) }
    }

    private mutating func insert(_ mark: Mark) {
        rules.insert(mark.rule, mark.severity)
        if let known = found[mark.finding], known.severity >= mark.severity { return }
        found[mark.finding] = mark
    }

    /// One mark per finding, sorted by the finding's id.
    package var marks: [Mark] { found.values.sorted { $0.finding < $1.finding } }
}

/// The facts about findings that must be known before claims are joined with them: their rings, and waves.
package struct FindingNotices: Sendable {
    /// A ring that findings are part of.
    package struct Ring: Sendable {
        /// The ring's own finding.
        package var finding: FindingID
        /// The highest severity of a mark on its claims.
        package var severity: Severity

        package init(finding: FindingID, severity: Severity) {
            self.finding = finding
            self.severity = severity
        }
    }

    private var rings: [FindingID: Ring] = [:]
    /// The numbers of waves.
    private var waves: Set<UInt64> = []

    package init() {}

    /// Records that a finding is part of a ring.
    package mutating func insert(_ finding: FindingID, partOf ring: Ring) { rings[finding] = ring }

    /// Records that many claims failed in the same way.
    package mutating func insert(wave number: UInt64) { waves.insert(number) }

    package func isWave(_ number: UInt64) -> Bool { number != 0 && waves.contains(number) }

    package func ring(of finding: FindingID) -> Ring? { rings[finding] }
}

/// Reads sorted marks, and groups those of one claim.
struct ClaimMarks {
    private var merge: RunMerge
    private let notices: FindingNotices

    init(_ runs: [SortedRun], _ notices: FindingNotices) throws(FileError) {
        merge = try RunMerge(runs)
        self.notices = notices
    }

    /// Returns the next claim with findings; `nil` at the end.
    mutating func next() throws -> MarkedClaim? {
        guard !merge.isAtEnd else { return nil }
        var claim = MarkedClaim(claim: ClaimNumber(rawValue: merge.prefix))
        while !merge.isAtEnd, merge.prefix == claim.claim.rawValue {
            claim.add(try merge.value(), notices)
            try merge.advance()
        }
        return claim
    }
}
