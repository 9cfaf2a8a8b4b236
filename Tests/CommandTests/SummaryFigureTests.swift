import Checks
import Encodings
import Foundation
import Inputs
import Proofs
import Receipts
import SampleStore
import Testing

/// Every number of a summary is counted again from the other tables of the run; what subscriptions did by month is
/// counted again by `SlowFigures`, and here added up.
struct `The summary of a run over many claims` {
    private let numbers: SummaryOracle.Numbers
    private let oracle: SummaryOracle

    init() throws {
        (numbers, oracle) = try Self.run.get()
    }

    private static let sample = Result { try SampleExport(count: 500, seed: 9, forgeryShare: 0.2, plantShare: 0.3) }

    /// One run for all tests.
    private static let run = Result { () throws -> (SummaryOracle.Numbers, SummaryOracle) in
        let export = try TestExport()
        _ = try ExportFolder(export.path("sample")).write(sample.get())
        let tables = ["receipts", "fraud", "subscriptions", "summary", "retention", "metrics"]
        let run = try AuditProcess(
            [
                "run", export.path("sample/receipts"), "--root", export.path("sample/root.cer"), "--policy",
                export.path("sample/policy.yml"), "--as-of", "2026-06-30", "--quiet",
            ] + tables.flatMap { ["--report", "\($0)=" + export.path($0 + ".csv")] })
        try #require(run.exitCode == 0, "\(run.messages)")
        let rows = try tables.map { table(try #require(export.text(of: $0 + ".csv"))) }
        var numbers: SummaryOracle.Numbers = [:]
        for row in rows[3] where row["section"] != "run" {
            let key = "\(row["section"] ?? "")/\(row["item"] ?? "")/\(row["measure"] ?? "")"
            #expect(numbers[key] == nil, "\(key) is there twice")
            numbers[key] = row["value"]
        }
        let oracle = SummaryOracle(
            receipts: rows[0], fraud: rows[1], subscriptions: rows[2].filter(SummaryOracle.isMoney), retention: rows[4],
            metrics: rows[5])
        return (numbers, oracle)
    }

    private func found(_ section: String, without measure: String? = nil) -> SummaryOracle.Numbers {
        numbers.filter { $0.key.hasPrefix(section + "/") && !(measure.map($0.key.hasSuffix) ?? false) }
    }

    @Test func `has no number that is not counted again here`() {
        let months = ["trial_conversion", "renewals", "churn", "lapses", "product_changes", "revenue"]
        let others = [
            "states", "states_by_app", "states_by_product", "refund_rate", "recurring_revenue", "oddities", "excluded",
        ]
        let claims = ["verdicts", "checks", "device_hash", "environments", "apps", "products", "months"]
        let known = claims + ["findings", "severities"] + (months + others).map { "subscription_" + $0 }
        #expect(Set(numbers.keys.map { String($0.prefix { $0 != "/" }) }) == Set(known))
    }

    @Test func `counts verdicts, checks and device hashes as the rows of receipts do`() {
        #expect(found("verdicts") == oracle.verdicts())
        #expect(found("checks") == oracle.checks())
        #expect(found("device_hash") == oracle.deviceHash())
    }

    @Test func `counts environments, apps and months as the rows of genuine receipts do`() {
        #expect(found("environments") == oracle.verdicts("environments", { $0["environment"] }))
        #expect(found("apps") == oracle.verdicts("apps", { $0["bundle_id"] }))
        #expect(
            found("months")
                == oracle.verdicts("months", { $0["created_at"].map { String($0.prefix(7)) } }, withTotal: false))
    }

    @Test func `counts products as a second reading of genuine receipts does`() throws {
        let sample = try Self.sample.get()
        let trust = try TrustAnchors(files: [(name: "root.cer", bytes: sample.root)])
        let checker = try Checker(trust: trust, expectations: Expectations(asOf: SampleExport.asOf))
        let products = try oracle.genuine.flatMap { row -> Set<String> in
            let line = try #require(Int(row["source"]?.split(separator: ":").last ?? ""))
            let file = try #require(try sample.claim(at: line - 2).file)
            let isText = file.path.hasSuffix(".b64")
            let data = isText ? Data(base64Encoded: Data(file.bytes), options: .ignoreUnknownCharacters) : nil
            let bytes = data.map { [UInt8]($0) } ?? file.bytes
            let facts = checker.facts(of: Claim(source: ""), receipt: bytes.span)
            return Set(try #require(facts.purchases).map(\.productID.text))
        }
        #expect(found("products") == SummaryOracle.counts("products", "claims", products))
    }

    @Test func `counts findings as the rows of fraud do`() {
        #expect(found("findings", without: "/title") == oracle.findings())
        #expect(found("severities") == oracle.severities())
    }

    @Test func `counts states as the rows of subscriptions do`() {
        #expect(found("subscription_states") == oracle.states())
        #expect(found("subscription_states_by_app") == oracle.states("subscription_states_by_app", by: ["bundle_id"]))
        #expect(
            found("subscription_states_by_product")
                == oracle.states("subscription_states_by_product", by: ["bundle_id", "product_id"]))
    }

    /// The sum of a measure over all months.
    private func total(_ section: String, _ measure: String) -> Int {
        found("subscription_" + section).filter { $0.key.hasSuffix("/" + measure) }
            .compactMap { Int($0.value) }.reduce(0, +)
    }

    @Test func `adds up to the columns of subscriptions`() {
        #expect(total("trial_conversion", "trials") == oracle.sum("trials"))
        #expect(total("renewals", "started") == oracle.subscriptions.count)
        #expect(total("lapses", "lapses") == oracle.sum("lapses"))
        #expect(total("lapses", "win_backs") == oracle.sum("lapses"))
        #expect(total("product_changes", "product_changes") == oracle.sum("product_changes"))
        #expect(total("refund_rate", "paid_periods") == oracle.sum("periods") - oracle.sum("trials"))
        // A trial may be refunded, too, and is not paid for.
        #expect((1...oracle.sum("refunds")).contains(total("refund_rate", "refunded_periods")))
        let started = SummaryOracle.counts(
            "subscription_renewals", "started", oracle.subscriptions.map { String(($0["started_at"] ?? "").prefix(7)) })
        for (key, value) in started { #expect(numbers[key] == value, "\(key)") }
    }

    @Test(arguments: [
        ("trial_conversion", "conversion", ["trials_converted"], ["trials_converted", "trials_lost"], []),
        ("trial_conversion", "conversion_of_all", ["trials_converted"], ["trials"], []),
        ("churn", "churn", ["lost"], ["active_at_start"], ["not_refreshed"]),
        ("churn", "churn_low", ["lost"], ["active_at_start"], []),
        ("churn", "churn_high", ["lost", "not_refreshed"], ["active_at_start"], []),
        (
            "refund_rate", "refund_rate", ["refunded_periods", "refunded_one_time_purchases"],
            ["paid_periods", "one_time_purchases"], []
        ),
    ])
    func `divides what its definition says`(
        section: String, share: String, part: [String], plus: [String], minus: [String]
    ) {
        let shares = found("subscription_" + section).filter { $0.key.hasSuffix("/" + share) }
        #expect(!shares.isEmpty)
        for (key, value) in shares {
            let sum = { (measures: [String]) in
                measures.compactMap { Int(numbers[key.dropLast(share.count) + $0] ?? "") }.reduce(0, +)
            }
            #expect(value == SummaryOracle.share(sum(part), of: sum(plus) - sum(minus)), "\(key)")
        }
    }

    @Test func `counts one-time purchases once, however many claims show them`() throws {
        let sample = try Self.sample.get()
        let trust = try TrustAnchors(files: [(name: "root.cer", bytes: sample.root)])
        let checker = try Checker(trust: trust, expectations: Expectations(asOf: SampleExport.asOf))
        var refunded: [String: Bool] = [:]
        let apps = oracle.apps
        for row in oracle.genuine where SummaryOracle.isMoney(row) && apps.contains(row["bundle_id"] ?? "") {
            let line = try #require(Int(row["source"]?.split(separator: ":").last ?? ""))
            let file = try #require(try sample.claim(at: line - 2).file)
            let data =
                file.path.hasSuffix(".b64")
                ? Data(base64Encoded: Data(file.bytes), options: .ignoreUnknownCharacters) : nil
            let bytes = data.map { [UInt8]($0) } ?? file.bytes
            let purchases = try #require(checker.facts(of: Claim(source: ""), receipt: bytes.span).purchases)
            for purchase in purchases where [.consumable, .nonConsumable, .nonRenewing].contains(purchase.kind) {
                refunded[(purchase.originalTransactionID ?? purchase.transactionID).text] =
                    purchase.cancellationDate != nil
            }
        }
        #expect(total("refund_rate", "one_time_purchases") == refunded.count)
        #expect(total("refund_rate", "refunded_one_time_purchases") > 0)
    }

    @Test func `has the same numbers by month as metrics, which add up over apps`() {
        let monthly = oracle.metrics.filter { $0["month"] != "" && $0["currency"] == "" && $0["n"] == "" }
        let names = Set(monthly.compactMap { $0["metric"] })
        #expect(names.count > 12)
        for name in names {
            let rows = monthly.filter { $0["metric"] == name }
            let sum = { (rows: [SummaryOracle.Row]) in rows.compactMap { Int($0["value"] ?? "") }.reduce(0, +) }
            let all = sum(rows.filter { $0["app"] == "" })
            #expect(all > 0 && sum(rows.filter { $0["app"] != "" }) == all, "\(name)")
            let counted = numbers.filter { key, _ in
                key.hasPrefix("subscription_") && !key.hasPrefix("subscription_states")
                    && !key.hasPrefix("subscription_excluded") && key.hasSuffix("/" + name)
            }
            if name != "first_paid" { #expect(counted.values.compactMap { Int($0) }.reduce(0, +) == all, "\(name)") }
        }
    }

    @Test func `leaves retention to a table, where nobody is there who was never paid for`() {
        #expect(!numbers.keys.contains { $0.contains("retention") })
        let first = oracle.retention.filter { $0["renewal"] == "1" }
        let people = first.flatMap { row in ["kept", "lost", "unknown"].compactMap { Int(row[$0] ?? "") } }
        let total = people.reduce(0, +)
        #expect(total > 20 && total <= oracle.subscriptions.count)
        for row in oracle.retention {
            let before = oracle.retention.first {
                $0["cohort"] == row["cohort"] && Int($0["renewal"] ?? "") == (Int(row["renewal"] ?? "") ?? 0) - 1
            }
            #expect(before != nil || row["renewal"] == "1")
        }
    }

    @Test func `tells what became of each trial, and takes refunds from revenue`() throws {
        let outcomes = ["trials_converted", "trials_running", "trials_not_refreshed", "trials_lost"]
        #expect(outcomes.map { total("trial_conversion", $0) }.reduce(0, +) == oracle.sum("trials"))
        let cents = { (key: String) in Int((numbers[key] ?? "").filter { $0.isNumber || $0 == "-" }) }
        let months = found("subscription_revenue").keys.filter { $0.hasSuffix("/net") }.map { $0.dropLast(4) }
        #expect(months.contains { cents($0 + "/refunds") != 0 })
        for month in months {
            #expect(cents(month + "/net") == (try #require(cents(month + "/gross"))) - (cents(month + "/refunds") ?? 0))
        }
    }

    @Test func `normalises what runs to a month, at the policy's prices`() {
        let monthly = oracle.subscriptions.filter { $0["state"] == "active" }.map { row in
            switch row["product_id"] ?? "" {
            case "com.example.running.coach": 4 * 1.99
            case let product where product.hasSuffix(".year"): 39.99 / 12
            default: 4.99
            }
        }
        #expect(numbers["subscription_recurring_revenue/priced;USD/subscriptions"] == "\(monthly.count)")
        let amount = numbers["subscription_recurring_revenue/priced;USD/amount"] ?? ""
        #expect(amount.hasSuffix(" USD"))
        // No digit is cut: a twelfth of a year may have more than two decimals.
        #expect(abs((Double(amount.dropLast(4)) ?? 0) - monthly.reduce(0, +)) < 0.000_01)
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
