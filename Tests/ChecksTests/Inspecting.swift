import Encodings
import Inputs
import Proofs
import SampleStore

@testable import Checks

/// The sample receipt that the tests of inspections start from, and how they inspect it.
enum Inspecting {
    static let device = SampleDevice.vendorIdentifier(Array(0x10...0x1f))
    static let created = Instant.utc(2024, 3, 1)
    static let asOf = Instant.utc(2026, 1, 1)

    static var receipt: ReceiptContent {
        ReceiptContent(bundleID: "com.example.notes", device: device, createdAt: created).with {
            $0.purchases = [purchase]
        }
    }

    static var purchase: PurchaseContent {
        PurchaseContent(
            .nonConsumable, productID: "com.example.notes.pro", transactionID: "460000000000001",
            purchasedAt: .utc(2024, 2, 1))
    }

    /// Inspects bytes that this authority may have signed.
    static func inspect(
        _ bytes: [UInt8], trusting authority: PrivateAuthority? = nil, device: String = "",
        claim change: (inout Claim) -> Void = { _ in }, expecting: (inout Expectations) -> Void = { _ in }
    ) throws -> Inspection {
        var claim = Claim(source: "a test")
        claim.deviceID = ExactText(device)
        change(&claim)
        var expectations = Expectations(asOf: asOf)
        expecting(&expectations)
        let root = try (authority ?? PrivateAuthority()).root.certificate
        let trust = try TrustAnchors(files: [(name: "root", bytes: root)])
        return try Checker(trust: trust, expectations: expectations).inspection(of: claim, receipt: bytes)
    }

    /// Inspects a receipt with other attributes, signed by a trusted authority.
    static func inspect(edits: [AttributeEdit]) throws -> Inspection {
        try inspect(PrivateAuthority().receipt(receipt.with { $0.edits = edits }))
    }
}

extension Inspection {
    func result(of check: Check) -> CheckResult? { checks.first { $0.check == check } }

    func reason(_ check: Check, _ outcome: CheckResult.Outcome = .failed) -> String? {
        guard let result = result(of: check), result.outcome == outcome else { return nil }
        return result.reason
    }
}
