import Checks
import Encodings
import Receipts

/// Finds receipts of volume purchases that have expired.
struct ExpiredReceipt: ClaimRule {
    static let documentation = RuleDocumentation(
        id: "expired-receipt",
        title: "The receipt has expired",
        severity: .medium,
        raisedWhen:
            "the check `receipt-expired` fails: the receipt's own expiration date (attribute 21) is before as-of",
        why: """
            Receipts of apps that a school or a company bought in volume may carry an end date. After it, the licence \
            belongs to somebody else or to nobody.
            """,
        whenWrong: """
            The licence may have been renewed before the device fetched the new receipt. If you audit an old export \
            today, every receipt that has expired since is raised: set `--as-of` to the date of the export.
            """,
        whatToDo: """
            Ask the app to refresh its receipt. If the new one has the same date, the licence has ended.
            """)

    static let examples: [RuleExample] = [
        .raised(
            "the licence has ended", .medium,
            ExampleClaim(failed: [.receiptExpired], receipt: ExampleReceipt(expires: "2026-04-01"))),
        .clear("the licence has not ended", ExampleClaim(receipt: ExampleReceipt(expires: "2036-04-01"))),
        .clear("there is no end", ExampleClaim()),
    ]

    init(_ policy: Policy) {}

    func hit(in facts: Facts) -> Hit? {
        guard facts.failed.contains(.receiptExpired), let date = facts.expiresAt else { return nil }
        return Hit("the receipt expired on \(date)")
    }
}
