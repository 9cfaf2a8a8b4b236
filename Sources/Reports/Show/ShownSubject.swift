import Encodings
import Engine
import Inputs
import Rules
import SQLite

/// Everything in a SQLite report about one account, device, person, transaction, receipt, signer, claim or finding.
public struct ShownSubject {
    /// The kind of subject. The raw value is its word in subjects.
    enum Kind: String, CaseIterable {
        case finding, claim, account, device, person, transaction, receipt, signer, app
    }

    /// A list from the report, up to a maximum number of rows, and the total number.
    struct List {
        let name: String
        let rows: [DatabaseReader.Row]
        let total: Int
    }

    let kind: Kind
    let id: String
    /// The facts about it in one row; empty if the report has only what it is part of.
    let facts: DatabaseReader.Row
    let findings: List
    let claims: List
    let others: List
    let purchases: List
    /// The money of its proven purchases, those that are not shown included.
    let money: ShownMoney
    /// What was decided about the findings, latest first.
    let decisions: List

    /// The reason why there is nothing to show.
    public enum Failure: Error, CustomStringConvertible {
        case unknown(String, path: String)
        case ambiguous([String])

        /// The reason as a sentence.
        public var description: String {
            switch self {
            case .unknown(let subject, let path): "\(path) has nothing about \(subject)"
            case .ambiguous(let subjects):
                "that names more than one thing: say which of \(subjects.joined(separator: ", "))"
            }
        }
    }

    /// The maximum number of rows of each list.
    struct Limits {
        var findings = 20
        var claims = 20
        var others = 20
        var purchases = 20
        var decisions = 20
    }

    /// - Parameters:
    ///   - subject: a subject as in reports (`account:alice`), or an id alone.
    ///   - path: a report in SQLite.
    /// - Throws: ``Failure``, or `FileError` if the report cannot be read.
    public init(_ subject: String, in path: String) throws {
        try self.init(subject, DatabaseReader(path, application: SQLiteSchema.application), path, Limits())
    }

    init(_ subject: String, _ reader: DatabaseReader, _ path: String, _ limits: Limits) throws {
        (kind, id) = try Self.resolve(subject, reader, path)
        let (queries, id) = (ShownQueries(kind: kind), id)
        facts = try reader.rows(queries.facts, [id]).first ?? []
        let list = { (name: String, sql: String, limit: Int) in
            let total = try reader.rows("SELECT count(*) FROM (\(sql))", [id]).first?.first?.value.number ?? 0
            return List(name: name, rows: try reader.rows(sql + " LIMIT \(limit)", [id]), total: Int(total))
        }
        findings = try list("findings", queries.findings, limits.findings)
        claims = try list("claims", queries.shownClaims, limits.claims)
        others = try list("others", queries.others, limits.others)
        purchases = try list("purchases", queries.purchases, limits.purchases)
        money = purchases.total > 0 ? try ShownMoney(queries, id, reader) : ShownMoney()
        decisions = try list("decisions", queries.decisions, limits.decisions)
    }

    private static func resolve(_ subject: String, _ reader: DatabaseReader, _ path: String) throws -> (Kind, String) {
        let exists = { (kind: Kind, id: String) in try !reader.rows(ShownQueries(kind: kind).exists, [id]).isEmpty }
        for kind in Kind.allCases {
            guard let id = ExactText(subject).rest(behind: ExactText(kind.rawValue + ":")) else { continue }
            let form = form(of: id.text, kind)
            if try exists(kind, form) { return (kind, form) }
        }
        let found = try Kind.allCases.filter { try exists($0, form(of: subject, $0)) }
        guard let kind = found.first else { throw Failure.unknown(subject, path: path) }
        guard found.count == 1 else { throw Failure.ambiguous(found.map { "\($0.rawValue):\(subject)" }) }
        return (kind, form(of: subject, kind))
    }

    /// Returns an id in the form of reports.
    private static func form(of id: String, _ kind: Kind) -> String {
        if kind == .account { return DeviceIdentifiers.canonicalUUID(ExactText(id))?.text ?? id }
        guard kind == .device, let octets = DeviceIdentifiers(ExactText(id)).identifiers.first,
            let device = Device(octets: octets.span)
        else { return id }
        return device.description
    }

    /// The rules of the shown findings, in order.
    var rules: [RuleDocumentation] {
        var rules: [RuleDocumentation] = []
        for finding in findings.rows {
            let id = ExactText(finding.first { $0.column == "rule" }?.value.text ?? "")
            guard let rule = RuleBook.rule(id)?.documentation, !rules.contains(where: { $0.id == rule.id }) else {
                continue
            }
            rules.append(rule)
        }
        return rules
    }
}
