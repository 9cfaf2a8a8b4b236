import Checks
import Encodings
import Engine
import Subscriptions

extension Summary {
    /// How claims were judged, and what genuine receipts say of themselves.
    static func claims(_ tally: Tally, _ breakdown: Breakdown) -> [Section] {
        let total = tally.claims
        return [
            Section(
                "verdicts", "Claims by verdict", "Each claim has one verdict: what its checks say together.",
                columns: ["verdict", "claims", "share"],
                rows: tally.verdicts.occurring.map { verdict, count in
                    [.code(verdict.rawValue), .number(count), .share(count, of: total)]
                }),
            Section(
                "checks", "Failed checks", "A claim may fail several.",
                columns: ["check", "claims", "share"],
                rows: tally.failedChecks.occurring.map { check, count in
                    [.code(check.code), .number(count), .share(count, of: total)]
                }),
            Section(
                "device_hash", "Device hash",
                "Whether the receipt was made for the device that presents it. Claims without a device or a receipt are not checked.",
                columns: ["device hash", "claims", "share"],
                rows: tally.deviceHashResults.occurring.map { match, count in
                    [.code(match.rawValue), .number(count), .share(count, of: total)]
                }),
            verdicts(
                "environments", "Environments", "Of receipts that Apple signed: where they come from.", "environment",
                breakdown.environments.map { ($0.key.isEmpty ? .code("(none)") : .text($0.key), $0.value) }),
            verdicts(
                "apps", "Apps", "Of receipts that Apple signed.", "bundle id",
                breakdown.apps.map { (.text($0.key), $0.value) }),
            verdicts(
                "other_versions", "Other versions",
                "Of receipts that Apple signed: those of a version that is not among the app's in the policy.",
                "bundle id",
                breakdown.otherVersions.map { (.text($0.key), $0.value) }),
            Section(
                "products", "Products", "How many claims show a purchase of it, of receipts that Apple signed.",
                columns: ["product", "claims"],
                rows: breakdown.products.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                    .map { [.text($0.key), .number($0.value)] }),
            Section(
                "months", "Months", "When receipts that Apple signed were made.",
                columns: ["month", "valid", "invalid"],
                rows: breakdown.months.sorted { $0.key < $1.key }
                    .map { [.code($0.key.description), .number($0.value.valid), .number($0.value.invalid)] }),
        ]
    }

    /// The most claims first, then by name.
    private static func verdicts(
        _ id: String, _ title: String, _ explanation: String, _ column: String,
        _ counts: [(name: Cell, verdicts: Breakdown.Verdicts)]
    ) -> Section {
        let sorted = counts.sorted { a, b in
            (b.verdicts.total, ExactText(a.name.plainText)) < (a.verdicts.total, ExactText(b.name.plainText))
        }
        return Section(
            id, title, explanation, columns: [column, "claims", "valid", "invalid"],
            rows: sorted.map {
                [$0.name, .number($0.verdicts.total), .number($0.verdicts.valid), .number($0.verdicts.invalid)]
            })
    }
}
