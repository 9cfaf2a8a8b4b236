import Checks
import Encodings
import Rules

/// The tables of a report in SQLite: those of the run, and tables that join them.
enum SQLiteSchema {
    /// The application ID in the header of the file: `ARRp`.
    static let application: Int32 = 0x4152_5270

    /// The tables of the run in the file. Rows of `answers` are JSON, and have separate reports.
    static let tables: [ReportRequest.Table] = ReportRequest.Table.allCases.filter { !$0.type.holdsObjects }

    /// The tables of a temporary database: those that pages are made from.
    static let ofPages: [any ReportTable.Type] = [
        ReceiptsTable.self, FraudTable.self, EntitiesTable.self, UnclaimedTable.self, RefundRequestsTable.self,
        CompletenessTable.self, RuleQualityTable.self, MetricsTable.self,
    ]

    /// The tables that only workbooks show.
    static let ofWorkbooks: [any ReportTable.Type] = [LinksTable.self, RetentionTable.self]

    /// The tables whose rows are stored as they come.
    static let stored = tables.map(\.schema) + [EntityMarksTable.schema, ReviewsTable.schema]

    /// Returns the columns of ``TableSchema`` in SQL, with references to other tables.
    static func create(_ schema: TableSchema) -> String {
        let columns = schema.columns.map { column in
            "\(quoted(column.name)) \(type(of: column.kind))" + (references["\(schema.name).\(column.name)"] ?? "")
        }
        return "CREATE TABLE \(schema.name)(\(columns.joined(separator: ", ")));"
    }

    static func type(of kind: ColumnHeading.Kind) -> String {
        switch kind {
        case .number: "INTEGER"
        case .decimal: "REAL"
        case .text, .code, .verdict, .severity, .date: "TEXT"
        }
    }

    /// Quotes a name: `new` and others are SQL keywords.
    static func quoted(_ name: String) -> String { "\"\(name)\"" }

    private static let references = [
        "receipts.claim_id": " NOT NULL REFERENCES claims(claim_id)",
        "purchases.claim_id": " NOT NULL REFERENCES claims(claim_id)",
        "links.claim_id": " NOT NULL REFERENCES claims(claim_id)",
        "links.finding_id": " NOT NULL REFERENCES fraud(finding_id)",
        "fraud.finding_id": " NOT NULL",
        "entities.ring": " REFERENCES fraud(finding_id)",
        "subscriptions.original_transaction_id": " NOT NULL",
        "unclaimed.original_transaction_id": " NOT NULL",
        "refund_requests.notification_uuid": " NOT NULL",
    ]

    /// The tables that only a database has. Rows are inserted into `claims` after all other tables are complete.
    ///
    /// As in the SQL of views, a comment has a column, its type and its meaning.
    static let ownTables = """
        -- claims.receipts INTEGER how many rows of receipts present it in this run; 0 for a claim of an earlier run
        -- claims.source TEXT the first row that presents it; for an earlier run, with its date
        -- claims.device_id TEXT its device in the form of links; alternatives joined by | where no finding says which counts
        CREATE TABLE claims(
            claim_id TEXT NOT NULL PRIMARY KEY, receipts INTEGER NOT NULL, source TEXT, verdict TEXT, failed_checks TEXT,
            risk TEXT, rules TEXT, kind TEXT, bundle_id TEXT, device_id TEXT, account_id TEXT, receipt_sha256 TEXT,
            guid TEXT, claimed_product_id TEXT, presented_at TEXT) WITHOUT ROWID;
        CREATE TABLE entity_marks(
            kind TEXT NOT NULL, id TEXT NOT NULL, finding_id TEXT NOT NULL REFERENCES fraud(finding_id), severity TEXT NOT NULL,
            PRIMARY KEY(kind, id, finding_id), FOREIGN KEY(kind, id) REFERENCES entities(kind, id)) WITHOUT ROWID;
        CREATE TABLE reviews(
            finding_id TEXT NOT NULL, reviewed_at TEXT NOT NULL, reviewed_by TEXT NOT NULL, status TEXT NOT NULL, note TEXT,
            until TEXT);
        -- severities.severity TEXT a word of the columns severity, risk and worst
        -- severities.rank INTEGER its place, 0 for info to 4 for critical: sort by it
        CREATE TABLE severities(severity TEXT NOT NULL PRIMARY KEY, rank INTEGER NOT NULL);
        -- definitions.table_name TEXT a table of this file
        -- definitions.column_name TEXT a column of it
        -- definitions.type TEXT INTEGER, REAL or TEXT; dates are texts in UTC, 2026-06-30T00:00:00Z, which sort as dates do
        -- definitions.text TEXT what the column holds
        CREATE TABLE definitions(
            table_name TEXT NOT NULL, column_name TEXT NOT NULL, type TEXT NOT NULL, text TEXT NOT NULL,
            PRIMARY KEY(table_name, column_name));
        -- queries.name TEXT the name of a view that pages and workbooks show
        -- queries.meaning TEXT the question that it answers
        CREATE TABLE queries(name TEXT NOT NULL PRIMARY KEY, meaning TEXT NOT NULL) WITHOUT ROWID;

        """ + StoredSections.tables

    /// Makes one row per claim: from its first row in `receipts`, or from its first link if it is from an earlier run.
    /// `min` selects the row of the other columns.
    ///
    /// A device has one form (``device(_:)``), however rows write it. If a row names alternatives, a link has the one
    /// that counts.
    static let fillClaims = """
        INSERT INTO claims
        SELECT claim_id, own, source, verdict, failed_checks, risk, rules, kind, bundle_id, \(device("device_id")),
            account_id, receipt_sha256, guid, claimed_product_id, presented_at
        FROM (
            SELECT claim_id, min(place), sum(own) AS own, source, verdict, failed_checks, risk, rules, kind, bundle_id,
                device_id, account_id, receipt_sha256, guid, claimed_product_id, presented_at
            FROM (
                SELECT claim_id, rowid AS place, 1 AS own, source, verdict, failed_checks, risk, rules, kind, bundle_id,
                    device_id, account_id, receipt_sha256, guid, claimed_product_id, presented_at
                FROM receipts
                UNION ALL
                SELECT claim_id, rowid + (1 << 48), 0, source, NULL, NULL, severity, NULL, NULL, NULL, device_id,
                    account_id, receipt_sha256, guid, NULL, presented_at
                FROM links)
            GROUP BY claim_id);
        """

    /// Deletes reviews of findings of other runs, which do not belong into this report. Runs after ``indexes``.
    static let trimReviews = "DELETE FROM reviews WHERE finding_id NOT IN (SELECT finding_id FROM fraud);"

    /// Runs after ``fillClaims`` and ``indexes``.
    static let fillDevices = """
        UPDATE claims SET device_id = coalesce(
            (SELECT device_id FROM links WHERE links.claim_id = claims.claim_id AND device_id IS NOT NULL LIMIT 1),
            device_id)
        WHERE instr(device_id, '|');
        """

    /// The form of a device id in `fraud`, `links` and `entities`: a UUID in upper case, a MAC address in lower case
    /// with colons. Anything else is unchanged.
    private static func device(_ id: String) -> String {
        let part = { (start: Int, count: Int) in "substr(\(id), \(start), \(count))" }
        let uuid = [part(1, 8), part(9, 4), part(13, 4), part(17, 4), part(21, 12)].joined(separator: " || '-' || ")
        let mac = (0..<6).map { part(2 * $0 + 1, 2) }.joined(separator: " || ':' || ")
        return """
            CASE
                WHEN \(id) GLOB '*[^0-9A-Fa-f:-]*' THEN \(id)
                WHEN length(\(id)) = 36 THEN upper(\(id))
                WHEN length(\(id)) = 32 THEN upper(\(uuid))
                WHEN length(\(id)) = 17 THEN lower(replace(\(id), '-', ':'))
                WHEN length(\(id)) = 12 THEN lower(\(mac))
                ELSE \(id)
            END
            """
    }

    /// Creates indexes at the end, with one sort each.
    static let indexes = """
        CREATE INDEX receipts_by_claim ON receipts(claim_id);
        CREATE INDEX receipts_by_case ON receipts(case_id);
        CREATE INDEX receipts_by_account ON receipts(account_id);
        CREATE INDEX receipts_by_device ON receipts(device_id);
        CREATE INDEX receipts_by_presentation ON receipts(presented_at);
        CREATE UNIQUE INDEX fraud_by_id ON fraud(finding_id);
        CREATE INDEX fraud_by_subject ON fraud(subject);
        CREATE INDEX fraud_by_rule ON fraud(rule);
        CREATE INDEX links_by_finding ON links(finding_id);
        CREATE INDEX links_by_claim ON links(claim_id);
        CREATE INDEX links_by_account ON links(account_id);
        CREATE INDEX links_by_device ON links(device_id);
        CREATE INDEX links_by_receipt ON links(receipt_sha256);
        CREATE UNIQUE INDEX entities_by_id ON entities(kind, id);
        CREATE INDEX entities_by_score ON entities(score);
        CREATE INDEX entity_marks_by_finding ON entity_marks(finding_id);
        CREATE INDEX claims_by_account ON claims(account_id);
        CREATE INDEX claims_by_device ON claims(device_id);
        CREATE INDEX claims_by_receipt ON claims(receipt_sha256);
        CREATE INDEX purchases_by_claim ON purchases(claim_id, original_transaction_id);
        CREATE INDEX purchases_by_transaction ON purchases(transaction_id);
        CREATE INDEX purchases_by_original ON purchases(original_transaction_id);
        CREATE INDEX subscriptions_by_original ON subscriptions(original_transaction_id);
        CREATE INDEX unclaimed_by_account ON unclaimed(account_token);
        CREATE INDEX completeness_by_product ON completeness(product_id);
        CREATE INDEX refund_requests_by_original ON refund_requests(original_transaction_id);
        CREATE INDEX evidence_by_original ON evidence(original_transaction_id);
        CREATE INDEX evidence_by_transaction ON evidence(transaction_id);
        CREATE INDEX reviews_by_finding ON reviews(finding_id);
        CREATE INDEX metrics_by_name ON metrics(metric, month);
        """

    /// The indexes of a temporary database.
    static let indexesOfPages = """
        CREATE UNIQUE INDEX fraud_by_id ON fraud(finding_id);
        CREATE INDEX reviews_by_finding ON reviews(finding_id);
        """

    /// Defines the columns of views, and of `claims`, like those of their tables.
    static let defineViews =
        ([
            ("claims", "receipts", ""),
            ("finding_claims", "fraud", "f"), ("finding_claims", "links", "l"), ("finding_claims", "claims", "c"),
            ("entity_findings", "entities", "e"), ("entity_findings", "fraud", "f"), ("claim_history", "claims", "c"),
        ] + ReportQuery.all.flatMap { query in query.tables.map { (query.name, $0.table, $0.alias) } }).map {
            view, table, alias in
            // A view names the table of each column before it, or, with a star, all columns of one table.
            """
            INSERT OR IGNORE INTO definitions
            SELECT '\(view)', d.column_name, d.type, d.text
            FROM definitions AS d, sqlite_master AS v, pragma_table_info('\(view)') AS c
            WHERE v.name = '\(view)' AND d.table_name = '\(table)' AND d.column_name = c.name
                AND (v.type = 'table' OR instr(v.sql, '\(alias).*')
                    OR v.sql GLOB '*[ (]\(alias).' || d.column_name || '[, ' || char(10) || ']*');
            """
        }.joined(separator: "\n")

    static let fillSeverities = Severity.allCases.map { severity in
        "INSERT INTO severities VALUES ('\(severity.code)', \(severity.rawValue));"
    }.joined(separator: "\n")

    static let views =
        ReportQuery.all.map { query in
            "CREATE VIEW \(query.name) AS \(query.sql);\n"
                + "INSERT INTO queries VALUES ('\(query.name)', '\(query.meaning.replacing("'", with: "''"))');\n"
        }.joined() + String(decoding: PackageResources.views_sql, as: UTF8.self)

    /// The columns with their types and meanings: those of the run, and those that the SQL of this file makes.
    static let definitions: [(table: String, column: String, type: String, text: String)] =
        stored.flatMap { table in
            table.columns.map { (table.name, $0.name, type(of: $0.kind), $0.plainMeaning) }
        }
        + ReportQuery.all.flatMap { query in query.columns.map { (query.name, $0.name, $0.type, $0.meaning) } }
        + (ownTables + "\n" + views).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            let name = words.count == 4 && words[0] == "--" ? words[1].split(separator: ".").map(String.init) : []
            return name.count == 2 ? (name[0], name[1], words[2], words[3]) : nil
        }
}
