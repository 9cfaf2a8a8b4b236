import Foundation

/// The numbers of a summary, counted again from the rows of the other tables of the same run.
struct SummaryOracle {
    typealias Row = [String: String]
    let receipts: [Row]
    let fraud: [Row]
    let subscriptions: [Row]
    let retention: [Row]
    let metrics: [Row]

    /// Numbers by `section/item/measure`.
    typealias Numbers = [String: String]

    static func counts(_ section: String, _ measure: String, _ items: [String]) -> Numbers {
        var counts: [String: Int] = [:]
        for item in items { counts["\(section)/\(item)/\(measure)", default: 0] += 1 }
        return counts.mapValues { "\($0)" }
    }

    /// With a share of all, in thousandths.
    static func shares(_ section: String, _ items: [String], of total: Int) -> Numbers {
        let counts = counts(section, "claims", items)
        return counts.merging(
            counts.map { key, value in
                (key.replacing("/claims", with: "/share"), share(Int(value) ?? 0, of: total))
            }
        ) { first, _ in first }
    }

    static func share(_ part: Int, of whole: Int) -> String {
        whole == 0 ? "0.000" : String(format: "%.3f", (Double(part) * 1000 / Double(whole)).rounded() / 1000)
    }

    func verdicts() -> Numbers {
        Self.shares("verdicts", receipts.compactMap { $0["verdict"] }, of: receipts.count)
    }

    func checks() -> Numbers {
        Self.shares(
            "checks", receipts.flatMap { ($0["failed_checks"] ?? "").split(separator: ";").map(String.init) },
            of: receipts.count)
    }

    func deviceHash() -> Numbers {
        Self.shares("device_hash", receipts.compactMap { $0["guid"] }, of: receipts.count)
    }

    /// The rows whose receipt can be read, and was signed by the App Store. Without a date no chain is known to hold.
    var genuine: [Row] {
        let notGenuine = [
            "signature-invalid", "signer-not-found", "chain-untrusted", "chain-expired", "signer-not-app-store",
        ]
        return receipts.filter { row in
            let failed = (row["failed_checks"] ?? "").split(separator: ";").map(String.init)
            return row["purchases"] != "" && row["created_at"] != "" && Set(failed).isDisjoint(with: notGenuine)
        }
    }

    /// Whether somebody paid for it.
    static func isMoney(_ row: Row) -> Bool {
        ["", "Production", "ProductionVPP"].contains(row["environment"] ?? "")
    }

    /// The apps of the policy: those of valid rows.
    var apps: Set<String> { Set(receipts.filter { $0["verdict"] == "valid" }.compactMap { $0["bundle_id"] }) }

    /// By a column of genuine receipts.
    func verdicts(_ section: String, _ item: (Row) -> String?, withTotal: Bool = true) -> Numbers {
        var numbers: Numbers = [:]
        for (name, rows) in Dictionary(grouping: genuine, by: { item($0) ?? "" }) {
            if withTotal { numbers["\(section)/\(name)/claims"] = "\(rows.count)" }
            for verdict in ["valid", "invalid"] {
                numbers["\(section)/\(name)/\(verdict)"] = "\(rows.count { $0["verdict"] == verdict })"
            }
        }
        return numbers
    }

    func findings() -> Numbers {
        Self.counts("findings", "findings", fraud.map { "\($0["rule"] ?? "");\($0["severity"] ?? "")" })
    }

    func severities() -> Numbers { Self.counts("severities", "findings", fraud.compactMap { $0["severity"] }) }

    static let states = [
        "refunded", "revoked", "trial", "intro", "active", "grace-period", "billing-retry", "expired", "not-refreshed",
    ]

    func states() -> Numbers {
        var numbers: Numbers = [:]
        for state in Self.states {
            numbers["subscription_states/\(state)/subscriptions"] = "\(subscriptions.count { $0["state"] == state })"
        }
        return numbers
    }

    /// States by one or more columns.
    func states(_ section: String, by columns: [String]) -> Numbers {
        var numbers: Numbers = [:]
        let groups = Dictionary(grouping: subscriptions) { row in
            columns.compactMap { row[$0] }.joined(separator: ";")
        }
        for (name, rows) in groups {
            for state in Self.states {
                let measure = state.replacing("-", with: "_")
                numbers["\(section)/\(name)/\(measure)"] = "\(rows.count { $0["state"] == state })"
            }
        }
        return numbers
    }

    func sum(_ column: String) -> Int { subscriptions.compactMap { Int($0[column] ?? "") }.reduce(0, +) }
}
