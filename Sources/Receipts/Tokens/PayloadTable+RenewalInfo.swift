import Encodings

extension PayloadTable {
    /// "JWSRenewalInfoDecodedPayload".
    static let renewalInfo = PayloadTable(
        .renewalInfo,
        renewalMembers + ownerMembers + bundleMembers + offerMembers + seatMembers + commitmentMembers + commerceMembers
    )

    private static let renewalMembers: [PayloadMember] = [
        .read(
            "originalTransactionId", .text, "Names the subscription; a renewal info names no app.", isRequired: true
        ) { $0.token.originalTransactionID = $1.text },
        .read(
            "signedDate", .date, "When the chain must be valid; of several the newest counts.", isRequired: true
        ) { $0.token.signedAt = $1.date },
        .read(
            "environment", .text, "Compared with the policy; ids of two environments are never joined.",
            values: environments
        ) { $0.token.environment = $1.text },
        .read("productId", .text, "The product of the current period.") { $0.token.productID = $1.text },
        .read("autoRenewProductId", .text, "The product of the next period.") { $0.renewal.nextProductID = $1.text },
        .read(
            "autoRenewStatus", .number, "Whether it renews by itself: 0 off, 1 on.", values: .numbers([0, 1]),
            isDecisive: true
        ) { $0.renewal.renewsByItself = $1.bit },
        .read(
            "expirationIntent", .number,
            "Why it ended: 1 the customer, 2 billing, 3 the price, 4 the product, 5 other.",
            values: .numbers([1, 2, 3, 4, 5])
        ) { $0.renewal.expirationIntent = $1.number },
        .read("isInBillingRetryPeriod", .flag, "The state `billing-retry`.") {
            $0.renewal.isInBillingRetryPeriod = $1.isTrue
        },
        .read("gracePeriodExpiresDate", .date, "The state `grace-period`, and until when.") {
            $0.renewal.gracePeriodExpiresDate = $1.date
        },
        .read("renewalDate", .date, "The end of the period that is paid.") { $0.renewal.renewalDate = $1.date },
        .read(
            "renewalPrice", .number, "What the next period costs, in thousandths: of seats the average.",
            values: amounts, isDecisive: true
        ) { $0.renewal.renewalPrice = $1.amount },
        .read("currency", .text, "Of `renewalPrice`.") { $0.renewal.currency = $1.text },
        .read(
            "priceIncreaseStatus", .number, "0 if the customer has not agreed yet, 1 if he has, or need not.",
            values: .numbers([0, 1])
        ) { $0.renewal.priceIncreaseStatus = $1.number },
        .shown("recentSubscriptionStartDate", .date, "The start after the last gap of more than 60 days."),
        .shown("eligibleWinBackOfferIds", .texts, "Offers that the customer may get."),
    ]

    private static let bundleMembers: [PayloadMember] = [
        .shown("willUnbundle", .flag, "It leaves the bundle at renewal.", since: "OS 27"),
        .shown("bundleProductId", .text, "The bundle it is sold in; the name is inferred.", since: "OS 27"),
    ]

    private static let offerMembers: [PayloadMember] = [
        .read(
            "offerType", .number, "The offer of the next period: 1 introductory, 2 promotional, 3 code, 4 win-back.",
            values: .numbers([1, 2, 3, 4]), isDecisive: true
        ) { $0.renewal.offerType = $1.number },
        .read("offerIdentifier", .text, "Names the offer of the next period.") { $0.renewal.offerID = $1.text },
        .shown(
            "offerDiscountType", .text, "Of the next period; its own transaction decides.",
            values: offerDiscounts, isDecisive: true),
        .shown("offerPeriod", .text, "The length of the offer (ISO 8601)."),
    ]

    private static let seatMembers: [PayloadMember] = [
        .read(
            "renewalQuantity", .number, "The seats of the next period, for forecasts.", values: counts,
            since: "API 1.23", isDecisive: true
        ) { $0.renewal.quantity = $1.count },
        .read("multiSeatInfo", .object, "The seats of the next period.", since: "API 1.23") {
            $0.renewal.tiers = SeatInfo($1, tiers: "renewalPriceTiers")?.tiers ?? []
        },
        .read(
            "multiSeatInfo.renewalPriceTiers", .objects, "The sum of price × quantity is the amount.",
            since: "API 1.23"),
        .read(
            "multiSeatInfo.renewalPriceTiers[].price", .number, "Of one seat, in thousandths.", values: amounts,
            since: "API 1.23", isDecisive: true),
        .read(
            "multiSeatInfo.renewalPriceTiers[].quantity", .number, "How many seats cost that.", values: counts,
            since: "API 1.23", isDecisive: true),
    ]

    private static let commitmentMembers: [PayloadMember] = [
        .shown(
            "renewalBillingPlanType", .text, "The plan of the next period.", values: billingPlans, since: "API 1.21"),
        .shown("commitmentInfo", .object, "What the buyer has committed to.", since: "API 1.21"),
        .read(
            "commitmentInfo.commitmentAutoRenewStatus", .number, "0: it is paid to the end, and ends then.",
            values: .numbers([0, 1]), since: "API 1.21", isDecisive: true
        ) { $0.renewal.commitmentRenews = $1.bit },
        .read("commitmentInfo.commitmentRenewalDate", .date, "When the commitment ends.", since: "API 1.21") {
            $0.renewal.commitmentRenewalDate = $1.date
        },
        .shown("commitmentInfo.commitmentRenewalPrice", .number, "The next year's total.", since: "API 1.21"),
        .shown("commitmentInfo.commitmentAutoRenewProductId", .text, "The next year's product.", since: "API 1.21"),
        .shown(
            "commitmentInfo.commitmentRenewalBillingPlanType", .text, "The next year's plan.", values: billingPlans,
            since: "API 1.21"),
    ]

    private static let commerceMembers: [PayloadMember] =
        [
            .ignored("advancedCommerceInfo", .object, "Of the next period: `renewalPrice` is the sum of its items."),
            .ignored("advancedCommerceInfo.consistencyToken", .text, "For the seller's next request."),
            .ignored("advancedCommerceInfo.items", .objects, "`renewalPrice` is their sum."),
            .ignored("advancedCommerceInfo.items[].SKU", .text, "The seller's name of the item."),
            .ignored("advancedCommerceInfo.items[].description", .text, "For the buyer."),
            .ignored("advancedCommerceInfo.items[].displayName", .text, "For the buyer."),
            .ignored("advancedCommerceInfo.items[].price", .number, "`renewalPrice` is the sum."),
            .ignored(
                "advancedCommerceInfo.items[].priceIncreaseInfo", .object, "`priceIncreaseStatus` says it for all."),
            .ignored(
                "advancedCommerceInfo.items[].priceIncreaseInfo.dependentSKUs", .texts, "Other items of the seller."),
            .ignored("advancedCommerceInfo.items[].priceIncreaseInfo.price", .number, "In thousandths."),
            .ignored(
                "advancedCommerceInfo.items[].priceIncreaseInfo.status", .text,
                "`priceIncreaseStatus` says it for all.",
                values: .texts(["SCHEDULED", "PENDING", "ACCEPTED"])),
        ] + commerceTerms
}
