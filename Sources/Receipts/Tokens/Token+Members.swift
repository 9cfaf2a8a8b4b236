import Encodings

extension Token {
    /// The maximum nesting of objects and arrays in a payload.
    static let maxDepth = 64

    /// Reads a decoded payload: a JSON object of one of the kinds that the App Store signs.
    ///
    /// An optional member of a type other than Apple's counts as absent, but as an unknown value if known ones decide
    /// money or access. A missing required member sets ``error``, and the rest is read.
    ///
    /// - Throws: ``TokenError`` if it is of no known kind.
    public init(parsing payload: [UInt8]) throws(TokenError) {
        let payload = try PayloadValue(parsing: payload)
        guard let kind = payload.tokenKind else {
            // A reader that needs only the chain of renewals takes it for a transaction.
            if payload.has("originalTransactionId") { throw .missing("transactionId") }
            throw .unknownKind
        }
        self = PayloadReader(payload, kind).fields.token
    }
}

extension PayloadValue {
    /// Reads JSON: an object without duplicate members.
    init(parsing payload: [UInt8]) throws(TokenError) {
        do throws(JSONError) {
            self.init(try JSONDocument(payload, maxDepth: Token.maxDepth))
        } catch {
            throw .notJSON(error.description)
        }
        guard kind == .object else { throw .notAnObject }
        if let name = document.repeatedName { throw .repeated(name.text) }
    }
}

extension SeatInfo {
    /// - Returns: `nil` if it has no data about seats.
    init?(_ info: PayloadValue, tiers name: ExactText) {
        // An impossible tier is kept, so that no amount is computed without it.
        let tiers = (info[name]?.objects(upTo: Self.maxTiers + 1) ?? []).map { tier in
            Tier(price: tier["price"]?.amount ?? -1, quantity: tier["quantity"]?.count ?? -1)
        }
        let isTooMany = tiers.count > Self.maxTiers
        self.init(
            tiers: isTooMany ? [Tier(price: -1, quantity: -1)] : tiers, revoked: info["revokedSeatQuantity"]?.count)
        if self.tiers.isEmpty, revoked == nil { return nil }
    }
}

extension CommerceItems {
    init(_ info: PayloadValue) {
        self.init()
        let items = info["items"]?.objects(upTo: Self.maxItems) ?? []
        let dates = items.map { $0["revocationDate"]?.date }
        areAllRevoked = !items.isEmpty && dates.allSatisfy { $0 != nil }
        revokedAt = dates.compactMap(\.self).max()
        for item in items {
            for refund in item["refunds"]?.objects(upTo: Self.maxItems) ?? [] where refunds.count < Self.maxItems {
                refunds.append(
                    Refund(
                        amount: refund["refundAmount"]?.amount ?? 0, date: refund["refundDate"]?.date,
                        reason: refund["refundReason"]?.text))
            }
        }
    }
}

extension Purchase.Kind {
    /// Makes the kind from a transaction's `type`; `nil` if it is not known.
    init?(token type: ExactText) {
        switch type {
        case "Auto-Renewable Subscription": self = .autoRenewable
        case "Non-Consumable": self = .nonConsumable
        case "Consumable": self = .consumable
        case "Non-Renewing Subscription": self = .nonRenewing
        default: return nil
        }
    }
}
