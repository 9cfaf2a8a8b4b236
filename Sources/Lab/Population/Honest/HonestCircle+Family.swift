import Encodings

/// Families: the buyer's refund is not the others', and children grow up.
extension HonestCircle {
    /// A buyer shares up to three apps, and gets two of them refunded; the others' tokens show the same.
    mutating func refundBuyer() {
        guard let buyer = members.first else { return }
        for place in 0..<3 {
            let app = app(place)
            guard let product = app.products.first(where: { $0.kind != .consumable }) else { continue }
            let days = product.kind == .autoRenewable ? 30 : nil
            let date = start.adding(seconds: Int64(place * 3 * PurchaseHistory.day))
            let bought = purchase(product, of: app, by: buyer, at: date, days: days)
            present(bought, by: buyer, at: date.adding(seconds: 60), life: .familyShared)
            let refundedAt = date.adding(seconds: random.seconds(days: 4...20))
            let isRefunded = place < 2
            let reason = random.below(2)
            if isRefunded { request(refundOf: bought, at: refundedAt.adding(seconds: -6 * 3600)) }
            for member in members {
                var shared = bought
                if member.name != buyer.name {
                    shared = purchase(product, of: app, by: member, at: date, days: days)
                    shared.ownership = "FAMILY_SHARED"
                    shared.accountToken = nil
                    present(shared, by: member, at: date.adding(seconds: 86_400), life: .familyShared)
                }
                guard isRefunded else { continue }
                let ended = shared.with {
                    $0.revokedAt = refundedAt
                    $0.revocationType = "REFUND_FULL"
                    $0.revocationReason = reason
                    $0.signedAt = refundedAt.adding(seconds: 2)
                }
                notify(member.name == buyer.name ? "REFUND" : "REVOKE", of: ended, at: ended.signedAt)
                let later = refundedAt.adding(seconds: random.seconds(days: 1...60))
                if member.name != buyer.name, random.chance(percent: 50) {
                    present(shared, by: member, at: later, life: [.familyShared, .sharingEnded])
                }
                present(ended, by: member, at: later.adding(seconds: 60), life: [.familyShared, .sharingEnded])
            }
        }
    }

    /// A child whose parent withdraws consent, whose purchases later get another account, and about whom Apple states
    /// values that no current version knows.
    mutating func growUp() {
        guard let member = members.first else { return }
        let app = app(1)
        let unknown = ["GIFTED", "LOANED", "PURCHASED"][random.below(3)]
        var ends: [TransactionContent] = []
        for (place, product) in app.products.enumerated() {
            let date = start.adding(seconds: Int64(place * 4 * PurchaseHistory.day))
            let bought = purchase(
                product, of: app, by: member, at: date, days: product.kind == .autoRenewable ? 30 : nil
            ).with {
                $0.ownership = unknown
                $0.accountToken = TokenOwner.uuid(&random)
                $0.offer = place == 0 ? OfferContent(5, discountType: "PAY_WHAT_YOU_WANT", period: "P1M") : nil
            }
            present(bought, by: member, at: date.adding(seconds: 60), life: .unknownValue)
            let changed = bought.with {
                $0.accountToken = member.owner.accountToken
                $0.signedAt = date.adding(seconds: 86_400)
            }
            notify("ACCOUNT_CHANGED", of: changed, at: changed.signedAt)
            let revokedAt = date.adding(seconds: 3 * 86_400)
            ends.append(
                changed.with {
                    $0.revokedAt = revokedAt
                    $0.revocationType = ["CONSENT_RESCINDED", nil][random.below(2)]
                    $0.revocationReason = 3
                    $0.signedAt = revokedAt.adding(seconds: 2)
                })
        }
        for ended in ends {
            notify("REVOKE", of: ended, at: ended.signedAt)
            present(ended, by: member, at: ended.signedAt, life: .unknownValue)
        }
        guard let last = ends.last else { return }
        let appTransaction = AppTransactionContent(bundleID: app.bundleID, createdAt: last.signedAt).with {
            $0.appItemID = app.itemID
            $0.appTransactionID = member.appTransactionID(in: app)
        }
        notify("RESCIND_CONSENT", of: last, appTransaction, at: last.signedAt.adding(seconds: 60))
    }
}
