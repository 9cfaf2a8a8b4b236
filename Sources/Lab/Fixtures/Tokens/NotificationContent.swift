public import Encodings

/// The payload of an App Store Server Notification, version 2 (`responseBodyV2DecodedPayload`).
public struct NotificationContent: TokenPayload, Changeable {
    /// For example `DID_RENEW` or `REFUND`.
    public var type: String
    /// For example `INITIAL_BUY`.
    public var subtype: String?
    /// A UUID, which identifies a notification that was sent twice.
    public var notificationUUID: String
    public var body: NotificationBody?
    public var version: String? = "2.0"
    public var signedAt: Instant?
    /// Changes of the members, applied last.
    public var edits: [MemberEdit] = []

    public init(_ type: String, subtype: String? = nil, uuid: String, body: NotificationBody?, signedAt: Instant?) {
        self.type = type
        self.subtype = subtype
        notificationUUID = uuid
        self.body = body
        self.signedAt = signedAt
    }

    public var json: SampleJSON {
        SampleJSON.members([
            ("notificationType", type), ("subtype", subtype), ("notificationUUID", notificationUUID),
            (body?.name ?? "", body?.json), ("version", version), ("signedDate", signedAt),
        ]).edited(edits)
    }
}

/// The subject of a notification: one of four members.
public enum NotificationBody: Sendable {
    /// A purchase or subscription.
    case data(NotificationData)
    /// The end of an extension of all subscribers' renewal dates.
    case summary(NotificationSummary)
    /// A purchase outside of the App Store.
    case externalPurchaseToken(ExternalPurchaseTokenContent)
    /// An account's download of the app.
    case appData(NotificationAppData)

    var name: String {
        switch self {
        case .data: "data"
        case .summary: "summary"
        case .externalPurchaseToken: "externalPurchaseToken"
        case .appData: "appData"
        }
    }

    var json: SampleJSON {
        switch self {
        case .data(let data): data.json
        case .summary(let summary): summary.json
        case .externalPurchaseToken(let token): token.json
        case .appData(let data): data.json
        }
    }
}

/// The member `data` of a notification.
public struct NotificationData: Sendable, Changeable {
    public var appItemID: Int? = 1_500_000_001
    public var bundleID: String
    public var bundleVersion: String? = "1"
    public var environment: String? = "Production"
    /// A transaction, as a separate token.
    public var signedTransaction: String?
    /// A renewal info, as a separate token.
    public var signedRenewal: String?
    /// 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
    public var status: Int?
    public var consumptionRequestReason: String?
    public var edits: [MemberEdit] = []

    public init(bundleID: String) { self.bundleID = bundleID }

    var json: SampleJSON {
        SampleJSON.members([
            ("appAppleId", appItemID), ("bundleId", bundleID), ("bundleVersion", bundleVersion),
            ("environment", environment), ("signedTransactionInfo", signedTransaction),
            ("signedRenewalInfo", signedRenewal), ("status", status),
            ("consumptionRequestReason", consumptionRequestReason),
        ]).edited(edits)
    }
}

/// The member `summary` of a notification.
public struct NotificationSummary: Sendable, Changeable {
    public var requestIdentifier: String
    public var environment: String? = "Production"
    public var appItemID: Int? = 1_500_000_001
    public var bundleID: String
    public var productID: String?
    public var storefronts: [String]?
    public var failedCount: Int? = 0
    public var succeededCount: Int?

    public init(requestIdentifier: String, bundleID: String) {
        self.requestIdentifier = requestIdentifier
        self.bundleID = bundleID
    }

    var json: SampleJSON {
        .members([
            ("requestIdentifier", requestIdentifier), ("environment", environment), ("appAppleId", appItemID),
            ("bundleId", bundleID), ("productId", productID), ("storefrontCountryCodes", storefronts),
            ("failedCount", failedCount), ("succeededCount", succeededCount),
        ])
    }
}

/// The member `externalPurchaseToken` of a notification.
public struct ExternalPurchaseTokenContent: Sendable, Changeable {
    /// Starts with `SANDBOX` if it comes from the sandbox.
    public var externalPurchaseID: String
    public var createdAt: Instant?
    public var appItemID: Int? = 1_500_000_001
    public var bundleID: String

    public init(_ externalPurchaseID: String, bundleID: String, createdAt: Instant?) {
        self.externalPurchaseID = externalPurchaseID
        self.bundleID = bundleID
        self.createdAt = createdAt
    }

    var json: SampleJSON {
        .members([
            ("externalPurchaseId", externalPurchaseID), ("tokenCreationDate", createdAt), ("appAppleId", appItemID),
            ("bundleId", bundleID),
        ])
    }
}

/// The member `appData` of a notification.
public struct NotificationAppData: Sendable, Changeable {
    public var appItemID: Int? = 1_500_000_001
    public var bundleID: String
    public var environment: String? = "Production"
    /// An app transaction, as a separate token.
    public var signedAppTransaction: String?

    public init(bundleID: String) { self.bundleID = bundleID }

    var json: SampleJSON {
        .members([
            ("appAppleId", appItemID), ("bundleId", bundleID), ("environment", environment),
            ("signedAppTransactionInfo", signedAppTransaction),
        ])
    }
}

/// The payload of a realtime request, with which the App Store asks what to show to somebody who cancels a subscription
/// (Retention Messaging API).
public struct RealtimeRequestContent: TokenPayload, Changeable {
    public var requestIdentifier: String
    public var originalTransactionID: String
    public var appItemID: Int? = 1_500_000_001
    public var productID: String?
    public var userLocale: String? = "en-US"
    public var environment: String? = "Production"
    public var signedAt: Instant
    /// Changes of the members, applied last.
    public var edits: [MemberEdit] = []

    public init(requestIdentifier: String, originalTransactionID: String, signedAt: Instant) {
        self.requestIdentifier = requestIdentifier
        self.originalTransactionID = originalTransactionID
        self.signedAt = signedAt
    }

    public var json: SampleJSON {
        SampleJSON.members([
            ("requestIdentifier", requestIdentifier), ("originalTransactionId", originalTransactionID),
            ("appAppleId", appItemID), ("productId", productID), ("userLocale", userLocale),
            ("environment", environment), ("signedDate", signedAt),
        ]).edited(edits)
    }
}
