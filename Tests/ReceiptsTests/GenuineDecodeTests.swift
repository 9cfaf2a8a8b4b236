import Corpus
import DER
import Encodings
import Signatures
import Testing

@testable import Receipts

/// Every receipt of the corpus, read here and by an independent decoder.
@Suite(.enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"))
struct `A genuine receipt` {
    static let names = Corpus.files(in: "receipts", ending: ".der")

    @Test(arguments: names)
    func `has the content, the digest algorithm and the signer that were expected`(name: String) throws {
        let expected = try ExpectedReceipt(of: name)
        let verdict = try opened(name) { content, verdict in
            #expect(content.count == expected.container.payload_len)
            return verdict
        }
        #expect(Hex.string(verdict.contentDigest.octets) == expected.container.payload_sha256)
        #expect(verdict.digestAlgorithm?.rawValue == expected.signer.digest_alg)
        #expect(verdict.chain.signerSerialNumber == expected.certs.first?.serial)
    }

    @Test(arguments: names)
    func `has every attribute, in order, with type, version and octets`(name: String) throws {
        let expected = try ExpectedReceipt(of: name)
        try opened(name) { content, _ in
            let found = try attributes(content)
            #expect(found.map(\.type) == expected.attributes.map(\.type))
            #expect(found.map(\.version) == expected.attributes.map(\.version))
            for (found, expected) in zip(found, expected.attributes) {
                if let hex = expected.raw_hex { #expect(found.hex == hex, "attribute \(expected.type)") }
                if let count = expected.raw_len { #expect(found.hex.utf8.count == 2 * count) }
            }
        }
    }

    @Test(arguments: names)
    func `has the values that were expected`(name: String) throws {
        let expected = try ExpectedReceipt(of: name)
        try opened(name) { content, _ in
            let receipt = try Receipt(parsing: content)
            let raw = { (type: Int) in expected.attributes.first { $0.type == type }?.raw_hex ?? "" }
            #expect(Hex.string(receipt.deviceBinding.bundleIDOctets.span) == raw(2))
            #expect(Hex.string(receipt.deviceBinding.opaqueValue.span) == raw(4))
            #expect(Hex.string(receipt.deviceBinding.hash.span) == raw(5))
            #expect(raw(2).hasSuffix(Hex.string(receipt.bundleID.utf8.span)))
            #expect(receipt.purchaseError == nil)
            #expect(receipt.purchases.count == expected.in_app.count)
        }
    }

    @Test(arguments: names)
    func `has every purchase with the fields that were expected`(name: String) throws {
        let expected = try ExpectedReceipt(of: name)
        try opened(name) { content, _ in
            let receipt = try Receipt(parsing: content)
            for (purchase, expected) in zip(receipt.purchases, expected.in_app) {
                let text = { (name: String) in expected.fields[name].flatMap { $0.text.isEmpty ? nil : $0.text } }
                let date = { (name: String) in text(name).flatMap { Instant(rfc3339: $0) } }
                #expect(purchase.productID == text("product_id"))
                #expect(purchase.transactionID == text("transaction_id"))
                #expect(purchase.originalTransactionID == text("original_transaction_id"))
                #expect(purchase.quantity.map(String.init) == text("quantity"))
                #expect(purchase.purchaseDate == date("purchase_date"))
                #expect(purchase.originalPurchaseDate == date("original_purchase_date"))
                #expect(purchase.expiresDate == date("expires_date"))
                #expect(purchase.cancellationDate == date("cancellation_date"))
                #expect(String(purchase.webOrderLineItemID ?? 0) == text("web_order_line_item_id") ?? "0")
                #expect(purchase.isTrialPeriod == (text("is_trial_period") == "1"))
                #expect(purchase.isInIntroOfferPeriod == (text("is_in_intro_offer_period") == "1"))
                #expect(purchase.promotionalOfferID == text("promotional_offer_id"))
            }
        }
    }

    /// Opens a container in whatever form it has.
    @discardableResult
    private func opened<R>(_ name: String, _ body: (Span<UInt8>, SignatureVerdict) throws -> R) throws -> R {
        let bytes = Corpus.bytes("receipts/" + name)
        let verifier = try SignatureVerifier(trust: .apple())
        do {
            let signedData = try SignedData(strict: bytes.span)
            let signer = try verifier.signer(of: signedData)
            return try body(signedData.content, verifier.verdict(on: signedData, by: signer, at: nil))
        } catch let deviation as ContainerDeviation {
            let signedData = try LenientSignedData(bytes.span, deviation: deviation, verifier: verifier)
            let content = signedData.content
            return try body(content.span, signedData.verdict(by: verifier, at: nil))
        }
    }

    private func attributes(_ content: Span<UInt8>) throws -> [(type: Int, version: Int, hex: String)] {
        var reader = try AttributeReader(content)
        var found: [(type: Int, version: Int, hex: String)] = []
        while let attribute = try reader.next() {
            found.append((attribute.type, attribute.version, Hex.string(attribute.value)))
        }
        return found
    }
}
