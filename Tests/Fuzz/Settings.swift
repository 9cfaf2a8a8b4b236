import Checks
import Encodings
import Engine
import Inputs
import Reports
import Rules
import SampleStore

@testable import Proofs
@testable import Streams

/// What all subjects judge by: the sample store's root and Apple's, and the standard policy.
enum Settings {
    static let asOf = SampleExport.asOf
    static let device = SampleDevice.vendorIdentifier(Array(0x10...0x1f))

    static func trust() throws -> TrustAnchors {
        let apple = AppleRoots.all.map { "-----BEGIN CERTIFICATE-----\n\($0.base64)\n-----END CERTIFICATE-----\n" }
        return try TrustAnchors(files: [
            (name: "sample", bytes: try PrivateAuthority().root.certificate),
            (name: "apple", bytes: Array(apple.joined().utf8)),
        ])
    }

    static func stream(_ trust: TrustAnchors, _ policy: Policy = Policy()) -> StreamSettings {
        StreamSettings(
            trust: trust, expectations: Expectations(asOf: asOf, policy), rules: RuleSet(policy, asOf: asOf),
            fingerprint: "settings", withCSV: true)
    }

    static var run: RunDescription {
        RunDescription(version: "0", openSSL: "0", asOf: asOf, inputs: ["input"], roots: [])
    }

    /// A claim that says everything there is to say of a sample receipt.
    static var claim: Claim {
        var claim = Claim(source: "sample:1")
        claim.line = 1
        claim.deviceID = ExactText(device.text)
        claim.accountID = "account"
        claim.bundleID = "com.example.notes"
        claim.appVersion = "7"
        claim.productID = "com.example.notes.pro"
        claim.presentedAt = asOf
        return claim
    }

    /// A receipt that agrees with the claim.
    static var receipt: ReceiptContent {
        ReceiptContent(bundleID: "com.example.notes", device: device, createdAt: .utc(2026, 3, 1)).with {
            $0.appVersion = "7"
            $0.purchases = [
                PurchaseContent(
                    .nonConsumable, productID: "com.example.notes.pro", transactionID: "460000000000001",
                    purchasedAt: .utc(2026, 2, 1))
            ]
        }
    }
}
