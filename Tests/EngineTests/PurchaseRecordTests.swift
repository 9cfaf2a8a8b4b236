import Encodings
import Receipts
import SampleStore
import Testing

@testable import Engine

/// What is written of a purchase between map and reduce, and read again.
struct `A purchase in a record` {
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

    private func read(_ purchase: Purchase, after product: ExactText = "") -> Purchase {
        var (written, known) = (RecordWriter(), product)
        written.purchase(purchase, after: &known)
        var (fields, before) = (RecordReader(written.bytes.span), product)
        let read = fields.purchase(after: &before)
        #expect(fields.position == written.bytes.count)
        return read
    }

    @Test func `is what it was in every field but its quantity`() {
        // A field that nobody has set above would be the same however it is written.
        for field in Mirror(reflecting: Self.full).children {
            let isSet = !["nil", "false"].contains("\(field.value)")
            #expect(isSet, "\(field.label ?? "")")
        }
        var expected = Self.full
        expected.quantity = nil
        #expect(read(Self.full) == expected)
        #expect(read(Self.full, after: "month") == expected)
    }

    @Test func `without what need not be there has none of it`() {
        let bare = Purchase(productID: "month", transactionID: "1", purchaseDate: .utc(2024))
        #expect(read(bare) == bare)
    }

    @Test func `keeps the spelling of texts that Swift takes for equal`() {
        var purchase = Purchase(productID: "caf\u{e9}", transactionID: "\u{e9}", purchaseDate: .utc(2024))
        purchase.originalTransactionID = "e\u{301}"
        let found = read(purchase, after: "cafe\u{301}")
        #expect(found.productID.utf8.elementsEqual("caf\u{e9}".utf8))
        #expect(found.originalTransactionID?.utf8.elementsEqual("e\u{301}".utf8) == true)
    }
}
