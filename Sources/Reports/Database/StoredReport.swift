import Checks
import Encodings
import Engine
import Files
import Rules
import SQLite

/// The database of a run that has ended. Extensions beside the queries return their rows.
public struct StoredReport {
    let reader: DatabaseReader

    init(_ reader: DatabaseReader) { self.reader = reader }

    /// Opens a report that `--report FILE.sqlite` wrote.
    ///
    /// - Throws: `FileError` if it cannot be read, or is of another version.
    public init(_ path: String) throws {
        reader = try DatabaseReader(path, application: SQLiteSchema.application)
        let known = try reader.rows("SELECT 1 FROM sqlite_master WHERE name = 'section_cells'")
        guard !known.isEmpty else {
            throw FileError.storage(
                path: path, reason: "an older audit wrote it, which kept no pages; run the audit again")
        }
    }

    /// Returns the number of rows of a table or query.
    func count(_ name: String, where condition: String = "1") throws -> Int {
        try number("SELECT count(*) FROM \(name) WHERE \(condition)")
    }

    /// Returns the number in the first row of a query; 0 if it has none.
    func number(_ sql: String) throws -> Int {
        Int(clamping: try reader.rows(sql).first?.first?.value.number ?? 0)
    }

    /// Returns how often rules were right, according to the ledger.
    func ruleQuality() throws -> [RuleQuality] {
        var quality: [RuleQuality] = []
        try reader.forEachRow("SELECT * FROM rule_quality ORDER BY rowid") { row in
            quality.append(
                RuleQuality(
                    ExactText(row.text("rule")), findings: row.number("findings"), fraud: row.number("fraud"),
                    ok: row.number("ok"), watch: row.number("watch")))
        }
        return quality
    }
}

extension DatabaseReader.Cells {
    /// Returns a text; `nil` if the cell is empty.
    func exact(_ column: String) -> ExactText? { isNull(column) ? nil : ExactText(text(column)) }

    func date(_ column: String) -> Instant? { Instant(written: text(column).utf8.span) }

    /// Returns a text for people: truncated, and with its control characters shown.
    func safe(_ column: String, limit: Int = 200) -> String { TextLayout.safe(text(column), limit: limit) }

    /// Returns an amount in millionths of the currency's unit.
    func millionths(_ column: String) -> Int64? { self[column].millionths }

    /// The amount in `at_stake` and `currency`.
    var amountAtStake: AmountAtStake? {
        guard let millionths = millionths("at_stake") else { return nil }
        var amount = AmountAtStake(millionths: millionths, currency: ExactText(text("currency")))
        amount.isLeast = text("at_stake_at_least") == "true"
        return amount
    }
}

extension DatabaseReader.Value {
    /// The amount in millionths of the currency's unit; `nil` if it is none.
    var millionths: Int64? {
        switch self {
        case .real(let amount): Int64(exactly: max(-9e18, min(9e18, (amount * 1_000_000).rounded())))
        case .number(let amount): Int64(clamping: Int128(amount) * 1_000_000)
        case .null, .text: nil
        }
    }
}

extension ComparedFinding {
    /// Reads a row of the table `fraud`, with the columns of `decisions` if the query has them.
    init(_ row: DatabaseReader.Cells) {
        var finding = FindingRow(
            id: FindingID(ExactText(row.text("finding_id"))) ?? .none,
            severity: Severity(code: ExactText(row.text("severity"))) ?? .info,
            confidence: Confidence(code: ExactText(row.text("confidence"))) ?? .likely,
            rule: ExactText(row.text("rule")), subject: ExactText(row.text("subject")))
        finding.claims = row.number("claims")
        finding.devices = row.number("devices")
        finding.accounts = row.number("accounts")
        // By octets: a semicolon with an accent is a semicolon.
        finding.sources = row.text("sources").utf8.split(separator: UInt8(ascii: ";")).map {
            ExactText(String(decoding: $0, as: UTF8.self))
        }
        finding.evidence = row.text("evidence")
        finding.events = row.number("events")
        finding.bundleID = ExactText(row.text("bundle_id"))
        finding.productID = ExactText(row.text("product_id"))
        finding.deviceID = ExactText(row.text("device_id"))
        finding.accountID = ExactText(row.text("account_id"))
        finding.atStake = row.amountAtStake
        finding.unpriced = row.number("unpriced")
        finding.lastPresented = row.date("last_presented")
        self.init(finding, firstSeen: row.date("first_seen"), change: Change(rawValue: row.text("change")))
        status = FindingStatus(rawValue: row.text("status")) ?? .open
        guard let disposition = Disposition(rawValue: row.text("decided")), let at = row.date("at") else { return }
        decision = ReviewDecision(disposition, at: at, by: row.text("by"))
        decision?.note = row.text("note")
    }
}

extension EntityRow {
    /// Reads a row of the table `entities`.
    init(_ row: DatabaseReader.Cells) {
        self.init(Entity(Entity.Kind(code: ExactText(row.text("kind"))) ?? .account, ExactText(row.text("id"))))
        score = Int(clamping: (row.millionths("score") ?? 0) / 100_000)
        worst = Severity(code: ExactText(row.text("worst"))) ?? .info
        findings = row.number("findings")
        rules = row.text("rules")
        claims = row.number("claims")
        valid = row.number("valid")
        invalid = row.number("invalid")
        unreadable = row.number("unreadable")
        devices = row.number("devices")
        accounts = row.number("accounts")
        apps = row.number("apps")
        atStake = row.amountAtStake
        unpriced = row.number("unpriced")
        firstPresented = row.date("first_presented")
        lastPresented = row.date("last_presented")
        isNew = row.isNull("new") ? nil : row.text("new") == "true"
        status = FindingStatus(rawValue: row.text("status")) ?? .ok
        ring = FindingID(ExactText(row.text("ring")))
        isActive = row.text("active") == "true"
    }
}
