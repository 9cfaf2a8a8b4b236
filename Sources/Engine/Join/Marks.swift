package import Encodings
import Files
package import Rules
import Sorting

/// On a claim: that a finding is about it.
package struct Mark: Sendable, Equatable {
    package var rule: Int
    package var severity: Severity
    /// Names the finding among all of a run, if it may be part of a ring.
    package var finding: ExactText?

    package init(rule: Int, severity: Severity) {
        self.rule = rule
        self.severity = severity
    }

    /// What a finding about the claims of one group makes of each of them.
    ///
    /// - Parameter key: what the claims have in common. A group has at most one finding of each rule.
    package init(_ finding: Finding, under key: GroupKey, _ rings: RingSearch) {
        self.init(rule: finding.rule, severity: finding.severity)
        guard rings.isJoining(finding) else { return }
        self.finding = "\(finding.ruleID) \(ExactText(key.kind.code)) \(Hex.string(key.octets.span))"
    }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var bits = try coder.beginBits()
        try coder.rule(&rule)
        try coder.code(&severity)
        try coder.text(&finding, &bits)
        coder.end(bits)
    }
}

/// The rules that found something about a claim, and the highest severity of what they found.
package struct MarkedRules: Sendable {
    /// A bit for each rule of the book.
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

/// What the rules found about one claim.
package struct MarkedClaim: Sendable {
    package let claim: UInt64
    package private(set) var rules = MarkedRules()
    /// The rings that it is part of.
    package private(set) var rings: Set<Int> = []

    package init(claim: UInt64) { self.claim = claim }

    package mutating func add(_ mark: Mark, _ membership: RingMembership) {
        rules.insert(mark.rule, mark.severity)
        guard let finding = mark.finding, let ring = membership.ring(of: finding) else { return }
        rings.insert(ring.number)
        rules.insert(RingMembership.rule, ring.severity)
    }
}

/// Which findings are part of which ring.
package struct RingMembership: Sendable {
    /// The place in the book of the rule that finds rings.
    package static var rule: Int { RuleBook.ringNumber }

    package struct Ring: Sendable {
        package var number: Int
        package var severity: Severity

        package init(number: Int, severity: Severity) {
            self.number = number
            self.severity = severity
        }
    }

    private var rings: [ExactText: Ring] = [:]

    package init() {}

    package mutating func insert(_ finding: ExactText, _ ring: Ring) { rings[finding] = ring }

    package func ring(of finding: ExactText) -> Ring? { rings[finding] }
}

/// The rings that findings make: a finding for each, and which findings are its members.
package struct Rings {
    /// The rings in the order of their numbers. Their claims are not counted yet.
    package private(set) var findings: [Finding] = []
    /// The members of rings that the policy does not allow.
    package private(set) var membership = RingMembership()
    /// The numbers of the rings that the policy allows.
    package private(set) var allowed: Set<Int> = []
    /// The names of the findings that each ring is made of.
    package private(set) var members: [[ExactText]] = []

    /// - Parameter joining: the findings that may be part of a ring, with what they are about, by name.
    package init(_ joining: [ExactText: Involved], _ rules: RuleSet) {
        guard !joining.isEmpty else { return }
        var search = RingSearch(rules)
        let names = joining.keys.sorted()
        for name in names { if let involved = joining[name] { search.join(involved) } }
        for (number, ring) in search.rings().enumerated() {
            findings.append(ring.finding)
            members.append(ring.members.map { names[$0] })
            guard !rules.isAllowed(ring.finding) else {
                allowed.insert(number)
                continue
            }
            let entry = RingMembership.Ring(number: number, severity: ring.finding.severity)
            for name in members[number] { membership.insert(name, entry) }
        }
    }

    /// Counts a claim for each ring that it is part of.
    mutating func count(_ claim: MarkedClaim) {
        for ring in claim.rings { findings[ring].involved.countClaim() }
    }
}

/// Goes through sorted marks, and brings together those of one claim.
struct ClaimMarks {
    private var merge: RunMerge
    private let membership: RingMembership

    init(_ runs: [SortedRun], _ membership: RingMembership) throws(FileError) {
        merge = try RunMerge(runs)
        self.membership = membership
    }

    /// The next claim about which something was found; `nil` at the end.
    mutating func next() throws -> MarkedClaim? {
        guard !merge.isAtEnd else { return nil }
        var claim = MarkedClaim(claim: merge.prefix)
        while !merge.isAtEnd, merge.prefix == claim.claim {
            var mark = Mark(rule: 0, severity: .info)
            try merge.withRecord { record in
                var fields = RecordReader(record)
                try mark.code(&fields)
                try fields.end()
            }
            claim.add(mark, membership)
            try merge.advance()
        }
        return claim
    }
}
