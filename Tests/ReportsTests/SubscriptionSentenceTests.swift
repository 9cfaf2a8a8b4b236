import Encodings
import Subscriptions
import Testing

@testable import Reports

/// The sentence about subscriptions at the top of a page.
struct `The headline of subscriptions` {
    private static func money(_ millionths: Int64, _ currency: String) -> Summary.Cell {
        .money(millionths, currency: ExactText(currency))
    }

    private static func report(
        _ revenue: [[Summary.Cell]], churn: [[Summary.Cell]] = [], notRefreshed: Int = 0
    ) -> SampleReport {
        SampleReport(
            summary: Summary(sections: [
                Summary.Section(
                    "subscription_states", "", columns: ["state", "subscriptions"],
                    rows: [[.code("active"), .number(9)], [.code("not-refreshed"), .number(notRefreshed)]]),
                Summary.Section(
                    "subscription_recurring_revenue", "", columns: ["basis", "currency", "subscriptions", "amount"],
                    rows: revenue),
                Summary.Section("subscription_churn", "", columns: ["month", "churn"], rows: churn),
            ]))
    }

    @Test func `gives revenue in each currency with its decimals, the one with most subscriptions first`() throws {
        let sentence = try Self.report([
            [.code("paid"), .code("EUR"), .number(2), Self.money(9_999_200, "EUR")],
            [.code("priced"), .code("EUR"), .number(1), Self.money(1_000_000, "EUR")],
            [.code("paid"), .code("JPY"), .number(1), Self.money(1_500_400_000, "JPY")],
            [.code("paid"), .code("KWD"), .number(1), Self.money(1_234_500, "KWD")],
            [.code("paid"), .code("USD"), .number(7), Self.money(707_824_999, "USD")],
            [.code("trial"), .code(""), .number(4), .code("")], [.code("unpriced"), .code(""), .number(0), .code("")],
        ]).document().subscriptionsSentence
        #expect(
            sentence == "9 subscriptions active; MRR by currency, the one with most subscriptions first, "
                + "707.82 USD of 7 subscriptions, 11.00 EUR of 3 subscriptions, 1,500 JPY of 1 subscription, "
                + "1.235 KWD of 1 subscription.")
    }

    @Test func `says "at least" where subscriptions have no known price, and counts them`() throws {
        let sentence = try Self.report([
            [.code("paid"), .code("USD"), .number(1), Self.money(5_000_000, "USD")],
            [.code("offer"), .code(""), .number(2), .code("")], [.code("unpriced"), .code(""), .number(3), .code("")],
        ]).document().subscriptionsSentence
        #expect(
            sentence == "9 subscriptions active; MRR at least 5.00 USD of 1 subscription, and 5 more whose price is "
                + "unknown.")
    }

    @Test func `says "at least" where nobody knows whether subscriptions run`() throws {
        let sentence = try Self.report(
            [[.code("paid"), .code("USD"), .number(1), Self.money(5_000_000, "USD")]], notRefreshed: 3
        ).document().subscriptionsSentence
        #expect(
            try #require(sentence).hasSuffix(
                "3 not refreshed: their state is unknown; MRR at least 5.00 USD of 1 subscription."))
    }

    @Test func `has the churn of the last whole month, and never of the one that as-of cuts`() throws {
        let (may, june) = (Month(Instant(seconds: 1_777_593_600)), Month(Instant(seconds: 1_780_272_000)))
        let rows: [[Summary.Cell]] = [
            [.code(may.description), .share(1, of: 10)], [.cutMonth(june), .share(5, of: 10)],
        ]
        let document = try Self.report([], churn: rows).document()
        #expect(
            try #require(document.subscriptionsSentence).hasSuffix("churn 10.0 % of 10 known subscriptions in 2026-05.")
        )
        #expect(document.summary["subscription_churn"]?.rows.last?.first?.displayText == "2026-06 (incomplete)")
        #expect(document.summary["subscription_churn"]?.rows.last?.first?.plainText == "2026-06")
    }

    @Test func `marks the month of as-of until it is over`() {
        let june = Month(Instant(seconds: 1_780_272_000))
        #expect(june.isCut(by: Instant(seconds: 1_782_863_999)) && !june.isCut(by: Instant(seconds: 1_782_864_000)))
    }
}
