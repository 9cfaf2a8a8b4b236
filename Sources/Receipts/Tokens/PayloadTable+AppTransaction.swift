import Encodings

extension PayloadTable {
    /// StoreKit's "AppTransaction".
    static let appTransaction = PayloadTable(
        .appTransaction,
        [
            .read(
                "receiptType", .text, "The environment: compared with the policy.",
                values: .texts([
                    "Production", "ProductionVPP", "Sandbox", "ProductionSandbox", "ProductionVPPSandbox", "Xcode",
                    "LocalTesting",
                ]), isRequired: true
            ) { $0.token.environment = $1.text },
            .read("bundleId", .text, "Names the app.", isRequired: true) { $0.token.bundleID = $1.text },
            .read("receiptCreationDate", .date, "When the chain must be valid.", isRequired: true) {
                $0.token.signedAt = $1.date
            },
            .read("applicationVersion", .text, "Compared with the claim's version.") { $0.token.appVersion = $1.text },
            .read("originalApplicationVersion", .text, "The version that was first bought.") {
                $0.token.originalAppVersion = $1.text
            },
            .read("originalPurchaseDate", .date, "When the app was first bought: which purchase of the app it is.") {
                $0.token.originalPurchaseDate = $1.date
            },
            .read("appTransactionId", .text, "One per account and app: the person.") {
                $0.token.appTransactionID = $1.text
            },
            .read("deviceVerification", .text, "The device hash, with the nonce.") { $0.deviceHash = $1.text },
            .read("deviceVerificationNonce", .uuid, "What the device hash is made with.") { $0.nonce = $1.text },
            .shown("appAppleId", .number, "The app's number in the store."),
            .shown("versionExternalIdentifier", .number, "The version's number in the store."),
            .shown("preorderDate", .date, "When it was ordered."),
            .shown("requestDate", .date, "Not documented; genuine tokens have it."),
            .shown(
                "originalPlatform", .text, "Where it was first bought.",
                values: .texts(["iOS", "macOS", "tvOS", "visionOS"])),
            .shown("revocationDate", .date, "The app's purchase was taken back.", since: "OS 27"),
            .shown("storeType", .text, "Where it was acquired; the values are not published.", since: "OS 27"),
        ])

    /// The payload of a realtime request (Retention Messaging API, "DecodedRealtimeRequestBody").
    static let realtimeRequest = PayloadTable(
        .realtimeRequest,
        [
            .read("requestIdentifier", .uuid, "Tells the kind of payload.", isRequired: true),
            .read("originalTransactionId", .text, "Names the subscription.", isRequired: true) {
                $0.token.originalTransactionID = $1.text
            },
            .read("signedDate", .date, "When the chain must be valid.", isRequired: true) {
                $0.token.signedAt = $1.date
            },
            .read("environment", .text, "Compared with the policy.", values: environments) {
                $0.token.environment = $1.text
            },
            .read("productId", .text, "The product of the subscription.") { $0.token.productID = $1.text },
            .shown("appAppleId", .number, "The app's number in the store."),
            .shown("userLocale", .text, "The customer's language."),
        ])
}
