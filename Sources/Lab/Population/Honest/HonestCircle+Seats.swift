import Encodings

/// Seats that an organization buys for its people, and a group whose members have no tokens.
extension HonestCircle {
    /// Apple's possible statements that a seat ended: documented ones, and unknown ones.
    private static let seatEnds: [(type: String?, reason: Int?)] = [
        (nil, nil), (nil, 0), ("ASSIGNMENT_REVOKED", nil), ("ASSIGNMENT_REVOKED", 0), ("FAMILY_REVOKE", 0),
        ("REFUND_FULL", 0), ("REFUND_PRORATED", 1), (nil, 2),
    ]

    /// A company buys seats of up to three apps, adds some, returns some, and withdraws them from its people on
    /// different days. Whether all tokens have the buyer's original transaction is not documented: for every other
    /// company they do.
    mutating func employSeats() {
        guard let buyer = members.first else { return }
        let sharesOriginal = random.chance(percent: 50)
        let end = Self.seatEnds[random.below(Self.seatEnds.count)]
        for place in 0..<random.within(1...3) {
            let app = app(place)
            guard let product = app.subscriptions.last else { continue }
            let seats = members.count + random.below(8)
            var original: String?
            var own: [String: String] = [:]
            let lost = Set(members.dropFirst().filter { _ in random.chance(percent: 30) }.map(\.name))
            let lostAt = start.adding(seconds: Self.month * Int64(5 + place) + Int64(place * 2 * PurchaseHistory.day))
            for period in 0..<10 {
                let date = start.adding(seconds: Self.month * Int64(period))
                var bought = nextPeriod(product, of: app, by: buyer, at: date, of: &original, since: start)
                bought.sell(SeatContent([SeatContent.Tier(price: product.thousandths, quantity: seats)]))
                if period == 3 { addSeats(to: &bought, product, of: app, by: buyer) }
                present(bought, by: buyer, at: date.adding(seconds: 3600), life: .seatBuyer)
                if period == 4 { refundSeats(of: bought) }
                for member in members.dropFirst() {
                    var seat = purchase(product, of: app, by: member, at: date, days: 30)
                    let first = own[member.name] ?? seat.transactionID
                    own[member.name] = first
                    seat.originalTransactionID = sharesOriginal ? bought.originalTransactionID : first
                    seat.originallyPurchasedAt = start
                    seat.ownership = "ASSIGNED"
                    seat.accountToken = nil
                    seat.seats = bought.seats
                    seat.quantity = bought.quantity
                    seat.price = bought.price
                    let hasEnded = lost.contains(member.name) && lostAt < date
                    if hasEnded { continue }
                    present(seat, by: member, at: date.adding(seconds: Self.month / 3), life: .seat)
                    guard lost.contains(member.name), lostAt < date.adding(seconds: Self.month) else { continue }
                    let ended = seat.with {
                        $0.revokedAt = lostAt
                        $0.revocationType = end.type
                        $0.revocationReason = end.reason
                        $0.signedAt = lostAt.adding(seconds: 2)
                    }
                    notify("REVOKE", of: ended, at: lostAt.adding(seconds: 2))
                    // An app that has not been opened for a long time has the old token, and then gets the new one.
                    let later = lostAt.adding(seconds: random.seconds(days: 1...60))
                    present(seat, by: member, at: later, life: [.seat, .seatEnded])
                    present(ended, by: member, at: later.adding(seconds: 60), life: [.seat, .seatEnded])
                }
            }
        }
    }

    /// Adds seats in the middle of a period, as another transaction of it.
    private mutating func addSeats(
        to bought: inout TransactionContent, _ product: SampleApp.Product, of app: SampleApp, by buyer: Member
    ) {
        bought.additionalReason = "SEAT_ADDITION"
        let date = bought.purchasedAt.adding(seconds: Self.month / 2)
        var added = purchase(product, of: app, by: buyer, at: date, days: 15)
        added.originalTransactionID = bought.originalTransactionID
        added.originallyPurchasedAt = start
        added.expiresAt = bought.expiresAt
        added.additionalReason = "SEAT_ADDITION"
        added.webOrderLineItemID = bought.webOrderLineItemID
        added.sell(SeatContent([SeatContent.Tier(price: product.thousandths / 2, quantity: 2)]))
        present(added, by: buyer, at: date, life: .seatBuyer)
        guard random.chance(percent: 50) else { return }
        let refunded = added.with {
            $0.revokedAt = date.adding(seconds: 86_400)
            $0.revocationType = "REFUND_FULL"
            $0.revocationReason = 0
        }
        notify("REFUND", of: refunded, at: date.adding(seconds: 86_402))
    }

    /// Refunds some of the seats.
    private mutating func refundSeats(of bought: TransactionContent) {
        guard let seats = bought.seats, seats.quantity > 1 else { return }
        let refunded = bought.with {
            $0.seats = seats.with { $0.revoked = 1 }
            $0.revocationPercentage = random.chance(percent: 50) ? 100_000 / seats.quantity : nil
        }
        notify("REFUND", "SEATS", of: refunded, at: bought.purchasedAt.adding(seconds: 86_400))
    }

    /// The app itself distributes the seats: its people use what their buyer's token unlocks, each with an account.
    mutating func handOutSeats() {
        guard let buyer = members.first else { return }
        let app = app(1)
        guard let product = app.subscriptions.last else { return }
        var original: String?
        for period in 0..<8 {
            let date = start.adding(seconds: Self.month * Int64(period))
            var bought = nextPeriod(product, of: app, by: buyer, at: date, of: &original, since: start)
            bought.accountToken = nil
            bought.sell(
                SeatContent(
                    [SeatContent.Tier(price: product.thousandths, quantity: members.count)],
                    invitationManagement: "DEVELOPER"))
            for member in members {
                let life: HonestLife = member.name == buyer.name ? .seatBuyer : .seat
                present(bought, by: member, at: date.adding(seconds: Self.month / 4), isBound: false, life: life)
            }
        }
    }
}
