import Encodings

/// Somebody who paid and presents nothing, as where an app crashed after the purchase: only Apple tells of it. Half of them
/// ask for their money back.
///
/// It is a pure function of its number and the seed.
struct HonestCustomer {
    /// What a customer does about it; the number of the customer chooses.
    enum Story: Int, CaseIterable {
        case waits
        case waitsForSubscription
        case asksForRefund
        case isRefunded
    }

    let story: Story
    /// What Apple tells the company's server.
    let notices: [HonestCircle.Notice]
    /// Whether the table `unclaimed` must have the purchase.
    let support: SupportCase

    init(_ number: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x6375_7374_6f6d, index: number)
        let story = Story(rawValue: number % Story.allCases.count) ?? .waits
        self.story = story
        let owner = TokenOwner(2_000_000_000 + number, seed: seed)
        let app = SampleApp.catalogue[(number / Story.allCases.count) % SampleApp.catalogue.count]
        let isSubscription = story == .waitsForSubscription
        let product = (isSubscription ? app.subscriptions : app.oneTimeProducts).first ?? app.products[0]
        // Long enough ago to be claimed by now.
        let date = HonestWorld.end.adding(seconds: -random.seconds(days: 10...300))
        var numbers = HonestNumbers(customer: number)
        let bought = TransactionContent(
            product.kind, bundleID: app.bundleID, productID: product.id, transactionID: String(numbers.next()),
            purchasedAt: date
        ).with {
            if product.kind == .autoRenewable { $0.expiresAt = date.adding(seconds: HonestCircle.month) }
            $0.accountToken = owner.accountToken
            $0.appTransactionID = owner.appTransactionID
            $0.sell(in: owner.storefront, product)
        }
        let purchase = HonestCircle.Notice(
            product.kind == .autoRenewable ? "SUBSCRIBED" : "ONE_TIME_CHARGE",
            product.kind == .autoRenewable ? "INITIAL_BUY" : nil, of: bought, at: date, uuid: TokenOwner.uuid(&random))
        var notices = [purchase]
        let askedAt = date.adding(seconds: random.seconds(days: 1...5))
        if story == .asksForRefund || story == .isRefunded {
            notices.append(.request(of: bought, for: "FULFILLMENT_ISSUE", at: askedAt))
        }
        if story == .isRefunded {
            let refunded = bought.with {
                $0.revokedAt = askedAt.adding(seconds: 86_400)
                $0.revocationType = "REFUND_FULL"
                $0.revocationReason = 1
            }
            let uuid = TokenOwner.uuid(&random)
            notices.append(
                HonestCircle.Notice("REFUND", of: refunded, at: askedAt.adding(seconds: 86_402), uuid: uuid))
        }
        self.notices = notices
        support = SupportCase(
            kind: story == .isRefunded ? .settled : .unclaimed, originalTransactionID: bought.originalTransactionID)
    }
}

extension HonestCircle.Notice {
    /// A notification with a transaction, which is signed with it.
    init(
        _ type: String, _ subtype: String? = nil, of content: TransactionContent, at date: Instant, uuid: String
    ) {
        self.init(
            type: type, subtype: subtype, bundleID: content.bundleID, transaction: content.with { $0.signedAt = date },
            appTransaction: nil, signedAt: date, uuid: uuid)
    }

    /// The notification with which Apple asks about a refund that a customer wants.
    static func request(of content: TransactionContent, for reason: String, at date: Instant) -> Self {
        // Apart from all that is made up beside it, which stays as it is.
        var random = SeededGenerator(seed: 0x7265_7175_6573, index: Int(content.transactionID) ?? 0)
        var notice = Self("CONSUMPTION_REQUEST", of: content, at: date, uuid: TokenOwner.uuid(&random))
        notice.consumptionRequestReason = reason
        return notice
    }
}

extension HonestLives {
    init(customer number: Int, seed: UInt64) {
        let customer = HonestCustomer(number, seed: seed)
        self.init(random: SeededGenerator(seed: seed, index: number), numbers: HonestNumbers(customer: number))
        notices = customer.notices
        purchasesOfCustomers = [customer.support]
    }

    /// What the tables `unclaimed` and `refund_requests` must have of these people, and what they must not.
    public var supportCases: [SupportCase] {
        purchasesOfCustomers
            + notices.filter { $0.consumptionRequestReason != nil }.compactMap(\.transaction).map {
                SupportCase(kind: .refundRequest, originalTransactionID: $0.originalTransactionID)
            }
    }
}
