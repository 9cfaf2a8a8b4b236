public import Checks
public import Encodings
public import Engine
import Rules

/// The findings in a ledger that a decision about a subject, or about some, is about.
public struct ReviewScope {
    /// Those about the subjects, or about claims of them and no others.
    public private(set) var own: [ReviewedFinding.Name] = []
    /// Those about claims of the subjects and of others. A decision about one of them is none about the rest.
    public private(set) var shared: [ReviewedFinding.Name] = []

    /// Finds them. Every claim is read, and every finding.
    ///
    /// - Parameters:
    ///   - path: the path of an existing ledger.
    ///   - isNamed: whether a claim is a device's, or a person's, that names it and does not match.
    public init(_ subjects: [ExactText], in path: String, isNamed: Bool = false) throws {
        var names: [ReviewedFinding.Name] = []
        try LedgerHistory(path).forEachFinding { names.append($0.name) }
        let claims = try SubjectClaims(
            of: Set(subjects), among: names.lazy.map(\.subject), isNamed: isNamed,
            in: LedgerReader(path, withBlocks: false))
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
    /// Returns the findings that a ring joins, by subject and rule, as the runs say that made them last.
    public func members(ofRing ring: FindingID) throws(LedgerError) -> [ReviewedFinding.Name] {
        let rows = try StoredFinding.Rows(connection, losses, "ORDER BY subject, rule")
        var members: [ReviewedFinding.Name] = []
        while let finding = try rows.next() {
            guard finding.ring == ring else { continue }
            members.append(ReviewedFinding.Name(rule: finding.rule, subject: finding.subject))
        }
        return members
    }

    /// Counts how often each rule was right.
    public func ruleQuality() throws(LedgerError) -> [RuleQuality] { try RuleQuality.all(connection, losses) }
}

extension RuleQuality {
    /// Counts the findings and the last reviews of each rule: those of the book in its order, then others by name.
    static func all(_ connection: Connection, _ losses: Losses) throws(LedgerError) -> [RuleQuality] {
        var counts: [ExactText: RuleQuality] = [:]
        let findings = try Statement(connection, "SELECT rule, count(*) FROM finding GROUP BY rule")
        while try findings.step() {
            let rule = ExactText(findings.text(0))
            counts[rule] = RuleQuality(rule, findings: Int(findings.number(1)))
        }
        let reviews = try Review.Rows(connection, losses, "ORDER BY id")
        var last: [ReviewedFinding.Name: Disposition] = [:]
        while let review = try reviews.next() {
            last[ReviewedFinding.Name(rule: review.rule, subject: review.subject)] = review.decision.disposition
        }
        for (name, disposition) in last {
            counts[name.rule, default: RuleQuality(name.rule, findings: 0)].add(disposition)
        }
        let known = RuleBook.ids.map { counts.removeValue(forKey: $0) ?? RuleQuality($0, findings: 0) }
        return known + counts.values.sorted { $0.rule < $1.rule }
    }
}
