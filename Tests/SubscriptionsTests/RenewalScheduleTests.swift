import Encodings
import Testing

@testable import Subscriptions

struct `The renewals of a subscription` {
    private func schedule(_ start: String, _ end: String) throws -> RenewalSchedule? {
        let (start, end) = (try #require(Instant(rfc3339: start)), try #require(Instant(rfc3339: end)))
        return RenewalSchedule(
            SubscriptionPeriod(
                id: .lineItem(1), productID: "p", transactionID: "t", purchasedAt: start, expiresAt: end,
                cancelledAt: nil, isTrial: false, isIntroOffer: false, isPromotionalOffer: false))
    }

    @Test(arguments: [
        ("2024-01-31T10:00:00Z", "2024-02-29T10:00:00Z", 1, "2024-02-29T10:00:00Z"),
        ("2024-01-31T10:00:00Z", "2024-02-29T10:00:00Z", 2, "2024-03-31T10:00:00Z"),
        ("2023-01-31T10:00:00Z", "2023-02-28T10:00:00Z", 13, "2024-02-29T10:00:00Z"),
        // Where the clocks change, a period is an hour longer or shorter.
        ("2024-03-01T10:00:00Z", "2024-04-01T09:00:00Z", 1, "2024-04-01T10:00:00Z"),
        ("2024-10-10T10:00:00Z", "2024-12-10T11:00:00Z", 6, "2025-10-10T10:00:00Z"),
        ("2024-12-15T00:00:00Z", "2025-03-15T00:00:00Z", 4, "2025-12-15T00:00:00Z"),
        ("2024-12-15T00:00:00Z", "2025-06-15T00:00:00Z", 1, "2025-06-15T00:00:00Z"),
        ("2024-02-29T00:00:00Z", "2025-02-28T00:00:00Z", 3, "2027-02-28T00:00:00Z"),
        ("2024-02-29T00:00:00Z", "2025-02-28T00:00:00Z", 4, "2028-02-29T00:00:00Z"),
        ("1969-11-30T23:59:59Z", "1969-12-30T23:59:59Z", 3, "1970-02-28T23:59:59Z"),
        ("2024-01-01T00:00:00Z", "2024-01-08T00:00:00Z", 5, "2024-02-05T00:00:00Z"),
        ("2024-01-01T00:00:00Z", "2024-01-01T00:05:00Z", 12, "2024-01-01T01:00:00Z"),
    ])
    func `are due by the calendar, or by the stated length`(
        start: String, end: String, renewal: Int, due: String
    ) throws {
        #expect(try schedule(start, end)?.due(renewal).description == due)
    }

    @Test(arguments: [
        ("2024-02-01T00:00:00Z", "2024-02-04T00:00:00Z"), ("2024-01-08T00:00:00Z", "2024-01-08T16:48:00Z"),
        ("2024-01-02T00:00:00Z", "2024-01-02T02:24:00Z"), ("2024-02-10T00:00:00Z", "2024-02-13T00:00:00Z"),
    ])
    func `are decided a tenth of a period later, and at most three days`(end: String, decided: String) throws {
        #expect(try schedule("2024-01-01T00:00:00Z", end)?.decided(1).description == decided)
    }

    @Test func `are none of a period without a length`() throws {
        #expect(try schedule("2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z") == nil)
        #expect(try schedule("2024-01-02T00:00:00Z", "2024-01-01T00:00:00Z") == nil)
    }

    @Test(arguments: [Int64.min, -62_135_596_800_000, 0, .max - 2_592_000_000, .max])
    func `stay in the range of dates`(start: Int64) {
        let month = Int64(2_592_000_000).addingReportingOverflow(start)
        let period = SubscriptionPeriod(
            id: .lineItem(1), productID: "p", transactionID: "t", purchasedAt: Instant(milliseconds: start),
            expiresAt: Instant(milliseconds: month.overflow ? .max : month.partialValue), cancelledAt: nil,
            isTrial: false, isIntroOffer: false, isPromotionalOffer: false)
        let schedule = RenewalSchedule(period)
        for renewal in [1, 60] { #expect((schedule?.decided(renewal)).map { $0.milliseconds >= start } ?? true) }
        let longest = SubscriptionPeriod(
            id: .lineItem(1), productID: "p", transactionID: "t", purchasedAt: Instant(milliseconds: start),
            expiresAt: Instant(milliseconds: .max), cancelledAt: nil, isTrial: false, isIntroOffer: false,
            isPromotionalOffer: false)
        #expect((RenewalSchedule(longest)?.decided(60)).map { $0.milliseconds == .max } ?? (start == .max))
    }
}
