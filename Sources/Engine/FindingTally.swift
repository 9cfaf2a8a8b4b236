package import Checks
import Encodings
public import Rules

/// Counts of findings, which add up in any order.
public struct FindingTally: Sendable, Equatable {
    private var reported: [[Int]]
    private var allowed: [Int]
    /// The indices in the policy of the allowances that hid anything.
    public private(set) var usedAllowances: Set<Int> = []

    public init() {
        reported = RuleBook.rules.map { _ in Severity.allCases.map { _ in 0 } }
        allowed = RuleBook.rules.map { _ in 0 }
    }

    /// Returns the number of a rule's findings at one severity.
    public func count(ofRule rule: Int, _ severity: Severity) -> Int { reported[rule][Int(severity.rawValue)] }

    public func count(ofRule rule: Int) -> Int { reported[rule].reduce(0) { $0.addingSaturating($1) } }

    public func count(_ severity: Severity) -> Int {
        reported.reduce(0) { $0.addingSaturating($1[Int(severity.rawValue)]) }
    }

    /// Returns the number of a rule's findings about subjects that the policy allows.
    public func allowedCount(ofRule rule: Int) -> Int { allowed[rule] }

    public var total: Int { reported.indices.reduce(0) { $0.addingSaturating(count(ofRule: $1)) } }

    public var allowedTotal: Int { allowed.reduce(0) { $0.addingSaturating($1) } }

    /// Returns the number of findings that may be part of a ring beyond those that are searched.
    ///
    /// - Parameter limit: the number of findings that are searched.
    package func unsearchedForRings(_ rules: RuleSet, limit: Int = RingSearch.limit) -> Int {
        let joining = rules.joiningRules.compactMap(RuleBook.ids.firstIndex)
        let severe = joining.flatMap { reported[$0][Int(Severity.high.rawValue)...] }
        return max(0, severe.reduce(0) { $0.addingSaturating($1) } - limit)
    }

    /// The highest severity of any finding.
    public var worst: Severity? { Severity.allCases.last { count($0) > 0 } }

    package mutating func count(_ finding: Finding) { reported[finding.rule][Int(finding.severity.rawValue)] += 1 }

    /// Counts a finding that the policy hides.
    package mutating func countAllowed(_ finding: Finding, id: FindingID, by rules: RuleSet) {
        allowed[finding.rule] += 1
        usedAllowances.formUnion(rules.allowances(of: finding, id: id))
    }

    package static func += (tally: inout FindingTally, other: FindingTally) {
        for rule in tally.reported.indices {
            for severity in tally.reported[rule].indices {
                tally.reported[rule][severity] = tally.reported[rule][severity].addingSaturating(
                    other.reported[rule][severity])
            }
            tally.allowed[rule] = tally.allowed[rule].addingSaturating(other.allowed[rule])
        }
        tally.usedAllowances.formUnion(other.usedAllowances)
    }
}

extension FindingTally: Codable {
    private enum CodingKeys: CodingKey { case reported, allowed, usedAllowances }

    public init(from decoder: any Decoder) throws {
        self.init()
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let reported = try values.decode([[Int]].self, forKey: .reported)
        let allowed = try values.decode([Int].self, forKey: .allowed)
        guard reported.map(\.count) == self.reported.map(\.count), allowed.count == self.allowed.count else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "other rules"))
        }
        self.reported = reported
        self.allowed = allowed
        usedAllowances = Set(try values.decode([Int].self, forKey: .usedAllowances))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(reported, forKey: .reported)
        try values.encode(allowed, forKey: .allowed)
        try values.encode(usedAllowances.sorted(), forKey: .usedAllowances)
    }
}
