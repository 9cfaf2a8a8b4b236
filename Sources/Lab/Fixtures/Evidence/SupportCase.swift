import Encodings

/// A customer in the store's notifications who needs help, and the expected rows about them.
public struct SupportCase: Sendable, Hashable, Codable {
    public enum Kind: String, Codable, Sendable {
        /// A purchase that no claim presents: a row of `unclaimed`.
        case unclaimed
        /// A purchase that looks like an unclaimed one but is not: it was refunded, is a family member's, a test, or
        /// too recent.
        case settled
        /// A refund request from Apple: a row of `refund_requests`.
        case refundRequest = "refund-request"
    }

    public var kind: Kind
    public var originalTransactionID: String
    /// The number of earlier refunds of the person's other purchases, for a request.
    public var earlierRefunds: Int?

    enum CodingKeys: String, CodingKey {
        case kind
        case originalTransactionID = "original_transaction_id"
        case earlierRefunds = "earlier_refunds"
    }
}

extension SampleExport {
    /// Returns the customers who need help, in the order of the store's notifications.
    public func supportCases() -> [SupportCase] {
        (0..<customersInNeed).flatMap { number in
            [SupportCase(kind: .unclaimed, originalTransactionID: Self.unclaimedID(number))]
                + (number < Settlement.allCases.count
                    ? [SupportCase(kind: .settled, originalTransactionID: Self.unclaimedID(number, isSettled: true))]
                    : [])
        }
            + requests.enumerated().map { number, request in
                SupportCase(
                    kind: .refundRequest, originalTransactionID: request.purchase.originalTransactionID,
                    earlierRefunds: Self.repeatedRefunds(number))
            }
    }

    /// Returns the lines of `evidence.ndjson` about them, after those about claims.
    public func supportEvidence() throws(SigningError) -> [String] {
        var lines: [String] = []
        for number in 0..<customersInNeed {
            lines.append(try notification("ONE_TIME_CHARGE", unclaimed(number)))
            guard number < Settlement.allCases.count else { continue }
            lines.append(try notification("ONE_TIME_CHARGE", settled(number, as: Settlement.allCases[number])))
        }
        for (number, request) in requests.enumerated() {
            for earlier in 0..<Self.repeatedRefunds(number) {
                lines.append(try notification("REFUND", earlierRefund(earlier, of: request)))
            }
            let asked = request.transaction.with {
                $0.signedAt = Self.asOf.adding(seconds: -Int64(1 + 3 * number % 36) * 3600)
                $0.appTransactionID = request.owner.appTransactionID
            }
            lines.append(
                try notification("CONSUMPTION_REQUEST", asked, reason: Self.reasons[number % Self.reasons.count]))
        }
        return lines
    }

    /// The number of customers who paid and got nothing; at most as many ask for a refund.
    private var customersInNeed: Int { hasEvidence ? max(2, count / 400) : 0 }

    private static let reasons = ["UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "OTHER"]

    /// The reason why a purchase that no claim presents is not ``SupportCase/Kind/unclaimed``.
    private enum Settlement: CaseIterable { case refunded, ofFamily, test, young }

    private static func unclaimedID(_ number: Int, isSettled: Bool = false) -> String {
        String(990_000_000_000_000 + 10 * number + (isSettled ? 1 : 0))
    }

    private func unclaimed(_ number: Int) -> TransactionContent {
        let app = SampleApp.catalogue[number % SampleApp.catalogue.count]
        let isSubscription = number.isMultiple(of: 3)
        let product = (isSubscription ? app.subscriptions : app.oneTimeProducts).first ?? app.products[0]
        let date = Self.asOf.adding(seconds: -Int64(4 + number % 30) * 86_400 - Int64(number % 24) * 3600)
        let owner = TokenOwner(50_000_000 + number, seed: seed)
        return transaction(product, app, Self.unclaimedID(number), of: owner, at: date).with {
            if product.kind == .autoRenewable { $0.expiresAt = date.adding(seconds: 30 * 86_400) }
        }
    }

    private func settled(_ number: Int, as settlement: Settlement) -> TransactionContent {
        unclaimed(number).with {
            $0.transactionID = Self.unclaimedID(number, isSettled: true)
            $0.originalTransactionID = $0.transactionID
            switch settlement {
            case .refunded:
                $0.revokedAt = $0.purchasedAt.adding(seconds: 3600)
                $0.revocationType = "REFUND_FULL"
                $0.signedAt = $0.purchasedAt.adding(seconds: 3700)
            case .ofFamily: $0.ownership = "FAMILY_SHARED"
            case .test: $0.environment = "Sandbox"
            case .young:
                $0.purchasedAt = Self.asOf.adding(seconds: -86_400)
                $0.originallyPurchasedAt = $0.purchasedAt
                $0.signedAt = $0.purchasedAt
            }
        }
    }

    private func transaction(
        _ product: SampleApp.Product, _ app: SampleApp, _ id: String, of owner: TokenOwner, at date: Instant
    ) -> TransactionContent {
        TransactionContent(
            product.kind, bundleID: app.bundleID, productID: product.id, transactionID: id, purchasedAt: date
        )
        .with {
            $0.accountToken = owner.accountToken
            $0.appTransactionID = owner.appTransactionID
            $0.sell(in: owner.storefront, product)
        }
    }

    /// A refund that a person asks for.
    private struct Request {
        let index: Int
        let owner: TokenOwner
        let app: SampleApp
        let purchase: PurchaseContent
        let transaction: TransactionContent
    }

    /// The refund requests of people whose claims show a purchase.
    private var requests: [Request] {
        guard hasEvidence else { return [] }
        var requests: [Request] = []
        for index in 0..<count where requests.count < customersInNeed {
            guard let story = story(at: index), story.lateRefund == nil else { continue }
            let draft = honestDraft(at: index)
            guard let purchase = draft.shown.last, purchase.cancelledAt == nil else { continue }
            var random = SeededGenerator(seed: seed ^ 0x7265_6675_6e64, index: index)
            let owner = TokenOwner(index, seed: seed)
            let transaction = draft.transaction(purchase, of: owner, signedAt: Self.asOf, &random).with {
                $0.deviceVerification = nil
            }
            requests.append(
                Request(index: index, owner: owner, app: draft.app, purchase: purchase, transaction: transaction))
        }
        return requests
    }

    /// Every second person had asked before, and got the money back three times.
    private static func repeatedRefunds(_ number: Int) -> Int { number.isMultiple(of: 2) ? 0 : 3 }

    private func earlierRefund(_ number: Int, of request: Request) -> TransactionContent {
        let product = request.app.oneTimeProducts.first ?? request.app.products[0]
        let date = Self.asOf.adding(seconds: -Int64(10 * (number + 2)) * 86_400)
        let id = String(991_000_000_000_000 + 10 * request.index + number)
        return transaction(product, request.app, id, of: request.owner, at: date).with {
            $0.revokedAt = date.adding(seconds: 86_400)
            $0.revocationType = "REFUND_FULL"
            $0.signedAt = date.adding(seconds: 90_000)
        }
    }

    /// Returns a line with a notification, signed at the same time as the transaction in it.
    private func notification(
        _ type: String, _ transaction: TransactionContent, reason: String? = nil
    ) throws(SigningError) -> String {
        var data = NotificationData(bundleID: transaction.bundleID)
        data.environment = transaction.environment
        data.signedTransaction = try authorities.tokens.token(transaction).text
        data.consumptionRequestReason = reason
        var random = SeededGenerator(seed: seed ^ 0x7570_706f_7274, index: Int(transaction.transactionID) ?? 0)
        let notification = NotificationContent(
            type, uuid: TokenOwner.uuid(&random), body: .data(data), signedAt: transaction.signedAt)
        return "{\"signedPayload\":\"\(try authorities.tokens.token(notification).text)\"}\n"
    }
}
