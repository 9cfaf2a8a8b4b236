import Checks
import Encodings
import Inputs
import Proofs
import SampleStore

/// Inspections that the tests of both forms start from.
enum InspectionSamples {
    static let device = SampleDevice.vendorIdentifier(Array(0x10...0x1f))

    /// A receipt with one of everything.
    static var receipt: ReceiptContent {
        ReceiptContent(bundleID: "com.example.notes", device: device, createdAt: .utc(2024, 3, 1)).with {
            var trial = PurchaseContent(
                .autoRenewable, productID: "com.example.notes.monthly", transactionID: "460000000000002",
                purchasedAt: .utc(2024, 2, 1))
            trial.originalTransactionID = "460000000000001"
            trial.originallyPurchasedAt = .utc(2024, 1, 1)
            trial.expiresAt = .utc(2024, 2, 8)
            trial.webOrderLineItemID = 460_000_000_000_003
            trial.isTrial = true
            trial.cancelledAt = .utc(2024, 2, 3)
            trial.edits = [.add(AttributeContent(1799, text: "new"))]
            let broken = PurchaseContent(
                .consumable, productID: "com.example.notes.coins", transactionID: "460000000000004",
                purchasedAt: .utc(2024, 2, 2)
            ).with { $0.edits = [.leaveOut(1702), .leaveOut(1709)] }
            let first = PurchaseContent(
                .nonConsumable, productID: "com.example.notes.pro", transactionID: "460000000000000",
                purchasedAt: .utc(2023, 12, 24))
            $0.purchases = [trial, broken, first]
        }
    }

    /// Inspects a receipt that a trusted authority signed.
    static func inspect(
        _ receipt: ReceiptContent = receipt, source: String = "receipt.der", device: String = device.text
    ) throws -> Inspection {
        let authority = try PrivateAuthority()
        let trust = try TrustAnchors(files: [(name: "root", bytes: authority.root.certificate)])
        let judge = try Checker(trust: trust, expectations: Expectations(asOf: .utc(2026, 1, 1)))
        var claim = Claim(source: ExactText(source))
        claim.deviceID = ExactText(device)
        return try judge.inspection(of: claim, receipt: authority.receipt(receipt))
    }
}
