import Encodings

extension PayloadTable {
    /// "JWSTransactionDecodedPayload".
    static let transaction = PayloadTable(
        .transaction, transactionMembers + ownerMembers + chainMembers + seatMembers + commerceMembers)

    private static let transactionMembers: [PayloadMember] = [
        .read("transactionId", .text, "Names the purchase.", isRequired: true) { $0.token.transactionID = $1.text },
        .read(
            "originalTransactionId", .text,
            "Joins the transactions of a subscription, and restored ones with the first.",
            isRequired: true
        ) { $0.token.originalTransactionID = $1.text },
        .read("bundleId", .text, "Names the app.", isRequired: true) { $0.token.bundleID = $1.text },
        .read("productId", .text, "Names the product.", isRequired: true) { $0.token.productID = $1.text },
        .read("purchaseDate", .date, "When the period or the purchase begins.", isRequired: true) {
            $0.purchaseDate = $1.date
        },
        .read(
            "signedDate", .date,
            "When the chain must be valid; of several tokens about a transaction the newest counts.",
            isRequired: true
        ) { $0.token.signedAt = $1.date },
        .read(
            "environment", .text, "Compared with the policy; ids of two environments are never joined.",
            values: environments
        ) { $0.token.environment = $1.text },
        .read("originalPurchaseDate", .date, "When the subscription began.") {
            $0.purchase.originalPurchaseDate = $1.date
        },
        .read("expiresDate", .date, "The end of the period; with it an unknown `type` is a subscription's.") {
            $0.purchase.expiresDate = $1.date
        },
        .read("webOrderLineItemId", .text, "Names the period across restored transactions.") {
            $0.purchase.webOrderLineItemID = Int($1.text.text).flatMap { $0 == 0 ? nil : $0 }
        },
        .read("subscriptionGroupIdentifier", .text, "Names a group of products; a person has one of them at a time.") {
            $0.details.subscriptionGroupID = $1.text
        },
        .read(
            "quantity", .number, "The seats of a subscription, or the pieces of a consumable.", values: counts,
            isDecisive: true
        ) {
            $0.purchase.quantity = $1.count
            $0.isQuantityUnknown = $1.count == nil
        },
        .read(
            "type", .text, "The kind of purchase. A bundle's and a suite's names are not published.",
            values: .texts([
                "Auto-Renewable Subscription", "Non-Consumable", "Consumable", "Non-Renewing Subscription",
            ]), isDecisive: true
        ) { $0.purchase.kind = Purchase.Kind(token: $1.text) },
        .read(
            "price", .number, "What it cost, in thousandths of the currency's unit: of seats the average.",
            values: amounts, isDecisive: true
        ) { $0.details.price = $1.amount ?? TransactionDetails.unknownPrice },
        .read("currency", .text, "Of `price`.") { $0.details.currency = $1.text },
        .read(
            "inAppOwnershipType", .text,
            "Anything but PURCHASED is a member's: no revenue, and no refund of that person.",
            values: .texts(["PURCHASED", "FAMILY_SHARED", "ASSIGNED"]), isDecisive: true
        ) { $0.details.ownership = $1.text },
        .read("revocationDate", .date, "When Apple took the purchase back.") { $0.purchase.cancellationDate = $1.date },
        .read(
            "revocationType", .text,
            "Why: a REFUND_ type is money, FAMILY_REVOKE access; an unknown one accuses nobody.",
            values: .texts(["REFUND_FULL", "REFUND_PRORATED", "FAMILY_REVOKE"]), since: "API 1.19", isDecisive: true
        ) { $0.details.revocationType = $1.text },
        .read(
            "revocationReason", .number,
            "1 for a fault in the app, 0 for another reason; an unknown one accuses nobody.",
            values: .numbers([0, 1]), isDecisive: true
        ) { $0.details.revocationReason = $1.code },
        .read(
            "revocationPercentage", .number, "How much went back, in thousandths of a percent of the whole.",
            values: .range(0...100_000), since: "API 1.19", isDecisive: true
        ) { $0.details.revocationPercentage = $1.number },
        .read("isUpgraded", .flag, "Another product took its place, so it is no refund.") {
            $0.details.isUpgraded = $1.isTrue
        },
        .read(
            "offerType", .number, "The offer: 1 introductory, 2 promotional, 3 code, 4 win-back.",
            values: .numbers([1, 2, 3, 4]), isDecisive: true
        ) { $0.details.offerType = $1.number },
        .read("offerIdentifier", .text, "Names the offer.") { $0.purchase.promotionalOfferID = $1.text },
        .read(
            "offerDiscountType", .text, "FREE_TRIAL alone is a trial; ONE_TIME came with API 1.18.",
            values: offerDiscounts, isDecisive: true
        ) { $0.discount = $1.text },
        .shown("offerPeriod", .text, "The length of the offer (ISO 8601)."),
        .shown(
            "transactionReason", .text, "A chain's first transaction is known by its id.",
            values: .texts(["PURCHASE", "RENEWAL"])),
        .read("storefront", .text, "The country of the store, for storefront-hop.") { $0.details.storefront = $1.text },
        .shown("storefrontId", .text, "The same as a number."),
    ]

    private static let chainMembers: [PayloadMember] = [
        .read(
            "previousOriginalTransactionId", .text,
            "The chain whose place this one took, by migration or a bundle: one customer, no churn."
        ) { $0.details.previousOriginalTransactionID = $1.text },
        .read(
            "additionalTransactionReason", .text, "SEAT_ADDITION: a part of a period that was bought already.",
            values: .texts(["SEAT_ADDITION"]), since: "API 1.23", isDecisive: true
        ) { $0.details.additionalReason = $1.text },
        .read(
            "billingPlanType", .text, "MONTHLY: a year that is paid in parts, so the period is the token's own.",
            values: billingPlans, since: "API 1.21", isDecisive: true
        ) { $0.details.billingPlan = $1.text },
        .shown("commitmentInfo", .object, "What the buyer has committed to.", since: "API 1.21"),
        .shown("commitmentInfo.billingPeriodNumber", .number, "Which part of the year this is.", since: "API 1.21"),
        .shown("commitmentInfo.totalBillingPeriods", .number, "How many parts there are.", since: "API 1.21"),
        .read("commitmentInfo.commitmentExpiresDate", .date, "The end of the commitment.", since: "API 1.21") {
            $0.details.commitmentExpiresDate = $1.date
        },
        .shown(
            "commitmentInfo.commitmentPrice", .number, "The year's total, which is never revenue of one part.",
            since: "API 1.21"),
        .shown("bundleProductId", .text, "The bundle it was sold in; the name is inferred.", since: "OS 27"),
        .read(
            "bundleTransactionId", .text, "The bundle's transaction; the name is inferred.", since: "OS 27"
        ) { $0.details.bundleTransactionID = $1.text },
        .shown("bundleOriginalTransactionId", .text, "The bundle's chain; the name is inferred.", since: "OS 27"),
        .shown("bundleSubscriptionGroupId", .text, "The bundle's group; the name is inferred.", since: "OS 27"),
    ]

    private static let seatMembers: [PayloadMember] = [
        .read("multiSeatInfo", .object, "The seats of a subscription for several people.", since: "API 1.23") {
            $0.details.seats = SeatInfo($1, tiers: "priceTiers")
        },
        .shown(
            "multiSeatInfo.invitationManagement", .text, "Who invites: with DEVELOPER members have no tokens.",
            values: .texts(["APPLE", "DEVELOPER"]), since: "API 1.23"),
        .read("multiSeatInfo.priceTiers", .objects, "The sum of price × quantity is the amount.", since: "API 1.23"),
        .read(
            "multiSeatInfo.priceTiers[].price", .number, "Of one seat, in thousandths.", values: amounts,
            since: "API 1.23", isDecisive: true),
        .read(
            "multiSeatInfo.priceTiers[].quantity", .number, "How many seats cost that.", values: counts,
            since: "API 1.23", isDecisive: true),
        .read(
            "multiSeatInfo.revokedSeatQuantity", .number, "How many seats were refunded: in part, not the whole.",
            values: counts, since: "API 1.23", isDecisive: true),
    ]

    private static let commerceMembers: [PayloadMember] =
        [
            .read("advancedCommerceInfo", .object, "What was bought through the Advanced Commerce API.") {
                $0.details.commerce = CommerceItems($1)
            },
            .read("advancedCommerceInfo.items", .objects, "Refunds are the items'."),
            .shown("advancedCommerceInfo.items[].SKU", .text, "The seller's name of the item."),
            .shown("advancedCommerceInfo.items[].description", .text, "For the buyer."),
            .shown("advancedCommerceInfo.items[].displayName", .text, "For the buyer."),
            .shown("advancedCommerceInfo.items[].price", .number, "In thousandths; `price` is the sum."),
            .read(
                "advancedCommerceInfo.items[].revocationDate", .date, "If every item has one, the whole was refunded."),
            .read("advancedCommerceInfo.items[].refunds", .objects, "What went back for the item."),
            .read(
                "advancedCommerceInfo.items[].refunds[].refundAmount", .number, "The amount, in thousandths.",
                values: amounts, isDecisive: true),
            .read("advancedCommerceInfo.items[].refunds[].refundDate", .date, "When it went back."),
            .read(
                "advancedCommerceInfo.items[].refunds[].refundReason", .text, "An unknown one accuses nobody.",
                values: .texts([
                    "UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER",
                    "MODIFY_ITEMS_REFUND", "SIMULATE_REFUND_DECLINE",
                ]), isDecisive: true),
            .shown(
                "advancedCommerceInfo.items[].refunds[].refundType", .text, "The amount says more.",
                values: .texts(["FULL", "PRORATED", "CUSTOM"]), isDecisive: true),
            .shown(
                "advancedCommerceInfo.items[].refunds[].revokedSeatQuantity", .number, "The amount says more.",
                since: "OS 27.3"),
            .shown("advancedCommerceInfo.items[].seatPriceTiers", .objects, "The amount says more.", since: "OS 27.3"),
            .shown("advancedCommerceInfo.items[].seatPriceTiers[].price", .number, "Of one seat.", since: "OS 27.3"),
            .shown("advancedCommerceInfo.items[].seatPriceTiers[].quantity", .number, "How many.", since: "OS 27.3"),
            .shown("advancedCommerceInfo.estimatedTax", .number, "In thousandths."),
            .shown("advancedCommerceInfo.taxExclusivePrice", .number, "In thousandths."),
            .shown("advancedCommerceInfo.taxRate", .text, "A decimal fraction."),
        ] + commerceTerms

    /// The members of `advancedCommerceInfo` that transactions and renewal infos share.
    static let commerceTerms: [PayloadMember] = [
        .shown("advancedCommerceInfo.descriptors", .object, "For the buyer."),
        .shown("advancedCommerceInfo.descriptors.description", .text, "For the buyer."),
        .shown("advancedCommerceInfo.descriptors.displayName", .text, "For the buyer."),
        .shown("advancedCommerceInfo.period", .text, "The length of a period (ISO 8601); the dates show it."),
        .shown("advancedCommerceInfo.requestReferenceId", .uuid, "The seller's name of the request."),
        .shown("advancedCommerceInfo.taxCode", .text, "The kind of goods."),
        .shown("advancedCommerceInfo.items[].offer", .object, "The offer for the item."),
        .shown("advancedCommerceInfo.items[].offer.period", .text, "The length of the offer (ISO 8601)."),
        .shown("advancedCommerceInfo.items[].offer.periodCount", .number, "For how many periods."),
        .shown("advancedCommerceInfo.items[].offer.price", .number, "In thousandths."),
        .shown(
            "advancedCommerceInfo.items[].offer.reason", .text, "Why the seller makes it.",
            values: .texts(["ACQUISITION", "WIN_BACK", "RETENTION"])),
    ]

    /// The values of amounts of money, in thousandths of the currency's unit, that can be converted to millionths.
    static let amounts = PayloadMember.Values.range(0...maxAmount)
    static let maxAmount = Int64.max / 1000
    /// The values of counts: an "int32".
    static let counts = PayloadMember.Values.range(0...maxCount)
    static let maxCount = Int64(Int32.max)
    /// The values of `environment`.
    static let environments = PayloadMember.Values.texts(["Production", "Sandbox", "Xcode", "LocalTesting"])
    /// The values of `offerDiscountType`.
    static let offerDiscounts = PayloadMember.Values.texts(["FREE_TRIAL", "PAY_AS_YOU_GO", "PAY_UP_FRONT", "ONE_TIME"])
    /// The values of `billingPlanType`.
    static let billingPlans = PayloadMember.Values.texts(["BILLED_UPFRONT", "MONTHLY"])
}
