import Encodings
import FoundationEssentials

/// Genuine tokens of somebody else: for another device, app, version or environment.
extension AttackSuite {
    @AttackList static var tokenDevices: [AttackCase] {
        AttackCase(claim: "token-device-another") { kit in
            try kit.claim(kit.token()).with { $0.deviceVerificationID = AttackKit.otherVerification.deviceID }
        }
        AttackCase(claim: "token-device-another-app-transaction") { kit in
            try kit.claim(kit.token(kit.appTransaction)).with {
                $0.deviceVerificationID = AttackKit.otherVerification.deviceID
            }
        }
        AttackCase(verification: "token-device-order") {
            SampleDigest.sha384.hash(Array(($0.deviceID + $0.nonce).lowercased().utf8))
        }
        AttackCase(verification: "token-device-upper-case") {
            SampleDigest.sha384.hash(Array(($0.nonce + $0.deviceID).uppercased().utf8))
        }
        AttackCase(verification: "token-device-octets") { verification in
            let digits = Array((verification.nonce + verification.deviceID).filter { $0 != "-" })
            let octets = stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0...($0 + 1)]), radix: 16)
            }
            return SampleDigest.sha384.hash(octets)
        }
        AttackCase(verification: "token-device-id-alone") {
            SampleDigest.sha384.hash(Array($0.deviceID.lowercased().utf8))
        }
        AttackCase(verification: "token-device-sha256") {
            SampleDigest.sha256.hash(Array(($0.nonce + $0.deviceID).lowercased().utf8))
        }
        AttackCase(verification: "token-device-prefix") { Array($0.hash.prefix(16)) }
        AttackCase(verification: "token-device-empty-hash") { _ in [] }
        AttackCase(transaction: "token-device-hash-in-hex") {
            $0.edits = [
                .replace("deviceVerification", with: .text(Hex.string(AttackKit.verification.hash.span)))
            ]
        }
        AttackCase(transaction: "token-device-other-nonce") {
            $0.edits = [.replace("deviceVerificationNonce", with: .text("3c1f0a52-7d64-4b0e-9a51-c0ffee000002"))]
        }
        AttackCase(claim: "token-device-id-without-hyphens") { kit in
            try kit.claim(kit.token()).with {
                $0.deviceVerificationID = AttackKit.verification.deviceID.filter { $0 != "-" }
            }
        }
        AttackCase(claim: "token-device-alternatives") { kit in
            try kit.claim(kit.token()).with {
                $0.deviceVerificationID =
                    AttackKit.otherVerification.deviceID + "|" + AttackKit.verification.deviceID
            }
        }
    }

    /// Tokens of other apps, versions and environments.
    @AttackList static var tokenApps: [AttackCase] {
        AttackCase(transaction: "token-app-another") { $0.bundleID = "com.example.other" }
        AttackCase(transaction: "token-app-in-capitals") { $0.bundleID = "com.example.Notes" }
        AttackCase(transaction: "token-app-nul") {
            $0.edits = [.replace("bundleId", with: .raw(#""com.example.notes\u0000""#))]
        }
        AttackCase(transaction: "token-app-look-alike") { $0.bundleID = "com.example.n\u{43e}tes" }
        AttackCase(transaction: "token-app-longer") { $0.bundleID = AttackKit.bundleID + ".lite" }
        AttackCase(transaction: "token-app-empty") { $0.bundleID = "" }
        AttackCase(token: "token-app-transaction-another") { kit in
            try kit.token(kit.appTransaction.with { $0.bundleID = "com.example.other" })
        }
        AttackCase(claim: "token-app-nested-of-another") { kit in
            let nested = try kit.token(
                kit.transaction.with { ($0.bundleID, $0.deviceVerification) = ("com.example.other", nil) })
            let notification = try kit.notification { $0.signedTransaction = nested.text }
            guard case .data(let data) = notification.body else { return kit.claim(nested) }
            return kit.claim(token: data.signedTransaction ?? "")
        }
        AttackCase(token: "token-app-notification-of-another") { kit in
            try kit.token(kit.notification { $0.bundleID = "com.example.other" })
        }
        AttackCase(claim: "token-app-version") { kit in
            try kit.claim(kit.token(kit.appTransaction.with { $0.appVersion = "6" })).with { $0.appVersion = "7" }
        }
        AttackCase(claim: "token-environment-sandbox") { kit in
            try kit.claim(kit.token(kit.transaction.with { $0.environment = "Sandbox" })).with {
                $0.allowedEnvironments = ["Production"]
            }
        }
        AttackCase(claim: "token-environment-app-transaction") { kit in
            try kit.claim(kit.token(kit.appTransaction.with { $0.receiptType = "Sandbox" })).with {
                $0.allowedEnvironments = ["Production"]
            }
        }
        AttackCase(claim: "token-environment-external-purchase") { kit in
            let purchase = ExternalPurchaseTokenContent(
                "SANDBOX_b2158121-7af9-49d4-9561-5eed00000005", bundleID: AttackKit.bundleID, createdAt: .utc(2024, 2))
            return try kit.claim(
                kit.token(
                    kit.notification().with {
                        $0.type = "EXTERNAL_PURCHASE_TOKEN"
                        $0.body = .externalPurchaseToken(purchase)
                    })
            ).with { $0.allowedEnvironments = ["Production"] }
        }
        AttackCase(claim: "token-environment-lower-case") { kit in
            try kit.claim(kit.token(kit.transaction.with { $0.environment = "production" })).with {
                $0.allowedEnvironments = ["Production"]
            }
        }
    }
}

extension AttackCase {
    /// Declares a forgery by the bytes in the transaction's device verification.
    fileprivate init(verification id: String, hash: @escaping @Sendable (DeviceVerification) -> [UInt8]) {
        self.init(transaction: id) {
            $0.edits = [.replace("deviceVerification", with: .base64(hash(AttackKit.verification)))]
        }
    }
}
