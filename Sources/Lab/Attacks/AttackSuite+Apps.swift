import DER

/// Receipts of other apps, versions and environments.
extension AttackSuite {
    @AttackList static var apps: [AttackCase] {
        AttackCase(receipt: "app-another") { $0.bundleID = "com.example.other" }
        AttackCase(receipt: "app-longer-name") { $0.bundleID += ".pro" }
        AttackCase(receipt: "app-shorter-name") { $0.bundleID = "com.example" }
        AttackCase(receipt: "app-other-case") { $0.bundleID = "com.example.Notes" }
        AttackCase(receipt: "app-trailing-nul") { $0.bundleID += "\0" }
        AttackCase(receipt: "app-text-behind-nul") { $0.bundleID += "\0.evil" }
        AttackCase(receipt: "app-trailing-blank") { $0.bundleID += " " }
        AttackCase(claim: "app-kelvin-sign") { kit in
            try kit.claim(receiptOf: "com.example.\u{212a}iosk", presentedTo: "com.example.Kiosk")
        }
        AttackCase(claim: "app-decomposed") { kit in
            try kit.claim(receiptOf: "com.example.cafe\u{301}", presentedTo: "com.example.caf\u{e9}")
        }
        AttackCase(receipt: "app-cyrillic-letter") { $0.bundleID = "com.example.n\u{43e}tes" }
        AttackCase(receipt: "app-zero-width-joiner") { $0.bundleID = "com.example.no\u{200d}tes" }
        AttackCase(claim: "app-other-version") { kit in
            try kit.claim(kit.signed().encoded).with { $0.appVersion = "7.0" }
        }
    }

    @AttackList static var environments: [AttackCase] {
        AttackCase(claim: "environment-sandbox") { kit in try kit.claim(environment: "ProductionSandbox") }
        AttackCase(claim: "environment-unknown") { kit in try kit.claim(environment: "Staging") }
        AttackCase(claim: "environment-lower-case") { kit in try kit.claim(environment: "production") }
        AttackCase(claim: "environment-trailing-blank") { kit in try kit.claim(environment: "Production ") }
        AttackCase(claim: "environment-xcode") { kit in
            try kit.claim(XcodeReceipt.bytes(kit.receipt)).with { $0.allowedEnvironments = ["Production"] }
        }
    }
}

extension AttackKit {
    /// Returns a receipt of one app, presented to another.
    fileprivate func claim(receiptOf app: String, presentedTo other: String) throws -> AttackClaim {
        try claim(signedReceipt { $0.bundleID = app }).with { $0.bundleID = other }
    }

    /// Returns a receipt of an environment, presented where only Production is allowed.
    func claim(environment: String) throws -> AttackClaim {
        try claim(signedReceipt { $0.environment = environment }).with { $0.allowedEnvironments = ["Production"] }
    }
}
