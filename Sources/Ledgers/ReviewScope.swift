public import Checks
public import Encodings
public import Engine
import Rules
import SQLite

/// The findings in a ledger that a decision about one or more subjects covers.
public struct ReviewScope {
    /// The findings about the subjects, or only about claims of the subjects.
    public private(set) var own: [FindingName] = []
    /// The findings about claims of the subjects and of others. A decision about one subject does not decide about the
    /// rest.
    public private(set) var shared: [FindingName] = []

    /// Finds them. Reads every claim and every finding.
    ///
    /// - Parameters:
    ///   - path: the path of an existing ledger.
    ///   - isNamed: whether a claim that names a device or a person without matching belongs to it.
    public init(_ subjects: [ExactText], in path: String, isNamed: Bool = false) throws {
        var names: [FindingName] = []
        try LedgerHistory(path).forEachFinding { names.append($0.name) }
        let claims = try SubjectClaims(
            of: Set(subjects), among: names.lazy.map(\.subject), isNamed: isNamed,
            in: LedgerReader(path))
        for name in names {
            switch try claims.share(in: name.subject) {
            case .all: own.append(name)
            case .some: shared.append(name)
            case .none: break
            }
        }
    }
}

extension LedgerHistory {
    /// Returns the findings that a ring joins, by subject and rule, according to the last run that made each.
    public func members(ofRing ring: FindingID) throws(LedgerError) -> [FindingName] {
        let rows = try StoredFinding.Rows(connection, "ORDER BY subject, rule")
        var members: [FindingName] = []
        while let finding = try rows.next() {
            if finding.ring == ring { members.append(finding.name) }
        }
        return members
    }

    /// Returns how often each rule was right.
    public func ruleQuality() throws(LedgerError) -> [RuleQuality] { try RuleQuality.all(connection) }
}

extension RuleQuality {
    /// Counts the findings and the last reviews of each rule: the rules of the book in order, then others by name.
    static func all(_ connection: Connection) throws(LedgerError) -> [RuleQuality] {
        var counts: [ExactText: RuleQuality] = [:]
        let findings = try Statement(connection, "SELECT rule, count(*) FROM finding GROUP BY rule")
        while try findings.step() {
            let rule = ExactText(findings.text(0))
            counts[rule] = RuleQuality(rule, findings: Int(findings.number(1)))
        }
        let reviews = try Review.Rows(connection, "ORDER BY id")
        var last: [FindingName: Disposition] = [:]
        while let review = try reviews.next() { last[review.name] = review.decision.disposition }
        for (name, disposition) in last {
            counts[name.rule, default: RuleQuality(name.rule, findings: 0)].add(disposition)
        }
        let known = RuleBook.ids.map { counts.removeValue(forKey: $0) ?? RuleQuality($0, findings: 0) }
        return known + counts.values.sorted { $0.rule < $1.rule }
    }
}
