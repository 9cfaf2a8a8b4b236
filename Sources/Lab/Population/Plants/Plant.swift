/// A pattern of fraud that can be planted in an export: one for each rule, with its id as the raw value.
public enum Plant: String, CaseIterable, Codable, Sendable {
    case forgedSignature = "forged-signature"
    case untrustedSigner = "untrusted-signer"
    case crackerReceipt = "cracker-receipt"
    case foreignApp = "foreign-app"
    case testReceipt = "test-receipt"
    case alteredContainer = "altered-container"
    case deviceMismatch = "device-mismatch"
    case missingPurchase = "missing-purchase"
    case refundedPurchase = "refunded-purchase"
    case expiredSubscription = "expired-subscription"
    case unknownProduct = "unknown-product"
    case impossibleDates = "impossible-dates"
    case obsoleteSignature = "obsolete-signature"
    case expiredReceipt = "expired-receipt"
    case purchaseBurst = "purchase-burst"
    case sharedReceipt = "shared-receipt"
    case sharedTransaction = "shared-transaction"
    case sharedAccount = "shared-account"
    case replayedConsumable = "replayed-consumable"
    case transactionConflict = "transaction-conflict"
    case hiddenRefund = "hidden-refund"
    case snapshotRollback = "snapshot-rollback"
    case repeatRefunds = "repeat-refunds"
    case trialAbuse = "trial-abuse"
    case crowdedDevice = "crowded-device"
    case fraudRing = "fraud-ring"
    case unattributedReplay = "unattributed-replay"
    case lentApp = "lent-app"
    case accountTokenMismatch = "account-token-mismatch"
    case tokenReplay = "token-replay"
    case sharedPerson = "shared-person"
    case storefrontHop = "storefront-hop"
    case familyOverreach = "family-overreach"

    /// Returns the number of claims of one cluster. The sizes of a kind take turns.
    func claims(turn: Int) -> Int {
        if let tactic = tactic(turn: turn) { return tactic.claims }
        return switch self {
        case .purchaseBurst: turn % 3 == 2 ? 2 : 1
        case .sharedReceipt: turn % 3 == 2 ? 2 : 4
        case .sharedTransaction: turn % 3 == 1 ? 11 : 6
        case .sharedAccount: turn % 2 == 1 ? 7 : 3
        case .replayedConsumable: turn % 3 == 0 ? 3 : 2
        case .transactionConflict, .hiddenRefund, .snapshotRollback, .repeatRefunds, .trialAbuse: 2
        case .crowdedDevice: 6
        case .fraudRing: turn % 2 == 1 ? 4 : 6
        case .unattributedReplay: 3
        case .lentApp: 11
        case .tokenReplay: turn % 3 == 2 ? 2 : 4
        case .sharedPerson: turn % 2 == 1 ? 4 : 3
        case .storefrontHop: turn % 3 == 1 ? 4 : 2
        case .familyOverreach: turn % 2 == 1 ? 7 : 2
        default: 1
        }
    }

    /// Whether its claims present StoreKit 2 tokens.
    public var isOfTokens: Bool {
        switch self {
        case .accountTokenMismatch, .tokenReplay, .sharedPerson, .storefrontHop, .familyOverreach: true
        default: false
        }
    }

    /// The number of turns after which the sizes repeat.
    static let turnsOfSizes = 12

    /// The usual severity; some clusters have another.
    var severity: ExpectedFinding.Severity {
        switch self {
        case .forgedSignature, .untrustedSigner, .crackerReceipt, .foreignApp, .sharedReceipt, .transactionConflict,
            .fraudRing, .tokenReplay:
            .critical
        case .testReceipt, .alteredContainer, .impossibleDates: .high
        case .deviceMismatch, .missingPurchase, .refundedPurchase, .unknownProduct, .obsoleteSignature,
            .expiredReceipt, .purchaseBurst, .sharedTransaction, .sharedAccount, .replayedConsumable, .hiddenRefund,
            .repeatRefunds, .trialAbuse, .crowdedDevice, .accountTokenMismatch, .sharedPerson:
            .medium
        case .expiredSubscription, .snapshotRollback, .unattributedReplay, .lentApp, .storefrontHop, .familyOverreach:
            .low
        }
    }

    /// A description of the fraud, for the reader of the folder.
    public var summary: String {
        switch self {
        case .forgedSignature: "the content was changed after signing"
        case .untrustedSigner: "signed by somebody who is not the store"
        case .crackerReceipt: "what purchase crackers send where a receipt belongs"
        case .foreignApp: "a genuine receipt of another app"
        case .testReceipt: "a receipt of an environment that the policy does not allow, or of Xcode"
        case .alteredContainer: "a genuine receipt, rewrapped in a way the App Store never writes"
        case .deviceMismatch: "a genuine receipt of another device"
        case .missingPurchase: "asks for a product that the receipt does not have"
        case .refundedPurchase: "shows a purchase that was refunded"
        case .expiredSubscription: "asks for a subscription that ended months ago"
        case .unknownProduct: "shows a product that the app does not sell"
        case .impossibleDates: "dates that cannot be in this order"
        case .obsoleteSignature: "a SHA-1 signature after the store had ended them"
        case .expiredReceipt: "a volume purchase that has run out"
        case .purchaseBurst: "more than 20 purchases within 10 minutes, of one receipt or one account"
        case .sharedReceipt: "one receipt, presented by several devices at the same time for weeks, or once handed over"
        case .sharedTransaction: "one purchase on six or eleven devices"
        case .sharedAccount: "one purchase or paid app in three or seven accounts, which may name its device, or none"
        case .replayedConsumable: "one consumable, asked for again in other accounts or on another device"
        case .transactionConflict: "two receipts that disagree on one transaction"
        case .hiddenRefund: "after a refund, an older receipt without it"
        case .snapshotRollback: "an older receipt after a newer one"
        case .repeatRefunds: "three refunds of one account or device"
        case .trialAbuse: "two trials in one subscription group"
        case .crowdedDevice: "six accounts on one device"
        case .unattributedReplay: "one receipt again and again, without a device or an account"
        case .lentApp: "one purchase of an app on eleven devices"
        case .accountTokenMismatch: "a token or renewal info that another account bought"
        case .tokenReplay: "tokens with the nonce of one device, presented by several at the same time for weeks"
        case .sharedPerson: "one Apple Account behind three or four accounts"
        case .storefrontHop: "one person's purchases in two or four countries within weeks"
        case .familyOverreach: "a shared purchase weeks after the sharing ended, or in a family of seven"
        case .fraudRing: "devices and accounts that several findings join"
        }
    }
}
