import Corpus
import DER
import Encodings
import Proofs
import SampleStore
import Testing

@testable import Receipts

/// Every receipt of the corpus, held to an independent decode of it.
@Suite(.enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"))
struct `A receipt of the corpus` {
    static let names = Corpus.files(in: "receipts", ending: ".der")

    @Test(arguments: names)
    func `has the content, the signer and the digest that are expected`(name: String) throws {
        let expected = try Expected(of: name)
        let container = try Container(name)
        #expect(Hex.string(SampleDigest.sha256.hash(container.content).span) == expected.container.payloadSha256)
        #expect(container.verdict.digestAlgorithm?.rawValue == expected.signer.digestAlg)
        #expect(Hex.string(container.verdict.contentDigest.octets) == expected.container.payloadSha256)
        #expect(container.verdict.chain.signerSerialNumber == expected.certs.first?.serial)
        #expect(container.verdict.signature == .holds)
        let fingerprints = container.verdict.chain.certificates.map { Hex.string(SampleDigest.sha256.hash($0).span) }
        #expect(Set(fingerprints) == Set(expected.certs.map(\.sha256)))
    }

    @Test(arguments: names)
    func `has every attribute that is expected, in order`(name: String) throws {
        let expected = try Expected(of: name)
        let content = try Container(name).content
        try compare(content, with: expected.attributes)
    }

    @Test(arguments: names)
    func `has every attribute of every purchase that is expected, in order`(name: String) throws {
        let expected = try Expected(of: name)
        let content = try Container(name).content
        var purchases: [[UInt8]] = []
        try AttributeReader.read(content.span) { attribute throws(ReceiptError) in
            guard attribute.type == AttributeType.inAppPurchase.rawValue else { return }
            purchases.append(attribute.value.copy())
        }
        #expect(purchases.count == expected.inApp.count)
        for (purchase, expected) in zip(purchases, expected.inApp) {
            try compare(purchase, with: expected.attributes)
        }
    }

    @Test(arguments: names)
    func `says what is expected`(name: String) throws {
        let expected = try Expected(of: name).attributes
        let receipt = try Receipt(content: Container(name).content)
        #expect(receipt.bundleID == expected.text(2))
        #expect(receipt.appVersion == expected.text(3) ?? "")
        #expect(receipt.createdAt == expected.date(12))
        #expect(receipt.environment == expected.text(0))
        #expect(receipt.originalAppVersion == expected.text(19))
        #expect(receipt.expiresAt == expected.date(21))
        #expect(receipt.purchaseError == nil)
        #expect(Hex.string(receipt.deviceHashInput.bundleIDOctets.span) == expected.hex(2))
        #expect(Hex.string(receipt.deviceHashInput.opaqueValue.span) == expected.hex(4))
        #expect(Hex.string(receipt.deviceHashInput.hash.span) == expected.hex(5))
    }

    @Test(arguments: names)
    func `shows the purchases that are expected`(name: String) throws {
        let expected = try Expected(of: name).inApp
        let purchases = try Receipt(content: Container(name).content).purchases
        try #require(purchases.count == expected.count)
        for (purchase, expected) in zip(purchases, expected) {
            #expect(purchase.productID == expected.attributes.text(1702))
            #expect(purchase.transactionID == expected.attributes.text(1703))
            #expect(purchase.purchaseDate == expected.attributes.date(1704))
            #expect(purchase.quantity == expected.attributes.number(1701))
            #expect(purchase.originalTransactionID == expected.attributes.text(1705))
            #expect(purchase.originalPurchaseDate == expected.attributes.date(1706))
            #expect(purchase.kind?.rawValue == expected.attributes.number(1707))
            #expect(purchase.expiresDate == expected.attributes.date(1708))
            #expect(purchase.webOrderLineItemID ?? 0 == expected.attributes.number(1711) ?? 0)
            #expect(purchase.cancellationDate == expected.attributes.date(1712))
            #expect(purchase.isTrialPeriod == (expected.attributes.number(1713) == 1))
            #expect(purchase.isInIntroOfferPeriod == (expected.attributes.number(1719) == 1))
            #expect(purchase.promotionalOfferID == expected.attributes.text(1721))
        }
    }

    @Test(arguments: names)
    func `gives its purchases the names of verifyReceipt`(name: String) throws {
        for purchase in try Expected(of: name).inApp {
            for (field, value) in purchase.fields {
                let type = PurchaseAttributeType.allCases.first { $0.name == field }
                let found = purchase.attributes.first { $0.type == type?.rawValue }
                #expect(found?.value == value, "\(field)")
            }
        }
    }

    private func compare(_ content: [UInt8], with expected: [Expected.Attribute]) throws {
        var index = 0
        try AttributeReader.read(content.span) { attribute throws(ReceiptError) in
            guard index < expected.count else {
                Issue.record("attribute \(attribute.type) is not expected")
                return
            }
            let expected = expected[index]
            index += 1
            let (type, version, octets) = (attribute.type, attribute.version, attribute.value.copy())
            #expect(type == expected.type)
            #expect(version == expected.version)
            if let hex = expected.rawHex { #expect(Hex.string(octets.span) == hex) }
            if let hash = expected.rawSha256 { #expect(Hex.string(SampleDigest.sha256.hash(octets).span) == hash) }
            try compare(attribute, with: expected)
        }
        #expect(index == expected.count)
    }

    /// Compares the value as it is read: text, number or date, an empty one being none.
    private func compare(_ attribute: borrowing Attribute, with expected: Expected.Attribute) throws(ReceiptError) {
        switch (expected.encoding, expected.value) {
        case ("INTEGER", .number(let expected)?):
            let number = try attribute.number()
            #expect(number == expected)
        case ("UTF8String", .text(let expected)?), ("UTF8String(empty)", .text(let expected)?):
            let text = try attribute.text()
            #expect(text ?? "" == ExactText(expected))
        case ("IA5String(empty)", _):
            let date = try attribute.date()
            #expect(date == nil)
        case ("IA5String", .text(let expected)?) where expected.contains("T"):
            let date = try attribute.date()
            #expect(date != nil && date == Instant(rfc3339: expected))
        default: break
        }
    }
}
