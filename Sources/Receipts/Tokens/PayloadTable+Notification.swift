import Encodings

extension PayloadTable {
    /// "responseBodyV2DecodedPayload".
    static let notification = PayloadTable(.notification, notificationMembers + dataMembers + otherBodies)

    private static let notificationMembers: [PayloadMember] = [
        .read(
            "notificationType", .text,
            "REFUND and REVOKE say why the purchase inside was taken back. MIGRATE and MIGRATION "
                + "are two names of one type.",
            values: .texts([
                "SUBSCRIBED", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "OFFER_REDEEMED", "DID_RENEW",
                "EXPIRED", "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED", "PRICE_INCREASE", "REFUND", "REFUND_DECLINED",
                "REFUND_REVERSED", "CONSUMPTION_REQUEST", "RENEWAL_EXTENDED", "RENEWAL_EXTENSION", "REVOKE", "TEST",
                "EXTERNAL_PURCHASE_TOKEN", "ONE_TIME_CHARGE", "RESCIND_CONSENT", "METADATA_UPDATE", "MIGRATION",
                "MIGRATE", "PRICE_CHANGE", "UNCLAIM_SEATS",
            ]), isRequired: true
        ) { $0.notification.type = $1.text },
        .read("notificationUUID", .uuid, "One that came twice counts once.", isRequired: true) {
            $0.notification.uuid = $1.text
        },
        .read("signedDate", .date, "When the chain must be valid. Before 2022 a token inside has the date.") {
            $0.token.signedAt = $1.date
        },
        .read(
            "subtype", .text, "SEATS of a REFUND is no full refund. An unknown one of REFUND or REVOKE is reported.",
            values: .texts([
                "INITIAL_BUY", "RESUBSCRIBE", "DOWNGRADE", "UPGRADE", "AUTO_RENEW_ENABLED", "AUTO_RENEW_DISABLED",
                "VOLUNTARY", "BILLING_RETRY", "PRICE_INCREASE", "GRACE_PERIOD", "PENDING", "ACCEPTED",
                "BILLING_RECOVERY", "PRODUCT_NOT_FOR_SALE", "SUMMARY", "FAILURE", "UNREPORTED", "CREATED",
                "ACTIVE_TOKEN_REMINDER", "SEATS", "INCREASE_QUANTITY", "DECREASE_QUANTITY",
            ])
        ) { $0.notification.subtype = $1.text },
        .shown("version", .text, "Of the format: 2.0."),
    ]

    private static let dataMembers: [PayloadMember] = [
        .read("data", .object, "The body of most types."),
        .read("data.bundleId", .text, "Names the app."),
        .read("data.environment", .text, "Compared with the policy.", values: environments),
        .read("data.signedTransactionInfo", .token, "Verified by itself; it is what the notification is about.") {
            $0.notification.signedTransactionInfo = $1.text
        },
        .read("data.signedRenewalInfo", .token, "Verified by itself; it is what the notification is about.") {
            $0.notification.signedRenewalInfo = $1.text
        },
        .read(
            "data.status", .number, "The state: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.",
            values: .numbers([1, 2, 3, 4, 5]), isDecisive: true
        ) { $0.notification.status = $1.number },
        .read(
            "data.consumptionRequestReason", .text, "What a customer who asks for a refund says.",
            values: .texts([
                "UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER",
            ])
        ) { $0.notification.consumptionRequestReason = $1.text },
        .shown("data.appAppleId", .number, "The app's number in the store."),
        .shown("data.bundleVersion", .text, "The app's version."),
    ]

    private static let otherBodies: [PayloadMember] = [
        .read("summary", .object, "The body of RENEWAL_EXTENSION."),
        .read("summary.bundleId", .text, "Names the app."),
        .read("summary.environment", .text, "Compared with the policy.", values: environments),
        .shown("summary.requestIdentifier", .uuid, "The seller's name of the request."),
        .shown("summary.appAppleId", .number, "The app's number in the store."),
        .shown("summary.productId", .text, "The product that was extended."),
        .shown("summary.storefrontCountryCodes", .texts, "Where."),
        .shown("summary.succeededCount", .number, "For how many."),
        .shown("summary.failedCount", .number, "For how many not."),
        .read(
            "appData", .object, "The body of RESCIND_CONSENT: a parent withdrew consent.", since: "Notifications 2.19"),
        .read("appData.bundleId", .text, "Names the app.", since: "Notifications 2.19"),
        .read(
            "appData.environment", .text, "Compared with the policy.", values: environments,
            since: "Notifications 2.19"),
        .read(
            "appData.signedAppTransactionInfo", .token, "Verified by itself. It is nobody's fault.",
            since: "Notifications 2.19"),
        .shown("appData.appAppleId", .number, "The app's number in the store.", since: "Notifications 2.19"),
        .read("externalPurchaseToken", .object, "The body of EXTERNAL_PURCHASE_TOKEN."),
        .read("externalPurchaseToken.bundleId", .text, "Names the app."),
        .read("externalPurchaseToken.externalPurchaseId", .text, "SANDBOX in front means the sandbox."),
        .shown("externalPurchaseToken.appAppleId", .number, "The app's number in the store."),
        .shown("externalPurchaseToken.tokenCreationDate", .date, "When it was made."),
        .shown(
            "externalPurchaseToken.tokenExpirationDate", .date, "Until when it can be used.",
            since: "Notifications 2.17"),
        .shown(
            "externalPurchaseToken.tokenType", .text, "What it is for.",
            values: .texts(["ACQUISITION", "SERVICES", "IN_APP", "LINK_OUT"]), since: "Notifications 2.17"),
        .read("unclaimInfo", .object, "The body of UNCLAIM_SEATS.", since: "Notifications 2.23"),
        .read("unclaimInfo.bundleId", .text, "Names the app, if it is there.", since: "Notifications 2.23"),
        .read(
            "unclaimInfo.environment", .text, "Compared with the policy, if it is there.", values: environments,
            since: "Notifications 2.23"),
        .shown(
            "unclaimInfo.unclaimSeatIds", .texts, "Seats that were given up: claims, not people.",
            since: "Notifications 2.23"),
    ]
}
