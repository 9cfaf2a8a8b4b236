import DER
import Encodings
import SampleStore
import Testing

@testable import Receipts

struct `A purchase` {
    static let sample = PurchaseContent(
        .autoRenewable, productID: "com.example.notes.monthly", transactionID: "460000000000001",
        purchasedAt: .utc(2024, 2, 1)
    ).with {
        $0.quantity = 2
        $0.expiresAt = .utc(2024, 3, 1)
        $0.webOrderLineItemID = 460_000_000_000_002
        $0.cancelledAt = .utc(2024, 2, 2)
        $0.isTrial = true
        $0.isIntroOffer = true
        $0.promotionalOfferID = "winter"
    }

    @Test func `is read as it was written`() throws {
        var expected = Purchase(
            productID: "com.example.notes.monthly", transactionID: "460000000000001", purchaseDate: .utc(2024, 2, 1))
        expected.quantity = 2
        expected.originalTransactionID = "460000000000001"
        expected.originalPurchaseDate = .utc(2024, 2, 1)
        expected.kind = .autoRenewable
        expected.expiresDate = .utc(2024, 3, 1)
        expected.webOrderLineItemID = 460_000_000_000_002
        expected.cancellationDate = .utc(2024, 2, 2)
        expected.isTrialPeriod = true
        expected.isInIntroOfferPeriod = true
        (expected.statesTrial, expected.statesIntroOffer) = (true, true)
        expected.promotionalOfferID = "winter"
        #expect(try Purchase(content: Self.sample.der) == expected)
    }

    @Test func `has the reason of a refund, if it is a number`() throws {
        func reason(_ attribute: AttributeContent) throws -> Int? {
            try Purchase(content: Self.sample.with { $0.edits = [.add(attribute)] }.der).cancellationReason
        }
        #expect(try reason(AttributeContent(1720, integer: 1)) == 1)
        #expect(try reason(AttributeContent(1720, text: "1")) == nil)
    }

    @Test func `needs no more than product, transaction and date`() throws {
        let others = Self.sample.attributes.map(\.type).filter { !(1702...1704).contains($0) }
        let bare = Self.sample.with { $0.edits = others.map { .leaveOut($0) } }
        #expect(
            try Purchase(content: bare.der)
                == Purchase(
                    productID: "com.example.notes.monthly", transactionID: "460000000000001",
                    purchaseDate: .utc(2024, 2, 1)))
    }

    @Test(arguments: [1702, 1703, 1704])
    func `lacks nothing that every purchase has`(type: Int) {
        #expect(throws: ReceiptError.missing(attribute: type)) {
            try Purchase(content: Self.sample.with { $0.edits = [.leaveOut(type)] }.der)
        }
    }

    @Test(arguments: PurchaseAttributeType.allCases)
    func `has no second value of`(attribute: PurchaseAttributeType) {
        let type = attribute.rawValue
        let value = Self.sample.attributes.first { $0.type == type }?.value ?? DERWriter.integer(0)
        let edits: [AttributeEdit] = [
            .leaveOut(type), .add(AttributeContent(type, value: value)), .add(AttributeContent(type, value: value)),
        ]
        #expect(throws: ReceiptError.repeated(attribute: type)) {
            try Purchase(content: Self.sample.with { $0.edits = edits }.der)
        }
    }

    @Test(arguments: [
        Fault("a quantity in text", 1701, [0x0c, 0x01, 0x31], .encoding(.unexpectedTag(0x0c, wanted: 0x02, at: 0))),
        Fault("a product id that is not UTF-8", 1702, [0x0c, 0x01, 0xff], .notText),
        Fault(
            "a transaction id in a number", 1703, [0x02, 0x01, 0x07],
            .encoding(.unexpectedTag(0x02, wanted: 0x0c, at: 0))),
        Fault("a purchase date in words", 1704, DERWriter.ia5String("yesterday"), .notADate),
        Fault("an original purchase date with a tail", 1706, [0x16, 0x00, 0x00], .encoding(.leftOver(at: 2))),
        Fault("an expiry date in words", 1708, DERWriter.ia5String("never"), .notADate),
        Fault("a line item too wide", 1711, [0x02, 0x09, 1, 0, 0, 0, 0, 0, 0, 0, 0], .encoding(.badInteger(at: 0))),
        Fault("a cancellation date in words", 1712, DERWriter.ia5String("no"), .notADate),
        Fault("nothing where a number belongs", 1713, [], .encoding(.truncated(at: 0))),
    ])
    func `is refused with`(_ fault: Fault) {
        #expect(throws: ReceiptError.value(attribute: fault.type, fault.fault)) {
            try Purchase(content: Self.sample.with { $0.edits = [.replace(fault.type, with: fault.value)] }.der)
        }
    }

    @Test func `that cannot be read is left out of a receipt that can`() throws {
        var sample = `A receipt's content`.sample
        sample.purchases += [Self.sample.with { $0.edits = [.leaveOut(1702)] }, Self.sample]
        let receipt = try Receipt(content: sample.der)
        #expect(receipt.purchases.count == 2)
        #expect(receipt.purchaseError == .missing(attribute: 1702))
    }
}
