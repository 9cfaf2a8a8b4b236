import Checks
import Encodings
import FoundationEssentials
import Inputs
import Proofs
import Testing

@testable import SampleStore

struct `A token in an export` {
    static let export = Result { try SampleExport(count: 600, seed: 12, forgeryShare: 0.1, tokenShare: 0.6) }

    /// The honest claims that present one.
    private static func claims() throws -> [SampleClaim] {
        let export = try export.get()
        return try (0..<export.count).map { try export.claim(at: $0) }
            .filter { $0.truth == .genuine && $0.file?.path.hasSuffix(".jws") == true }
    }

    private struct Payload: Decodable {
        let productId, transactionId, originalTransactionId, appAccountToken, storefront, receiptType: String?
        let purchaseDate, expiresDate, price: Int64?
    }

    /// The payload, whatever its signature.
    private static func payload(_ claim: SampleClaim) throws -> Payload {
        let parts = String(decoding: try #require(claim.file).bytes, as: UTF8.self).split(separator: ".")
        #expect(parts.count == 3)
        var text = parts[1].replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let data = try #require(Data(base64Encoded: String(text)))
        return try JSONDecoder().decode(Payload.self, from: data)
    }

    @Test func `is valid, on the device and for the account that its row names`() throws {
        let export = try Self.export.get()
        let trust = try TrustAnchors(files: [(name: "root.cer", bytes: export.root)])
        let checker = try Checker(trust: trust, expectations: Expectations(asOf: SampleExport.asOf))
        var matched = 0
        for made in try Self.claims() {
            var claim = Claim(source: ExactText(made.source))
            claim.deviceID = ExactText(made.row.deviceID)
            claim.deviceVerificationID = ExactText(made.row.deviceVerificationID)
            claim.bundleID = ExactText(made.row.bundleID)
            claim.appVersion = ExactText(made.row.appVersion)
            let bytes = try #require(made.file).bytes
            let facts = checker.facts(of: claim, receipt: bytes.span)
            #expect(facts.verdict == .valid, "\(made.source): \(facts.failed)")
            if made.row.deviceVerificationID.isEmpty { #expect(facts.deviceHash == .notChecked) } else { matched += 1 }
            let account = try Self.payload(made).appAccountToken
            if let account, !made.row.accountToken.isEmpty { #expect(account == made.row.accountToken) }
        }
        #expect(matched > 100)
    }

    @Test func `is a transaction, or now and then an app transaction, and no older than StoreKit 2`() throws {
        var (transactions, apps) = (0, 0)
        for claim in try Self.claims() {
            let payload = try Self.payload(claim)
            if let product = payload.productId {
                transactions += 1
                #expect(claim.row.productID == product)
                #expect(payload.price != nil && payload.storefront != nil)
            } else {
                apps += 1
                #expect(claim.row.productID.isEmpty && payload.receiptType != nil)
            }
            #expect(claim.row.presentedAt.map { $0 >= .utc(2021, 10) } == true)
        }
        #expect(transactions > 100 && apps > 30)
    }

    @Test func `of a person with a receipt tells the same story`() throws {
        let export = try Self.export.get()
        var pairs = 0
        for claim in try Self.claims() {
            guard let before = export.receiptWithToken(at: claim.index) else { continue }
            pairs += 1
            let receipt = try export.claim(at: claim.index - 1)
            #expect(receipt.truth == .genuine && receipt.row.accountID == claim.row.accountID)
            #expect(receipt.row.deviceID == claim.row.deviceID)
            let purchase = try #require(before.receipt.purchases.last)
            let payload = try Self.payload(claim)
            guard let product = payload.productId else { continue }
            #expect(product == purchase.productID && payload.transactionId == purchase.transactionID)
            #expect(payload.originalTransactionId == purchase.originalTransactionID)
            #expect(payload.purchaseDate == purchase.purchasedAt.milliseconds)
            #expect(payload.expiresDate == purchase.expiresAt?.milliseconds)
        }
        #expect(pairs > 20)
    }

    @Test func `leaves the claims without one as they were`() throws {
        let export = try Self.export.get()
        let plain = try SampleExport(count: 600, seed: 12, forgeryShare: 0.1)
        for index in 0..<200 {
            let claim = try export.claim(at: index)
            guard claim.file?.path.hasSuffix(".jws") != true else { continue }
            let other = try plain.claim(at: index)
            #expect(claim.file == other.file && claim.row == other.row)
        }
    }
}
