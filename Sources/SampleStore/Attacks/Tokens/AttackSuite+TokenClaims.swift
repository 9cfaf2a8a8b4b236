import Encodings
import FoundationEssentials

/// Genuine tokens of somebody else: for another device, app, version or environment.
extension AttackSuite {
    @AttackList static var tokenDevices: [AttackCase] {
        AttackCase(
            tokenClaim: "token-device-another", "A genuine transaction is presented by another device.",
            why: "Its device verification is the first device's.", reference: "Apple, StoreKit, deviceVerification",
            fails: .guidMismatch
        ) { kit in
            try kit.claim(kit.token()).with { $0.deviceVerificationID = AttackKit.otherVerification.deviceID }
        }
        AttackCase(
            tokenClaim: "token-device-another-app-transaction",
            "A genuine app transaction is presented by another device.",
            why: "Its device verification is the first device's.", reference: "Apple, StoreKit, AppTransaction",
            kind: .appTransaction, fails: .guidMismatch
        ) { kit in
            try kit.claim(kit.token(kit.appTransaction)).with {
                $0.deviceVerificationID = AttackKit.otherVerification.deviceID
            }
        }
        AttackCase(
            verification: "token-device-order", "The hash is over the device's id, then the nonce.",
            why: "The nonce comes first.", fails: .guidMismatch
        ) { SampleDigest.sha384.hash(Array(($0.deviceID + $0.nonce).lowercased().utf8)) }
        AttackCase(
            verification: "token-device-upper-case", "The hash is over nonce and id in upper case.",
            why: "Both are hashed in lower case.", fails: .guidMismatch
        ) { SampleDigest.sha384.hash(Array(($0.nonce + $0.deviceID).uppercased().utf8)) }
        AttackCase(
            verification: "token-device-octets", "The hash is over the octets of both UUIDs, not their text.",
            why: "The text is hashed.", fails: .guidMismatch
        ) { verification in
            let digits = Array((verification.nonce + verification.deviceID).filter { $0 != "-" })
            let octets = stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0...($0 + 1)]), radix: 16)
            }
            return SampleDigest.sha384.hash(octets)
        }
        AttackCase(
            verification: "token-device-id-alone", "The hash is over the device's id alone.",
            why: "Without the nonce one hash fits every token.", fails: .guidMismatch
        ) { SampleDigest.sha384.hash(Array($0.deviceID.lowercased().utf8)) }
        AttackCase(
            verification: "token-device-sha256", "The hash is SHA-256, of 32 octets.",
            why: "It is SHA-384.", fails: .guidMismatch
        ) { SampleDigest.sha256.hash(Array(($0.nonce + $0.deviceID).lowercased().utf8)) }
        AttackCase(
            verification: "token-device-prefix", "The hash has its first 16 octets only.",
            why: "A comparison of as many octets as there are finds them equal.", fails: .guidMismatch
        ) { Array($0.hash.prefix(16)) }
        AttackCase(
            verification: "token-device-empty-hash", "The hash is empty.",
            why: "An empty hash equals the beginning of every other.", fails: .guidMismatch
        ) { _ in [] }
        AttackCase(
            transaction: "token-device-hash-in-hex", "The right hash is written in hexadecimal digits.",
            why: "It is base64 of 48 octets; these are 72.", reference: "Apple, StoreKit, deviceVerification",
            fails: .guidMismatch
        ) {
            $0.edits = [
                .replace("deviceVerification", with: .text(Hex.string(AttackKit.verification.hash.span)))
            ]
        }
        AttackCase(
            transaction: "token-device-other-nonce", "The nonce in the token is not the one that was hashed.",
            why: "The hash is over this nonce.", reference: "Apple, StoreKit, deviceVerificationNonce",
            fails: .guidMismatch
        ) {
            $0.edits = [.replace("deviceVerificationNonce", with: .text("3c1f0a52-7d64-4b0e-9a51-c0ffee000002"))]
        }
        AttackCase(
            tokenClaim: "token-device-id-without-hyphens", "The claimed device verification id has no hyphens.",
            why: "It is not what StoreKit returns, so that the same device would have several names.",
            reference: "RFC 9562, section 4", fails: .deviceIDMalformed
        ) { kit in
            try kit.claim(kit.token()).with {
                $0.deviceVerificationID = AttackKit.verification.deviceID.filter { $0 != "-" }
            }
        }
        AttackCase(
            tokenClaim: "token-device-alternatives", "The claim names two device verification ids, joined by |.",
            why: "A device has one.", reference: "RFC 9562, section 4", fails: .deviceIDMalformed
        ) { kit in
            try kit.claim(kit.token()).with {
                $0.deviceVerificationID =
                    AttackKit.otherVerification.deviceID + "|" + AttackKit.verification.deviceID
            }
        }
    }

    /// Tokens of other apps, versions and environments.
    @AttackList static var tokenApps: [AttackCase] {
        AttackCase(
            transaction: "token-app-another", "A genuine transaction of another app.",
            why: "A purchase is one app's.", reference: "Apple, App Store Server API, bundleId",
            fails: .bundleIDMismatch
        ) { $0.bundleID = "com.example.other" }
        AttackCase(
            transaction: "token-app-in-capitals", "The bundle id differs in a capital letter.",
            why: "Bundle ids are compared octet by octet.", reference: "CWE-178", fails: .bundleIDMismatch
        ) { $0.bundleID = "com.example.Notes" }
        AttackCase(
            transaction: "token-app-nul", "An escaped character of value zero follows the bundle id.",
            why: "In C the text ends there.", reference: "CWE-158", fails: .bundleIDMismatch
        ) { $0.edits = [.replace("bundleId", with: .raw(#""com.example.notes\u0000""#))] }
        AttackCase(
            transaction: "token-app-look-alike", "The bundle id has a Cyrillic о.",
            why: "It looks the same, and is another.", reference: "Unicode Technical Standard 39",
            fails: .bundleIDMismatch
        ) { $0.bundleID = "com.example.n\u{43e}tes" }
        AttackCase(
            transaction: "token-app-longer", "The bundle id starts with the app's.",
            why: "A comparison of the beginning is none.", reference: "CWE-187", fails: .bundleIDMismatch
        ) { $0.bundleID = AttackKit.bundleID + ".lite" }
        AttackCase(
            transaction: "token-app-empty", "The bundle id is empty.",
            why: "Every text starts with it.", reference: "CWE-187", fails: .bundleIDMismatch
        ) { $0.bundleID = "" }
        AttackCase(
            token: "token-app-transaction-another", "A genuine app transaction of another app.",
            why: "A download is one app's.", reference: "Apple, StoreKit, AppTransaction", kind: .appTransaction,
            fails: .bundleIDMismatch
        ) { kit in try kit.token(kit.appTransaction.with { $0.bundleID = "com.example.other" }) }
        AttackCase(
            tokenClaim: "token-app-nested-of-another",
            "The token inside a genuine notification is of another app, and presented alone.",
            why: "That the notification around it was the app's says nothing of what is inside.",
            reference: "app-store-server-library-node, issue 216", fails: .bundleIDMismatch
        ) { kit in
            let nested = try kit.token(
                kit.transaction.with { ($0.bundleID, $0.deviceVerification) = ("com.example.other", nil) })
            let notification = try kit.notification { $0.signedTransaction = nested.text }
            guard case .data(let data) = notification.body else { return kit.claim(nested) }
            return kit.claim(token: data.signedTransaction ?? "")
        }
        AttackCase(
            token: "token-app-notification-of-another", "A genuine notification of another app.",
            why: "Whoever has an app of their own gets notifications, too.",
            reference: "Apple, App Store Server Notifications, bundleId", kind: .notification, fails: .bundleIDMismatch
        ) { kit in try kit.token(kit.notification { $0.bundleID = "com.example.other" }) }
        AttackCase(
            tokenClaim: "token-app-version", "A genuine app transaction of an older version.",
            why: "It is not the one that is running.", reference: "Apple, StoreKit, AppTransaction.appVersion",
            kind: .appTransaction, fails: .appVersionMismatch
        ) { kit in
            try kit.claim(kit.token(kit.appTransaction.with { $0.appVersion = "6" })).with { $0.appVersion = "7" }
        }
        AttackCase(
            tokenClaim: "token-environment-sandbox", "A transaction of the sandbox, where only Production counts.",
            why: "In the sandbox nobody pays.", reference: "Apple, App Store Server API, environment",
            fails: .environmentMismatch
        ) { kit in
            try kit.claim(kit.token(kit.transaction.with { $0.environment = "Sandbox" })).with {
                $0.allowedEnvironments = ["Production"]
            }
        }
        AttackCase(
            tokenClaim: "token-environment-app-transaction",
            "An app transaction of the sandbox, where only Production counts.",
            why: "Its environment is its receiptType.", reference: "Apple, StoreKit, AppTransaction.environment",
            kind: .appTransaction, fails: .environmentMismatch
        ) { kit in
            try kit.claim(kit.token(kit.appTransaction.with { $0.receiptType = "Sandbox" })).with {
                $0.allowedEnvironments = ["Production"]
            }
        }
        AttackCase(
            tokenClaim: "token-environment-external-purchase",
            "A notification of an external purchase whose id starts with SANDBOX, where only Production counts.",
            why: "It has no environment of its own: the id says it.",
            reference: "Apple, App Store Server Notifications, externalPurchaseId", kind: .notification,
            fails: .environmentMismatch
        ) { kit in
            let purchase = ExternalPurchaseTokenContent(
                "SANDBOX_b2158121-7af9-49d4-9561-5eed00000005", bundleID: AttackKit.bundleID, createdAt: .utc(2024, 2))
            return try kit.claim(
                kit.token(
                    kit.notification().with {
                        ($0.type, $0.body) = ("EXTERNAL_PURCHASE_TOKEN", .externalPurchaseToken(purchase))
                    })
            ).with { $0.allowedEnvironments = ["Production"] }
        }
        AttackCase(
            tokenClaim: "token-environment-lower-case",
            "The environment is “production”, where only Production counts.",
            why: "The App Store writes it with a capital; it is another one.",
            reference: "Apple, App Store Server API, environment", fails: .environmentMismatch
        ) { kit in
            try kit.claim(kit.token(kit.transaction.with { $0.environment = "production" })).with {
                $0.allowedEnvironments = ["Production"]
            }
        }
    }
}

extension AttackCase {
    /// Declares a forgery by the bytes in the transaction's device verification.
    fileprivate init(
        verification id: String, _ summary: String, why: String, fails: Forgery,
        hash: @escaping @Sendable (DeviceVerification) -> [UInt8]
    ) {
        self.init(
            transaction: id, summary, why: why, reference: "Apple, StoreKit, deviceVerification", fails: fails
        ) { $0.edits = [.replace("deviceVerification", with: .base64(hash(AttackKit.verification)))] }
    }
}
