import DER

/// Receipts of other apps, versions and environments.
extension AttackSuite {
    @AttackList static var apps: [AttackCase] {
        AttackCase(
            receipt: "app-another", "The receipt is genuine and another app's.",
            why:
                "A cheap app's receipt must not unlock an expensive one. This is the first thing that crackers replay.",
            reference: "Apple, “Validating receipts on the device”; OWASP MASTG", fails: .bundleIDMismatch
        ) { $0.bundleID = "com.example.other" }
        AttackCase(
            receipt: "app-longer-name", "The receipt's bundle id is the app's and .pro behind it.",
            why: "A comparison of beginnings takes one app for the other.",
            reference: "CWE-187", fails: .bundleIDMismatch
        ) { $0.bundleID += ".pro" }
        AttackCase(
            receipt: "app-shorter-name", "The receipt's bundle id is the beginning of the app's.",
            why: "A comparison of as many octets as there are takes one app for the other.",
            reference: "CWE-187", fails: .bundleIDMismatch
        ) { $0.bundleID = "com.example" }
        AttackCase(
            receipt: "app-other-case", "The receipt's bundle id differs from the app's in case.",
            why: "Bundle ids are case-sensitive in receipts: two developers could have them.",
            reference: "Apple, CFBundleIdentifier", fails: .bundleIDMismatch
        ) { $0.bundleID = "com.example.Notes" }
        AttackCase(
            receipt: "app-trailing-nul", "The receipt's bundle id ends with a NUL.",
            why: "Read as a C string it is the app's.",
            reference: "CWE-158; CVE-2009-2408", fails: .bundleIDMismatch
        ) { $0.bundleID += "\0" }
        AttackCase(
            receipt: "app-text-behind-nul", "The receipt's bundle id is the app's, a NUL, and .evil behind it.",
            why: "Read as a C string it is the app's.",
            reference: "CWE-158; CVE-2009-2408", fails: .bundleIDMismatch
        ) { $0.bundleID += "\0.evil" }
        AttackCase(
            receipt: "app-trailing-blank", "The receipt's bundle id ends with a blank.",
            why: "Databases and trimming readers take it for the app's.",
            reference: "CWE-162", fails: .bundleIDMismatch
        ) { $0.bundleID += " " }
        AttackCase(
            claim: "app-kelvin-sign", "The app's bundle id has a K, the receipt's the Kelvin sign, U+212A.",
            why:
                "The two are canonically equivalent: languages that compare text by Unicode, such as Swift, take them for equal.",
            reference: "Unicode Standard Annex 15; CWE-176", fails: .bundleIDMismatch
        ) { kit in try kit.claim(receiptOf: "com.example.\u{212a}iosk", presentedTo: "com.example.Kiosk") }
        AttackCase(
            claim: "app-decomposed", "The app's bundle id has é as one character, the receipt's as two.",
            why: "The two are canonically equivalent, and are other octets.",
            reference: "Unicode Standard Annex 15; CWE-176", fails: .bundleIDMismatch
        ) { kit in try kit.claim(receiptOf: "com.example.cafe\u{301}", presentedTo: "com.example.caf\u{e9}") }
        AttackCase(
            receipt: "app-cyrillic-letter", "An o in the receipt's bundle id is the Cyrillic о, U+043E.",
            why: "It looks the same, and is another letter.",
            reference: "UTS 39", fails: .bundleIDMismatch
        ) { $0.bundleID = "com.example.n\u{43e}tes" }
        AttackCase(
            receipt: "app-zero-width-joiner", "The receipt's bundle id has a zero-width joiner in it, U+200D.",
            why: "It cannot be seen, and readers that skip ignorable characters take the two for equal.",
            reference: "UTS 39", fails: .bundleIDMismatch
        ) { $0.bundleID = "com.example.no\u{200d}tes" }
        AttackCase(
            claim: "app-other-version", "The receipt is version 7's, and 7.0 is claimed.",
            why: "Versions are compared as text: by numbers 7, 7.0 and 07 would be one.",
            reference: "Apple, “Validating receipts on the device”", fails: .appVersionMismatch
        ) { kit in try kit.claim(kit.signed().encoded).with { $0.appVersion = "7.0" } }
    }

    @AttackList static var environments: [AttackCase] {
        AttackCase(
            claim: "environment-sandbox", "A sandbox receipt is presented where only Production counts.",
            why: "Purchases in the sandbox cost nothing, and every developer has testers.",
            reference: "Apple, “Testing in-app purchases with sandbox”", fails: .environmentMismatch
        ) { kit in try kit.claim(environment: "ProductionSandbox") }
        AttackCase(
            claim: "environment-unknown", "The receipt names an environment that does not exist: Staging.",
            why: "What is allowed is listed; what is unknown is not allowed.",
            reference: "CWE-183", fails: .environmentMismatch
        ) { kit in try kit.claim(environment: "Staging") }
        AttackCase(
            claim: "environment-lower-case", "The receipt's environment is “production”, in small letters.",
            why: "The App Store writes Production; values are compared octet by octet.",
            reference: "CWE-178", fails: .environmentMismatch
        ) { kit in try kit.claim(environment: "production") }
        AttackCase(
            claim: "environment-trailing-blank", "The receipt's environment is “Production ” with a blank behind it.",
            why: "The App Store writes Production; values are compared octet by octet.",
            reference: "CWE-162", fails: .environmentMismatch
        ) { kit in try kit.claim(environment: "Production ") }
        AttackCase(
            claim: "environment-xcode",
            "A receipt of Xcode's local test store, self-signed and in BER, is presented to production.",
            why: "Everybody with a Mac can make one, for every app and with every purchase.",
            reference: "Apple, “Setting up StoreKit Testing in Xcode”",
            fails: .noncanonicalContainer, .chainUntrusted, .environmentMismatch
        ) { kit in
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
