import Encodings
import Engine
import Receipts
import Subscriptions

/// The members `latest_receipt_info` and `pending_renewal_info` of an answer of verifyReceipt, as far as receipts,
/// tokens and evidence of the run show them.
///
/// All members of an object come from one proof, the newest, which its member `audit_evidence` names. Members that this
/// proof does not state are absent.
struct LatestAnswer {
    private let transactions: [ProvenTransaction]
    private let renewals: [ProvenRenewal]

    /// - Returns: `nil` if the receipt has no auto-renewable subscription: Apple's answer then has neither member.
    init?(_ parts: [AnswerPart]) {
        transactions = parts.compactMap { if case .transaction(let transaction) = $0 { transaction } else { nil } }
        renewals = parts.compactMap { if case .renewal(let renewal) = $0 { renewal } else { nil } }
        guard transactions.contains(where: { $0.purchase.isAutoRenewable }) else { return nil }
    }

    /// The two members, without the braces around them. The second is present only if it is not empty.
    var members: [UInt8] {
        var json = JSONBuilder()
        json.object { json in
            json.name("latest_receipt_info")
            json.array(of: transactions) { transaction, json in
                json.object { transaction.write(to: &$0) }
            }
            guard !renewals.isEmpty else { return }
            json.name("pending_renewal_info")
            json.array(of: renewals) { renewal, json in json.object { renewal.write(to: &$0) } }
        }
        return Array(json.bytes.dropFirst().dropLast())
    }
}

extension Purchase {
    /// Whether it is auto-renewable, even in receipts without attribute 1707.
    fileprivate var isAutoRenewable: Bool { expiresDate != nil && (kind ?? .autoRenewable) == .autoRenewable }
}

extension ProvenTransaction {
    /// Writes the members of an element of `latest_receipt_info` ("responseBody.Latest_receipt_info").
    fileprivate func write(to json: inout JSONBuilder) {
        if let quantity = purchase.quantity { json.member("quantity", String(quantity)) }
        json.member("product_id", purchase.productID.text)
        json.member("transaction_id", purchase.transactionID.text)
        json.member("original_transaction_id", purchase.originalTransactionID)
        json.dates("purchase_date", purchase.purchaseDate)
        json.dates("original_purchase_date", ifAny: purchase.originalPurchaseDate)
        json.dates("expires_date", ifAny: purchase.expiresDate)
        json.dates("cancellation_date", ifAny: purchase.cancellationDate)
        let reason = purchase.cancellationReason ?? purchase.details?.revocationReason
        json.member("cancellation_reason", reason.map { "\($0)" })
        json.member("web_order_line_item_id", purchase.webOrderLineItemID.map { "\($0)" })
        if purchase.statesTrial { json.member("is_trial_period", purchase.isTrialPeriod ? "true" : "false") }
        if purchase.statesIntroOffer {
            json.member("is_in_intro_offer_period", purchase.isInIntroOfferPeriod ? "true" : "false")
        }
        if let name = OfferMember.name(ofType: purchase.details?.offerType, isReceipt: purchase.details == nil) {
            json.member(name, purchase.promotionalOfferID)
        }
        if let details = purchase.details {
            json.member("in_app_ownership_type", details.ownership)
            json.member("subscription_group_identifier", details.subscriptionGroupID)
            json.member("app_account_token", details.appAccountToken)
            // Apple's answers have it only if it is true.
            if details.isUpgraded { json.member("is_upgraded", "true") }
        }
        json.auditEvidence(digest, provenAt)
    }
}

extension ProvenRenewal {
    /// Writes the members of an element of `pending_renewal_info` ("responseBody.Pending_renewal_info").
    fileprivate func write(to json: inout JSONBuilder) {
        json.member("auto_renew_product_id", renewal.nextProductID)
        json.member("auto_renew_status", renewal.renewsByItself.map { $0 ? "1" : "0" })
        json.member("expiration_intent", renewal.expirationIntent.map { "\($0)" })
        json.dates("grace_period_expires_date", ifAny: renewal.gracePeriodExpiresDate)
        json.member("is_in_billing_retry_period", renewal.isInBillingRetryPeriod.map { $0 ? "1" : "0" })
        json.member("original_transaction_id", originalTransactionID)
        json.member("price_consent_status", renewal.priceIncreaseStatus.map { "\($0)" })
        json.member("product_id", renewal.productID)
        if let name = OfferMember.name(ofType: renewal.offerType, isReceipt: false) {
            json.member(name, renewal.offerID)
        }
        json.auditEvidence(digest, provenAt)
    }
}

/// The names of offer identifiers in verifyReceipt.
private enum OfferMember {
    /// - Parameter type: `offerType` of a token; receipts have promotional offers only.
    /// - Returns: `nil` for offers that Apple's answers do not name.
    static func name(ofType type: Int?, isReceipt: Bool) -> String? {
        switch type {
        case 2: "promotional_offer_id"
        case 3: "offer_code_ref_name"
        case nil where isReceipt: "promotional_offer_id"
        default: nil
        }
    }
}

extension JSONBuilder {
    /// Writes a member with a text, unless it is empty: Apple's answers omit empty ones.
    fileprivate mutating func member(_ name: String, _ text: ExactText?) {
        if let text, !text.isEmpty { member(name, text.text) }
    }

    fileprivate mutating func member(_ name: String, _ text: String?) {
        if let text { member(name, text) }
    }

    fileprivate mutating func dates(_ name: String, ifAny date: Instant?) {
        if let date { dates(name, date) }
    }

    /// Names the proof of an object: SHA-256 of the signed content, and the signing date.
    fileprivate mutating func auditEvidence(_ digest: [UInt8], _ date: Instant) {
        name("audit_evidence")
        object { json in
            json.member("sha256", Hex.string(digest.span))
            json.member("date", date.description)
        }
    }
}
