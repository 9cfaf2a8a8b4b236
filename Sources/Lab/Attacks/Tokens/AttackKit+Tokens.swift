import Encodings

/// The tokens that cases alter.
extension AttackKit {
    /// The data that binds the tokens to the claimed device.
    static let verification = DeviceVerification(
        nonce: "3c1f0a52-7d64-4b0e-9a51-c0ffee000001", deviceID: "9D2A6E10-44B7-4C55-8E0F-5EED00000001")
    /// The same nonce on another device.
    static let otherVerification = DeviceVerification(
        nonce: verification.nonce, deviceID: "1B7C93F4-0A8D-4E26-B3D1-5EED00000002")

    /// The transaction that every case alters: a purchase of the app, from the claimed device.
    var transaction: TransactionContent {
        TransactionContent(
            .nonConsumable, bundleID: Self.bundleID, productID: "com.example.notes.pro",
            transactionID: "470000000000001", purchasedAt: .utc(2024, 2, 1)
        ).with {
            $0.signedAt = Self.createdAt
            $0.price = 9990
            $0.currency = "USD"
            $0.appTransactionID = "704000000000000001"
            $0.deviceVerification = Self.verification
        }
    }

    /// Another transaction of the store, for a product that costs more.
    var richerTransaction: TransactionContent {
        transaction.with {
            $0.transactionID = "470000000000002"
            $0.originalTransactionID = "470000000000002"
            $0.productID = "com.example.notes.everything"
            $0.price = 99_990
        }
    }

    /// The renewal info of a subscription.
    var renewal: RenewalContent {
        RenewalContent(
            originalTransactionID: "470000000000003", productID: "com.example.notes.year", signedAt: Self.createdAt
        ).with {
            $0.renewsAt = .utc(2025, 2, 1)
            $0.deviceVerification = Self.verification
        }
    }

    /// The app transaction of the claimed device.
    var appTransaction: AppTransactionContent {
        AppTransactionContent(bundleID: Self.bundleID, createdAt: Self.createdAt).with {
            $0.appVersion = "7"
            $0.deviceVerification = Self.verification
        }
    }

    /// Returns a notification that the subscription was renewed, with a nested transaction.
    func notification(_ change: (inout NotificationData) throws -> Void = { _ in }) throws -> NotificationContent {
        var data = NotificationData(bundleID: Self.bundleID)
        data.signedTransaction = try tokens.token(transaction.with { $0.deviceVerification = nil }).text
        data.status = 1
        try change(&data)
        return NotificationContent(
            "DID_RENEW", uuid: "5f0c8e6a-2b1d-4a7e-8c39-5eed00000003", body: .data(data), signedAt: Self.createdAt)
    }

    /// Returns the transaction in a token, signed by the store in a form.
    func token(as form: TokenForm? = nil) throws(SigningError) -> TokenContent {
        try tokens.token(transaction, as: form)
    }

    /// Returns a payload in a token, by default signed by the store.
    func token(
        _ payload: some TokenPayload, by authority: TokenAuthority? = nil, as form: TokenForm? = nil
    ) throws(SigningError) -> TokenContent {
        try (authority ?? tokens).token(payload, as: form)
    }

    /// Returns the transaction signed by a store with the same root and another leaf.
    func tokenWith(leaf change: (inout CertificateContent) -> Void) throws(SigningError) -> TokenContent {
        try token(transaction, by: TokenAuthority(leaf: .tokenLeaf.with(change)))
    }

    /// Returns the transaction signed by a store with the same root and another intermediate.
    func tokenWith(intermediate change: (inout CertificateContent) -> Void) throws(SigningError) -> TokenContent {
        try token(transaction, by: TokenAuthority(intermediates: [.tokenIntermediate.with(change)]))
    }

    /// Returns the store with a leaf that ended in 2018, before any token was signed.
    func expiredTokens() throws(SigningError) -> TokenAuthority { try .expired(at: .utc(2018)) }

    /// Returns a claim with a token, from the transaction's device and to the transaction's app.
    func claim(_ token: TokenContent) -> AttackClaim { claim(token: token.text) }

    /// Returns a claim with this text instead of a token.
    func claim(token: String) -> AttackClaim {
        claim(text: token).with {
            $0.deviceVerificationID = Self.verification.deviceID
            $0.trustAnchors = [tokens.root.certificate]
        }
    }
}
