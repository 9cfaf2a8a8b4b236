package import Encodings
package import Receipts

extension Purchase {
    static var unread: Purchase {
        Purchase(productID: "", transactionID: "", purchaseDate: Instant(milliseconds: 0))
    }

    /// Codes a purchase.
    ///
    /// - Parameters:
    ///   - product: the product of the previous purchase.
    ///   - key: the transaction's id that the record is stored under; empty if it is stored under another key.
    package mutating func code<Coder: FieldCoder & ~Escapable>(
        _ coder: inout Coder, after product: ExactText, underTransaction key: ExactText
    ) throws(Coder.Failure) {
        var bits = try coder.beginBits()
        try coder.text(&productID, unless: product, &bits)
        try coder.id(&transactionID, unless: key, &bits)
        try coder.instant(&purchaseDate)
        if coder.isPresent(originalTransactionID != nil, &bits) {
            var original = originalTransactionID ?? ""
            try coder.id(&original, unless: transactionID, &bits)
            originalTransactionID = original
        }
        try coder.instant(&originalPurchaseDate, since: purchaseDate, &bits)
        if coder.isPresent(kind != nil, &bits) {
            var kind = kind ?? .nonConsumable
            try coder.kind(&kind)
            self.kind = kind
        }
        try coder.instant(&expiresDate, since: purchaseDate, &bits)
        try coder.number(&webOrderLineItemID, &bits)
        try coder.instant(&cancellationDate, since: purchaseDate, &bits)
        coder.flag(&isTrialPeriod, &bits)
        coder.flag(&isInIntroOfferPeriod, &bits)
        try coder.text(&promotionalOfferID, &bits)
        try coder.value(&details, &bits)
        try coder.value(&evidencePrice, &bits)
        // Nearly all current receipts have these values.
        let isOrdinary = quantity == 1 && cancellationReason == nil && statesTrial && statesIntroOffer
        if coder.isPresent(!isOrdinary, &bits) {
            try codeRest(&coder)
        } else {
            quantity = 1
            cancellationReason = nil
            statesTrial = true
            statesIntroOffer = true
        }
        coder.end(bits)
    }

    private mutating func codeRest<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var bits = try coder.beginBits()
        try coder.number(&quantity, &bits)
        try coder.number(&cancellationReason, &bits)
        coder.flag(&statesTrial, &bits)
        coder.flag(&statesIntroOffer, &bits)
        coder.end(bits)
    }
}

extension FieldCoder where Self: ~Escapable {
    /// Codes a list of purchases, each without the product that it shares with the one before it.
    ///
    /// - Parameter key: as in ``Purchase/code(_:after:underTransaction:)``.
    mutating func purchases(_ list: inout [Purchase], underTransaction key: ExactText) throws(Failure) {
        var product: ExactText = ""
        try self.list(&list, of: .unread) { (purchase, coder) throws(Failure) in
            try purchase.code(&coder, after: product, underTransaction: key)
            product = purchase.productID
        }
    }
}

extension SignedPrice: Recorded {
    package static var unread: SignedPrice {
        SignedPrice(millionths: 0, currency: "", signedAt: Instant(milliseconds: 0))
    }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.signed(&millionths)
        try coder.text(&currency)
        try coder.instant(&signedAt)
    }
}

extension Token.RenewalInfo: Recorded {
    package static var unread: Self { Self() }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var bits = try coder.beginBits()
        try coder.flag(&renewsByItself, &bits)
        try coder.text(&nextProductID, &bits)
        try coder.number(&expirationIntent, &bits)
        try coder.flag(&isInBillingRetryPeriod, &bits)
        try coder.instant(&gracePeriodExpiresDate, &bits)
        try coder.instant(&renewalDate, &bits)
        try coder.wideNumber(&renewalPrice, &bits)
        try coder.text(&currency, &bits)
        try coder.text(&offerID, &bits)
        try coder.number(&offerType, &bits)
        try coder.number(&priceIncreaseStatus, &bits)
        try coder.text(&productID, &bits)
        let hasMore = quantity != nil || !tiers.isEmpty || commitmentRenews != nil || commitmentRenewalDate != nil
        if coder.isPresent(hasMore, &bits) { try codeMore(&coder) }
        coder.end(bits)
    }

    private mutating func codeMore<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var bits = try coder.beginBits()
        try coder.number(&quantity, &bits)
        try coder.flag(&commitmentRenews, &bits)
        try coder.instant(&commitmentRenewalDate, &bits)
        coder.end(bits)
        try coder.list(&tiers)
    }
}

extension FieldCoder where Self: ~Escapable {
    fileprivate mutating func kind(_ kind: inout Purchase.Kind) throws(Failure) {
        var number = UInt8(truncatingIfNeeded: kind.rawValue)
        try byte(&number)
        guard let read = Purchase.Kind(rawValue: Int(number)) else { return try reject() }
        kind = read
    }
}
