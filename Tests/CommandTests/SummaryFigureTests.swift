import Foundation
import Testing

/// What the summary counts is what SQL counts in the other tables of the same report.
struct `The summary of a run over many claims` {
    private let run: SQLiteExport

    init() throws { run = try SQLiteExport.reported(count: 500) }

    private static let failures = #"json_each('["' || replace(coalesce(failed_checks, ''), ';', '","') || '"]')"#

    /// The rows whose receipt can be read, and was signed by the App Store. Without a date no chain is known to hold.
    private static let genuine = """
        (SELECT * FROM receipts WHERE purchases NOTNULL AND created_at NOTNULL AND NOT EXISTS (
            SELECT 1 FROM \(failures) WHERE value IN ('signature-invalid', 'signer-not-found', 'chain-untrusted',
                'chain-expired', 'signer-not-app-store')))
        """

    /// What somebody paid for.
    private static let paid =
        "(SELECT * FROM subscriptions WHERE coalesce(environment, '') IN ('', 'Production', 'ProductionVPP'))"

    private static func count(
        _ name: String, _ value: String = "count(*)", in table: String, by item: String
    ) -> String {
        "SELECT \(item) || '/\(name)', \(value) AS count FROM \(table) GROUP BY \(item)"
    }

    /// The claims of each item, and their share of all.
    private static func shares(of table: String, by item: String) -> [String] {
        let share = "printf('%.3f', count(*) / (SELECT 1.0 * count(*) FROM receipts))"
        return [count("claims", in: table, by: item), count("share", share, in: table, by: item)]
    }

    private static func verdicts(by item: String) -> [String] {
        ["valid", "invalid"].map { count($0, "sum(verdict = '\($0)')", in: genuine, by: item) }
    }

    private static let states = [
        "refunded", "revoked", "trial", "intro", "active", "grace-period", "billing-retry", "expired", "not-refreshed",
    ]

    private static func states(by item: String) -> [String] {
        states.map { count($0.replacing("-", with: "_"), "sum(state = '\($0)')", in: paid, by: item) }
    }

    struct Section: CustomTestStringConvertible {
        let testDescription: String
        let queries: [String]

        init(_ name: String, _ queries: [String]) { (testDescription, self.queries) = (name, queries) }
    }

    /// Each section with the queries that count it.
    static let sections = [
        Section("verdicts", shares(of: "receipts", by: "verdict")),
        Section("device_hash", shares(of: "receipts", by: "guid")),
        Section("checks", shares(of: "receipts, \(failures) WHERE failed_checks NOTNULL", by: "value")),
        Section(
            "environments",
            verdicts(by: "coalesce(environment, '')") + [count("claims", in: genuine, by: "coalesce(environment, '')")]
        ),
        Section("apps", verdicts(by: "bundle_id") + [count("claims", in: genuine, by: "bundle_id")]),
        Section("months", verdicts(by: "substr(created_at, 1, 7)")),
        Section(
            "products",
            [
                count(
                    "claims", "count(DISTINCT source)",
                    in: "purchases WHERE source IN (SELECT source FROM \(genuine))", by: "product_id")
            ]
        ),
        Section("findings", [count("findings", in: "fraud", by: "rule || ';' || severity")]),
        Section("severities", [count("findings", in: "fraud", by: "severity")]),
        Section(
            "subscription_states",
            states.map { "SELECT '\($0)/subscriptions', count(*) AS count FROM \(paid) WHERE state = '\($0)'" }
        ),
        Section("subscription_states_by_app", states(by: "bundle_id")),
        Section("subscription_states_by_product", states(by: "bundle_id || ';' || product_id")),
    ]

    @Test(arguments: sections)
    func `counts what the rows of other tables are`(section: Section) throws {
        let shown = try run.strings(
            """
            SELECT coalesce(item, '') || '/' || measure || ' ' || value FROM summary
            WHERE section = '\(section.testDescription)' AND measure <> 'title'
            """)
        let counted = try section.queries.flatMap { query in
            try run.rows(query).map { row in
                let count: Int? = row["count"]
                return (row.cells[0].value.text ?? "") + " " + (row.cells[1].value.text ?? "\(count ?? 0)")
            }
        }
        #expect(!shown.isEmpty && shown.sorted() == counted.sorted())
    }

    /// The measures of figures by month, with what counts them over all months.
    private static let totals = [
        ("trial_conversion/trials", "SELECT sum(trials) FROM \(paid)"),
        ("renewals/started", "SELECT count(*) FROM \(paid)"), ("lapses/lapses", "SELECT sum(lapses) FROM \(paid)"),
        ("lapses/win_backs", "SELECT sum(lapses) FROM \(paid)"),
        ("product_changes/product_changes", "SELECT sum(product_changes) FROM \(paid)"),
        ("refund_rate/paid_periods", "SELECT sum(periods) - sum(trials) FROM \(paid)"),
    ]

    @Test(arguments: totals) func `adds up to the columns of subscriptions`(measure: String, query: String) throws {
        let shown = """
            SELECT sum(CAST(value AS INTEGER)) FROM summary WHERE section || '/' || measure = 'subscription_\(measure)'
            """
        #expect(try run.strings("SELECT 'same' WHERE (\(shown)) = (\(query)) AND (\(query)) > 0") == ["same"])
    }

    @Test func `has the same numbers by month as metrics, which add up over apps`() throws {
        let sums = """
            SELECT metric, CAST(sum(iif(app IS NULL, value, 0)) AS INTEGER) AS whole,
                CAST(sum(iif(app IS NULL, 0, value)) AS INTEGER) AS apps, (
                    SELECT sum(s.value) FROM summary AS s
                    WHERE s.measure = metric AND s.section LIKE 'subscription_%'
                        AND s.section NOT LIKE '%_states%' AND s.section <> 'subscription_excluded'
                ) AS shown FROM metrics
            WHERE month NOTNULL AND currency ISNULL AND n ISNULL AND environment = 'Production' GROUP BY metric
            """
        let known = try run.strings("SELECT metric FROM (\(sums)) WHERE whole = apps AND whole = shown AND whole > 0")
        #expect(known.count > 12)
        // The summary has no number of those who paid for the first time.
        let differing = "SELECT metric FROM (\(sums)) WHERE whole <> apps OR whole IS NOT shown"
        #expect(try run.strings(differing) == ["first_paid"])
    }
}

struct `The summary as CSV` {
    @Test func `has as many cells in every row as columns, whatever words of ours are in them`() throws {
        let export = try TestExport()
        try export.write(TestExport.receipt(), to: "receipts/folder/a.der")
        #expect(unsafe mkfifo(export.receipts.appending(path: "fifo").path(), 0o600) == 0)
        try FileManager.default.createSymbolicLink(
            atPath: export.receipts.appending(path: "link").path(), withDestinationPath: "folder")
        let run = try export.audit("--report", "summary=-")
        let items = run.rows.filter { $0["section"] == "skipped" }
        #expect(items.map { $0["item"] } == ["devices, FIFOs or sockets", "symbolic links to folders, or dangling"])
        #expect(items.map { $0["value"] } == ["1", "1"])
    }
}
