import Checks
import Encodings
import Foundation
import SampleStore
import Testing

@testable import ReceiptAudit

/// What a server learns of one proof.
struct `A receipt auditor` {
    private let store: PrivateAuthority
    private let auditor: ReceiptAuditor
    private let device = SampleDevice.vendorIdentifier(Array(0x10...0x1f))
    private let now = Instant.utc(2026, 6, 1)

    init() throws {
        store = try PrivateAuthority()
        auditor = try ReceiptAuditor(
            policy: .init(bundleIDs: ["com.example.notes"], environments: ["Production"]),
            roots: [Data(store.root.certificate)])
    }

    @Test func `accepts a receipt of its app and device, with its subscription`() throws {
        let proof = try audit(receipt)
        #expect(proof.verdict == .valid)
        #expect(proof.failures.isEmpty)
        #expect(proof.kind == .receipt)
        #expect(proof.deviceHash == .match)
        #expect(proof.bundleID == "com.example.notes")
        #expect(proof.createdAt == Instant.utc(2026, 5, 20).date)
        #expect(proof.fields.contains(.init(name: "bundle_id", value: "com.example.notes")))
        #expect(Set(proof.purchases.map(\.transactionID)) == ["1", "2", "3"])
        #expect(proof.activeSubscriptions(at: now.date).map(\.transactionID) == ["2"])
        #expect(proof.activeSubscriptions(at: Instant.utc(2026, 7, 1).date).isEmpty)
    }

    @Test func `takes base64 as text, and the same receipt in DER`() throws {
        let bytes = try store.receipt(receipt)
        let text = try auditor.audit(Data(bytes).base64EncodedString(), device: device.text, at: now.date)
        let data = try auditor.audit(Data(bytes), device: device.text, at: now.date)
        #expect(text.verdict == .valid && data.verdict == .valid)
        #expect(text.purchases == data.purchases)
    }

    @Test func `accepts a copied receipt on no other device, and checks none without a device`() throws {
        let other = try audit(receipt, device: SampleDevice.vendorIdentifier(Array(0x20...0x2f)).text)
        #expect(other.verdict == .invalid)
        #expect(other.deviceHash == .mismatch)
        #expect(other.failures.map(\.code) == [.guidMismatch])
        #expect(other.failures[0].reason.contains("device"))
        #expect(try audit(receipt, device: nil).deviceHash == .notChecked)
    }

    @Test func `shows what a forged receipt says, and proves none of it`() throws {
        let forged = try auditor.audit(
            Data(PrivateAuthority.rogue().receipt(receipt)), device: device.text, at: now.date)
        #expect(forged.verdict == .invalid)
        #expect(!forged.isSigned)
        #expect(forged.failures.map(\.code).contains(.chainUntrusted))
        #expect(forged.purchases.isEmpty)
        #expect(forged.unprovenPurchases.count == 3)
        #expect(forged.activeSubscriptions(at: now.date).isEmpty)
    }

    @Test func `refuses other apps and environments`() throws {
        var other = receipt
        other.bundleID = "com.example.other"
        other.environment = "ProductionSandbox"
        #expect(try audit(other).failures.map(\.code) == [.bundleIDMismatch, .environmentMismatch])
    }

    @Test func `counts no subscription as paid that was refunded, from the refund on`() throws {
        var refunded = receipt
        refunded.purchases[1].cancelledAt = .utc(2026, 5, 25)
        let proof = try audit(refunded)
        #expect(proof.purchases.first { $0.transactionID == "2" }?.revocation == .refund)
        #expect(proof.activeSubscriptions(at: now.date).isEmpty)
        #expect(proof.activeSubscriptions(at: Instant.utc(2026, 5, 24).date).map(\.transactionID) == ["2"])
    }

    @Test(arguments: ["", "no receipt", "eyJhbGciOiJub25lIn0.e30."])
    func `answers anything else with the reason`(text: String) throws {
        let proof = try auditor.audit(text, at: now.date)
        #expect(proof.verdict == .unreadable)
        #expect(proof.failures.count == 1)
        #expect(proof.kind == nil && proof.purchases.isEmpty)
    }

    @Test func `refuses a proof of more than 8 MiB`() throws {
        let proof = try auditor.audit(Data(count: 8 << 20 + 1), at: now.date)
        #expect(proof.failures.map(\.code) == [.receiptUnreadable])
    }

    @Test func `accepts a token of its device`() throws {
        let tokens = try TokenAuthority()
        let auditor = try ReceiptAuditor(roots: [Data(tokens.root.certificate)])
        var content = TransactionContent(
            .autoRenewable, bundleID: "com.example.notes", productID: "pro.monthly", transactionID: "7",
            purchasedAt: .utc(2026, 5, 1))
        content.expiresAt = .utc(2026, 7, 1)
        content.signedAt = .utc(2026, 5, 2)
        content.price = 4990
        content.currency = "EUR"
        let proof = try auditor.audit(tokens.token(content).text, at: now.date)
        #expect(proof.verdict == .valid)
        #expect(proof.kind == .transaction)
        #expect(proof.purchases.map(\.price) == [4990])
        #expect(proof.activeSubscriptions(at: now.date).map(\.currency) == ["EUR"])
    }

    @Test func `serves many threads at once`() async throws {
        let bytes = try Data(store.receipt(receipt))
        try await withThrowingTaskGroup(of: AuditedProof.Verdict.self) { group in
            for _ in 0..<64 {
                group.addTask { [auditor, device, now] in
                    try auditor.audit(bytes, device: device.text, at: now.date).verdict
                }
            }
            for try await verdict in group { #expect(verdict == .valid) }
        }
    }

    @Test func `has a code for each check of a proof`() {
        let codes = Set(Check.allCases.map(\.code)).subtracting(["row-malformed", "receipt-not-found"])
        #expect(Set(ProofFailure.Code.allCases.map(\.rawValue)) == codes)
    }

    @Test func `says which root cannot be read`() {
        let failure = #expect(throws: ReceiptAuditor.Failure.self) {
            try ReceiptAuditor(roots: [Data("no certificate".utf8)])
        }
        #expect(failure?.description.contains("root 1") == true)
    }

    private var receipt: ReceiptContent {
        ReceiptContent(bundleID: "com.example.notes", device: device, createdAt: .utc(2026, 5, 20)).with {
            $0.purchases = [
                period("1", from: .utc(2026, 4, 5), to: .utc(2026, 5, 5)),
                period("2", from: .utc(2026, 5, 5), to: .utc(2026, 6, 5)),
                PurchaseContent(.consumable, productID: "coins", transactionID: "3", purchasedAt: .utc(2026, 5, 6)),
            ]
        }
    }

    private func period(_ id: String, from start: Instant, to end: Instant) -> PurchaseContent {
        PurchaseContent(.autoRenewable, productID: "pro.monthly", transactionID: id, purchasedAt: start).with {
            $0.originalTransactionID = "1"
            $0.expiresAt = end
        }
    }

    private func audit(_ receipt: ReceiptContent, device other: String? = "") throws -> AuditedProof {
        try auditor.audit(Data(store.receipt(receipt)), device: other == "" ? device.text : other, at: now.date)
    }
}
