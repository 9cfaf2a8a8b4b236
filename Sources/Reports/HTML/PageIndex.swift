import Encodings
import SQLite

/// The number of lines in the index of a page.
struct IndexCounts {
    /// The number of high and critical findings. All have a line.
    let findings: Int
    /// The number of entities with findings, and of those with a line.
    let entities: Int
    var shownEntities: Int { min(entities, PageIndex.maxEntities) }

    var isComplete: Bool { entities == shownEntities }
    var isEmpty: Bool { findings == 0 && entities == 0 }
}

/// A line for each high or critical finding, and for the first entities with findings: what is
/// searched on a page, however few of them have rows of their own.
///
/// Findings of one rule and severity are indented below a line with both, which ends with a colon: a million claims may
/// have a hundred thousand of them.
struct PageIndex {
    /// The maximum number of entities with a line.
    static let maxEntities = 10_000

    private static let findings = "severity IN ('critical', 'high') AND change IS NOT 'resolved'"

    let report: StoredReport

    func counts() throws -> IndexCounts {
        IndexCounts(
            findings: try report.count(FraudTable.name, where: Self.findings),
            entities: try report.count(EntitiesTable.name))
    }

    /// Writes the lines: findings in the order of the table `fraud`, then entities in the order of theirs.
    func write(to page: PageWriter) throws {
        var last = ""
        let write = { (line: String) in try page.write(HTMLText.escaped(line) + "\n") }
        try report.reader.forEachRow(
            "SELECT severity, rule, subject, account_id, device_id FROM fraud WHERE \(Self.findings) ORDER BY rowid"
        ) { row in
            let head = "\(row.text("severity")) \(row.safe("rule")):"
            if head != last { try write(head) }
            last = head
            // A claim is nobody's name: who presents it is.
            let presenters = [("account", "account_id"), ("device", "device_id")]
                .filter { !row.isNull($0.1) && row.text("subject") != "\($0.0):\(row.text($0.1))" }
                .map { " \($0.0):\(row.safe($0.1))" }.joined()
            try write(" \(row.safe("subject"))\(presenters)")
        }
        try report.reader.forEachRow(
            """
            SELECT worst, kind, id, findings FROM entities
            ORDER BY kind NOT IN ('account', 'device', 'person'), rowid LIMIT \(Self.maxEntities)
            """
        ) { try write("\($0.text("worst")) \($0.text("kind")):\($0.safe("id")) \($0.number("findings"))") }
    }
}
