import Encodings
import FoundationEssentials
import Inputs
import Proofs
import SampleStore

@testable import Checks

/// A receipt of the sample store, a claim that agrees with it, and a judge that trusts the store.
enum Samples {
    static let device = SampleDevice.vendorIdentifier(Array(0x10...0x1f))
    static let asOf = Instant.utc(2026, 6, 1)
    static let created = Instant.utc(2024, 3, 1)

    static let receipt = ReceiptContent(bundleID: "com.example.notes", device: device, createdAt: created).with {
        $0.appVersion = "7"
        $0.purchases = [
            PurchaseContent(
                .nonConsumable, productID: "com.example.notes.pro", transactionID: "460000000000001",
                purchasedAt: .utc(2024, 2, 1))
        ]
    }

    /// A claim that says everything there is to say of the sample receipt.
    static var claim: Claim {
        var claim = Claim(source: "sample")
        claim.deviceID = ExactText(device.text)
        claim.bundleID = "com.example.notes"
        claim.appVersion = "7"
        return claim
    }

    static func checker(
        trusting root: [UInt8], _ change: (inout Expectations) -> Void = { _ in }
    ) throws -> Checker {
        var expectations = Expectations(asOf: asOf)
        change(&expectations)
        return try Checker(
            trust: TrustAnchors(files: [(name: "root.cer", bytes: root)]), expectations: expectations)
    }
}

extension Checker {
    /// The facts of a claim, by default one that says everything there is to say of the sample receipt.
    func facts(_ bytes: [UInt8], _ claim: Claim = Samples.claim) -> Facts { facts(of: claim, receipt: bytes.span) }

    /// The codes of the checks that fail, as reports join them.
    func codes(_ bytes: [UInt8], _ claim: Claim = Samples.claim) -> String {
        facts(bytes, claim).failed.description
    }
}

extension SampleFile {
    /// The container in a file, which may be base64.
    var container: [UInt8] {
        guard path.hasSuffix(".b64") else { return bytes }
        return Data(base64Encoded: Data(bytes), options: .ignoreUnknownCharacters).map { [UInt8]($0) } ?? bytes
    }
}
