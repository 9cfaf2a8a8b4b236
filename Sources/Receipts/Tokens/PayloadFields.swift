import Encodings

/// Collects the members of a payload one by one, in any order. ``token`` is built from them at the end.
struct PayloadFields {
    var token: Token
    var purchase = Purchase.unread
    var purchaseDate: Instant?
    var details = TransactionDetails()
    var renewal = Token.RenewalInfo()
    var notification = Token.Notification(type: "", uuid: "")
    /// `offerDiscountType`, even if it is not a text.
    var discount: ExactText?
    /// Whether there is a `quantity` with an impossible value.
    var isQuantityUnknown = false
    /// `deviceVerification`.
    var deviceHash: ExactText?
    var nonce: ExactText?

    init(_ kind: Token.Kind) { token = Token(kind: kind) }

    /// Completes the token after all members were read.
    ///
    /// - Parameter payload: the whole payload.
    mutating func finish(_ payload: PayloadValue) {
        switch token.kind {
        case .transaction: finishTransaction()
        case .renewalInfo:
            if payload["autoRenewStatus"]?.kind != .number, renewal.nextProductID == nil {
                fail(payload.has("autoRenewProductId") ? .type("autoRenewProductId") : .missing("autoRenewProductId"))
            }
            renewal.productID = token.productID
            token.renewal = renewal
        case .notification:
            token.notification = notification
            readBody(of: payload)
            if token.signedAt == nil {
                if payload.has("signedDate") { fail(.type("signedDate")) }
                token.signedAt = payload.has("signedDate") ? nil : notification.dateInside
            }
            if token.signedAt == nil { fail(.noDate) }
        case .realtimeRequest, .appTransaction: break
        }
        if let deviceHash, let nonce { token.deviceVerification = Token.DeviceVerification(deviceHash, nonce: nonce) }
    }

    mutating func fail(_ found: TokenError) { token.error = token.error ?? found }

    private mutating func finishTransaction() {
        guard let transactionID = token.transactionID, let productID = token.productID, let purchaseDate else { return }
        purchase.transactionID = transactionID
        purchase.productID = productID
        purchase.purchaseDate = purchaseDate
        purchase.originalTransactionID = token.originalTransactionID
        details.appAccountToken = token.appAccountToken
        // The price is for one seat, and the number of seats is unknown.
        if isQuantityUnknown, purchase.kind == .autoRenewable { details.price = TransactionDetails.unknownPrice }
        // Apple may state the refunds of all items, but not of the whole.
        purchase.cancellationDate = purchase.cancellationDate ?? details.commerce?.endedAt(price: details.price)
        purchase.details = details
        // An unknown discount is not a trial. Without one the price decides, if the offer is known.
        let isKnownOffer = details.offerType.map { (1...4).contains($0) } ?? false
        let isFree = discount.map { $0 == "FREE_TRIAL" } ?? (details.price == 0 && isKnownOffer)
        purchase.isTrialPeriod = isFree
        purchase.isInIntroOfferPeriod = details.offerType == 1 && !isFree
        purchase.statesTrial = true
        purchase.statesIntroOffer = purchase.kind == .autoRenewable
        token.purchase = purchase
    }
}

extension PayloadValue {
    /// Whether there is a member of this name, even if it is not a text.
    func has(_ name: ExactText) -> Bool { document.member(name, of: index) != nil }

    /// The kind of token: the first that matches.
    var tokenKind: Token.Kind? {
        if has("notificationType") { return .notification }
        if has("requestIdentifier") { return .realtimeRequest }
        if has("transactionId") { return .transaction }
        if has("autoRenewStatus") || has("autoRenewProductId") { return .renewalInfo }
        return has("receiptType") ? .appTransaction : nil
    }
}

extension Token.DeviceVerification {
    fileprivate init(_ encoded: ExactText, nonce: ExactText) {
        var hash: [UInt8] = []
        let isHash = Base64.decode(standard: encoded.utf8.span, into: &hash) && hash.count == 48
        self.init(hash: isHash ? hash : [], nonce: nonce)
    }
}
