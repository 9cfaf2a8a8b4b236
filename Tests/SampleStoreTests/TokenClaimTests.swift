import Checks
import Encodings
import FoundationEssentials
import Inputs
import Proofs
import Receipts
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

struct `The evidence beside an export` {
    private struct Line: Decodable { let signedPayload: String }

    /// An export with the facts of its notifications and of the tokens inside them.
    static let told = Result { () throws -> (SampleExport, [(notification: Facts, inside: [Facts])]) in
        let export = try SampleExport(count: 800, seed: 3, forgeryShare: 0.1, plantShare: 0.1, tokenShare: 0.3)
        let trust = try TrustAnchors(files: [(name: "root.cer", bytes: export.root)])
        let checker = try Checker(trust: trust, expectations: Expectations(asOf: SampleExport.asOf))
        let facts = try (0..<export.count).flatMap { try export.evidence(at: $0) }.map { line in
            let token = Array(try JSONDecoder().decode(Line.self, from: Data(line.utf8)).signedPayload.utf8)
            let facts = checker.facts(of: Claim(source: "evidence"), receipt: token.span)
            return (facts, checker.tokens(inside: facts))
        }
        return (export, facts)
    }

    @Test func `is valid, and so is all that is in it`() throws {
        let (_, told) = try Self.told.get()
        #expect(told.count > 200)
        for (notification, inside) in told {
            #expect(notification.verdict == .valid && notification.token?.kind == .notification)
            #expect(!inside.isEmpty && inside.allSatisfy { $0.verdict == .valid })
        }
        let types = Set(told.compactMap { $0.notification.token?.notification?.type.text })
        #expect(types == ["SUBSCRIBED", "DID_RENEW", "ONE_TIME_CHARGE", "REFUND"])
        let ids = told.compactMap { $0.notification.token?.notification?.uuid.text }
        #expect(Set(ids).count < ids.count, "some came twice")
    }

    @Test func `tells the same of a transaction as the claims do, but for late refunds`() throws {
        let (export, told) = try Self.told.get()
        var shown: [String: PurchaseContent] = [:]
        for index in 0..<export.count where export.forgery(at: index) == nil && export.plant(at: index) == nil {
            for purchase in export.honestDraft(at: index).receipt.purchases { shown[purchase.transactionID] = purchase }
        }
        let late = export.lateRefunds()
        #expect(late.count > 2 && Set(late.map(\.transactionID)).count == late.count)
        var refunded: Set<String> = []
        for purchase in told.flatMap({ $0.inside }).flatMap({ $0.purchases ?? [] }) {
            let known = try #require(shown[purchase.transactionID.text])
            #expect(purchase.productID.text == known.productID && purchase.purchaseDate == known.purchasedAt)
            #expect(purchase.expiresDate == known.expiresAt)
            guard let date = purchase.refundDate, date != known.cancelledAt else { continue }
            refunded.insert(known.transactionID)
            let refund = try #require(late.first { $0.transactionID == known.transactionID })
            #expect(known.cancelledAt == nil && refund.refundedAt == date.description)
        }
        #expect(refunded == Set(late.map(\.transactionID)))
    }

    @Test func `is not there without tokens`() throws {
        let export = try SampleExport(count: 100, seed: 3, forgeryShare: 0)
        #expect(try (0..<100).allSatisfy { try export.evidence(at: $0).isEmpty } && export.lateRefunds().isEmpty)
    }
}
