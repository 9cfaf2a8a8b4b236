import Encodings
import Testing

@testable import SampleStore

struct `A customer who paid and presents nothing` {
    private let customers = (0..<80).map { HonestCustomer($0, seed: 4) }

    @Test func `is the same for the same number and seed, and another for another`() {
        func dates(_ customer: HonestCustomer) -> [String] { customer.notices.map(\.signedAt.description) }
        #expect(dates(HonestCustomer(3, seed: 4)) == dates(HonestCustomer(3, seed: 4)))
        #expect(dates(HonestCustomer(3, seed: 4)) != dates(HonestCustomer(3, seed: 5)))
    }

    @Test func `is told of before the end of the world, in the order of time`() {
        for dates in customers.map({ $0.notices.map(\.signedAt) }) {
            #expect(dates == dates.sorted())
            #expect(dates.allSatisfy { $0 <= HonestWorld.end })
        }
    }

    @Test func `has a purchase of its own`() {
        #expect(Set(customers.map(\.support.originalTransactionID)).count == customers.count)
    }

    @Test func `is owed something until the money is back`() {
        for customer in customers {
            let isRefunded = customer.notices.contains { $0.type == "REFUND" }
            #expect((customer.support.kind == .settled) == isRefunded)
            #expect(isRefunded == (customer.story == .isRefunded))
        }
    }

    @Test func `is one whom Apple asks about in every second case`() {
        let asked = customers.filter { $0.notices.contains { $0.consumptionRequestReason == "FULFILLMENT_ISSUE" } }
        #expect(asked.count * 2 == customers.count)
    }
}
