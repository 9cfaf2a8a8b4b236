import Encodings
import Receipts
import SampleStore
import Testing

@testable import Streams

/// What is written of a purchase between `audit map` and `audit reduce`, and read again.
struct `A purchase in a line` {
    /// All that a receipt can say of a purchase.
    private static let full: Purchase = {
        var purchase = Purchase(productID: "month", transactionID: "2", purchaseDate: .utc(2024, 2, 1))
        purchase.quantity = 3
        purchase.originalTransactionID = "1"
        purchase.originalPurchaseDate = .utc(2024, 1, 1)
        purchase.kind = .autoRenewable
        purchase.expiresDate = .utc(2024, 3, 1)
        purchase.webOrderLineItemID = 500
        purchase.cancellationDate = .utc(2024, 2, 2)
        purchase.isTrialPeriod = true
        purchase.isInIntroOfferPeriod = true
        purchase.promotionalOfferID = "loyal"
        return purchase
    }()

    private func read(_ purchase: Purchase, under key: String) throws -> Purchase {
        let octets = Array(key.utf8)
        var line = LineWriter()
        line.begin(.transaction, octets.span)
        var context = PurchaseContext(.transaction, octets.span)
        context.write(purchase, to: &line)
        line.end()
        let text = Array(line.bytes.drop { $0 != 0x09 }.dropFirst())
        var fields = try LineFields(text.span)
        var before = PurchaseContext(.transaction, octets.span)
        let read = try before.read(&fields)
        try fields.end()
        return read
    }

    @Test(arguments: ["1", "2", "3"])
    func `is what it was in every field but its quantity`(key: String) throws {
        // A field that nobody has set above would be the same however it is written.
        for field in Mirror(reflecting: Self.full).children {
            let isSet = !["nil", "false"].contains("\(field.value)")
            #expect(isSet, "\(field.label ?? "")")
        }
        var expected = Self.full
        expected.quantity = nil
        let found = try read(Self.full, under: key)
        #expect(found == expected)
    }

    @Test func `without what need not be there has none of it`() throws {
        let bare = Purchase(productID: "month", transactionID: "1", purchaseDate: .utc(2024))
        let found = try read(bare, under: "2")
        #expect(found == bare)
    }
}
