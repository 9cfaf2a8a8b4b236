import Encodings

/// A purchase of an Apple Account, and its later events.
struct HonestPurchase: Sendable {
    /// The purchase as it was first charged.
    var content: PurchaseContent
    /// When receipts first show it: a renewal is charged up to a day before its period begins.
    var shownAt: Instant
    /// The index of the use, in the Apple Account's list, in which it was bought.
    let use: Int
    /// Whether somebody bought it on a device, which then presents it; renewals are automatic.
    var isAtDevice = true
    /// When the subscription continued with a better product, which ends this period.
    var upgradedAt: Instant?
    var refundedAt: Instant?
    var isRefundMistaken = false
    /// Whether that was before the period began.
    var isUpgradedEarly = false
    /// When the app sends it once more, and asks for it.
    var sentAgainAt: Instant?
    /// When the App Store reversed the refund.
    var reversedAt: Instant?
    /// When the app finished it, after which no receipt shows a consumable.
    var finishedAt: Instant?

    /// Returns the purchase as a receipt of this time shows it; `nil` if it does not.
    func content(asOf instant: Instant) -> PurchaseContent? {
        guard shownAt <= instant, finishedAt.map({ instant < $0 }) ?? true else { return nil }
        var content = content
        if let upgradedAt, upgradedAt <= instant { content.cancelledAt = upgradedAt }
        if let refundedAt, refundedAt <= instant, reversedAt.map({ instant < $0 }) ?? true {
            content.cancelledAt = refundedAt
        }
        return content
    }

    /// Whether receipts made at two instants show it differently.
    func changed(between one: Instant, and other: Instant) -> Bool {
        [shownAt, upgradedAt, refundedAt, reversedAt, finishedAt].contains { date in
            date.map { one < $0 && $0 <= other } ?? false
        }
    }

    /// Returns the events until a time.
    func life(asOf instant: Instant) -> HonestLife {
        var life: HonestLife = []
        if let upgradedAt, upgradedAt <= instant { life.insert(isUpgradedEarly ? .lateUpgrade : .upgrade) }
        guard let refundedAt, refundedAt <= instant else { return life }
        life.insert(isRefundMistaken ? .mistakenRefund : reversedAt == nil ? .refund : .reversedRefund)
        return life
    }
}

/// Transaction ids and web order line items of one Apple Account, which no other sample has.
struct HonestNumbers {
    private let base: Int
    private var count = 0

    init(account: Int, isSandbox: Bool = false) {
        base = (isSandbox ? 2_100_000_000_000_000 : 480_000_000_000_000) + account * 100_000
    }

    init(circle number: Int) { base = 490_000_000_000_000 + number * 100_000 }

    init(customer number: Int) { base = 495_000_000_000_000 + number * 10 }

    /// Returns a number that this has not given before.
    mutating func next() -> Int {
        defer { count += 1 }
        return base + count
    }
}

/// The purchases of one Apple Account in one app, by any of its people.
struct HonestHistory {
    let app: SampleApp
    private(set) var purchases: [HonestPurchase] = []
    private let parameters: HonestParameters

    /// Makes up the purchases of some uses, which are given with their indices in the Apple Account's list.
    init(
        app: SampleApp, uses: [(place: Int, time: Range<Instant>)], _ parameters: HonestParameters,
        _ numbers: inout HonestNumbers, _ random: inout SeededGenerator
    ) {
        self.app = app
        self.parameters = parameters
        for use in uses {
            let hasSubscription = purchases.contains { $0.content.kind == .autoRenewable }
            if !hasSubscription, random.chance(percent: parameters.subscribers) {
                subscribe(use.place, use.time, &numbers, &random)
            }
            buyOnce(use.place, use.time, &numbers, &random)
        }
        refund(&numbers, &random)
        purchases.sort {
            ($0.content.purchasedAt, $0.content.transactionID) < ($1.content.purchasedAt, $1.content.transactionID)
        }
    }

    private mutating func add(
        _ product: SampleApp.Product, at instant: Instant, use: Int, _ numbers: inout HonestNumbers
    ) -> PurchaseContent {
        var purchase = PurchaseContent(
            product.kind, productID: product.id, transactionID: String(numbers.next()), purchasedAt: instant)
        purchase.productItemID = product.itemID
        purchases.append(HonestPurchase(content: purchase, shownAt: instant, use: use))
        return purchase
    }

    /// Adds consecutive periods until the user leaves; some come back. All have one original transaction, as in one
    /// subscription group.
    private mutating func subscribe(
        _ use: Int, _ time: Range<Instant>, _ numbers: inout HonestNumbers, _ random: inout SeededGenerator
    ) {
        var product = app.subscriptions[random.below(app.subscriptions.count)]
        let beginning = random.below(100)
        var offers = beginning < parameters.trials ? 0 : random.chance(percent: parameters.introOffers) ? 3 : 0
        var start = time.lowerBound.adding(seconds: random.seconds(days: 0...60))
        var first: PurchaseContent?
        var isRenewal = false
        for number in 0..<60 where start < time.upperBound {
            let isTrial = number == 0 && beginning < parameters.trials
            let days = isTrial ? min(7, product.days) : product.days
            let period = add(product, at: start, use: use, &numbers)
            let original = first ?? period
            first = original
            let end = start.adding(seconds: Int64(days * PurchaseHistory.day))
            let lineItem = numbers.next()
            let place = purchases.count - 1
            purchases[place].isAtDevice = !isRenewal
            purchases[place].content = period.with {
                $0.originalTransactionID = original.transactionID
                $0.originallyPurchasedAt = original.purchasedAt
                $0.webOrderLineItemID = lineItem
                $0.expiresAt = end
                $0.isTrial = isTrial
                $0.isIntroOffer = offers > 0
                $0.hasAttribute1722 = true
            }
            if isRenewal, random.chance(percent: parameters.earlyRenewals) {
                purchases[place].shownAt = start.adding(seconds: -Int64(random.below(PurchaseHistory.day)))
                if let better = better(than: product), let at = upgrade(place) {
                    start = at
                    product = better
                    offers = 0
                    isRenewal = false
                    continue
                }
            }
            offers = max(0, offers - 1)
            isRenewal = true
            if let better = better(than: product), !isTrial, random.chance(percent: parameters.upgrades) {
                start = start.adding(seconds: Int64(random.within(3600...max(3600, days * PurchaseHistory.day / 2))))
                purchases[place].upgradedAt = start
                product = better
                // The introductory price is the first product's.
                offers = 0
                isRenewal = false
                continue
            }
            start = end
            guard random.chance(percent: Self.churn(product)) else {
                if random.chance(percent: parameters.productChanges) {
                    offers = 0
                    product = app.subscriptions[random.below(app.subscriptions.count)]
                }
                continue
            }
            guard random.chance(percent: 25) else { return }
            offers = 0
            start = end.adding(seconds: random.seconds(days: 2...200))
            isRenewal = false
        }
    }

    private func better(than product: SampleApp.Product) -> SampleApp.Product? {
        app.subscriptions.last.flatMap { $0.id == product.id ? nil : $0 }
    }

    /// Upgrades some of the subscriptions whose renewal was charged ahead, which cancels the renewal.
    ///
    /// - Returns: when the better product was bought, before the renewal's period begins.
    private mutating func upgrade(_ place: Int) -> Instant? {
        let renewal = purchases[place]
        var random = SeededGenerator(seed: 0x7570_6772_6164, index: renewal.content.webOrderLineItemID)
        guard random.chance(percent: parameters.lateUpgrades) else { return nil }
        let ahead = renewal.content.purchasedAt.seconds - renewal.shownAt.seconds
        let at = renewal.shownAt.adding(seconds: Int64(random.below(Int(ahead))))
        let cancelledAt = at.adding(seconds: random.chance(percent: 50) ? Int64(parameters.cancellationDelay) : 0)
        purchases[place].upgradedAt = cancelledAt
        purchases[place].isUpgradedEarly = true
        purchases[place].sentAgainAt = cancelledAt.adding(seconds: 60)
        return at
    }

    /// Returns when a guest logs in after one of these consumables, which the app finishes only then; `nil` for never.
    ///
    /// - Parameter end: when the person logs in anyway; `nil` for never.
    mutating func logIn(_ use: Int, before end: Instant?) -> Instant? {
        for place in purchases.indices where purchases[place].use == use && purchases[place].finishedAt != nil {
            let bought = purchases[place].content
            var random = SeededGenerator(seed: 0x6c6f_6769_6e, index: Int(bought.transactionID) ?? 0)
            let at = bought.purchasedAt.adding(seconds: Int64(random.within(120...3600)))
            guard random.chance(percent: parameters.guestLogins), end.map({ at < $0 }) ?? true else { continue }
            purchases[place].sentAgainAt = at.adding(seconds: 5)
            purchases[place].finishedAt = max(at.adding(seconds: 60), purchases[place].finishedAt ?? at)
            return at
        }
        return nil
    }

    /// Returns the share of periods after which a user leaves.
    private static func churn(_ product: SampleApp.Product) -> Int {
        product.days < 8 ? 6 : product.days < 32 ? 8 : 30
    }

    /// Adds one-time purchases. Consumables are bought several times; restorable products once for the Apple Account.
    private mutating func buyOnce(
        _ use: Int, _ time: Range<Instant>, _ numbers: inout HonestNumbers, _ random: inout SeededGenerator
    ) {
        guard random.chance(percent: parameters.buyers) else { return }
        let length = Int(time.upperBound.seconds - time.lowerBound.seconds)
        let product = app.oneTimeProducts[random.below(app.oneTimeProducts.count)]
        let isConsumable = product.kind == .consumable
        if !isConsumable, purchases.contains(where: { $0.content.productID == product.id }) { return }
        for _ in 0..<(isConsumable ? 1 + random.below(6) * random.below(6) : 1) {
            let at = time.lowerBound.adding(seconds: Int64(random.below(length)))
            _ = add(product, at: at, use: use, &numbers)
            guard isConsumable else { continue }
            let isLate = random.chance(percent: parameters.unfinished)
            purchases[purchases.count - 1].finishedAt = at.adding(
                seconds: isLate ? random.seconds(days: parameters.unfinishedDays) : Int64(random.within(5...60)))
        }
    }

    /// Adds a refund in some of the three years, of a purchase of that year.
    private mutating func refund(_ numbers: inout HonestNumbers, _ random: inout SeededGenerator) {
        for year in 0..<3 where random.chance(percent: parameters.refunds) {
            let start = HonestWorld.start.adding(seconds: Int64(year * 365 * PurchaseHistory.day))
            let end = start.adding(seconds: Int64(365 * PurchaseHistory.day))
            let candidates = purchases.indices.filter {
                let purchase = purchases[$0]
                return (start..<end).contains(purchase.content.purchasedAt) && !purchase.content.isTrial
                    && purchase.upgradedAt == nil && purchase.refundedAt == nil
            }
            guard !candidates.isEmpty else { continue }
            refund(candidates[random.below(candidates.count)], &numbers, &random)
        }
    }

    private mutating func refund(
        _ place: Int, _ numbers: inout HonestNumbers, _ random: inout SeededGenerator
    ) {
        let content = purchases[place].content
        let at = content.purchasedAt.adding(seconds: random.seconds(days: parameters.refundDays))
        let kind = random.below(100)
        purchases[place].refundedAt = at
        guard kind >= parameters.mistakenRefunds else {
            purchases[place].isRefundMistaken = true
            guard content.kind != .autoRenewable else { return }
            var again = purchases[place]
            let date = at.adding(seconds: random.seconds(days: 0...5))
            let life = (again.finishedAt?.seconds).map { $0 - content.purchasedAt.seconds }
            again.content = PurchaseContent(
                content.kind, productID: content.productID, transactionID: String(numbers.next()), purchasedAt: date)
            again.content.productItemID = content.productItemID
            again.refundedAt = nil
            again.isRefundMistaken = false
            again.shownAt = date
            again.finishedAt = life.map { date.adding(seconds: $0) }
            purchases.append(again)
            return
        }
        if kind < parameters.mistakenRefunds + parameters.reversedRefunds {
            purchases[place].reversedAt = at.adding(seconds: random.seconds(days: parameters.reversalDays))
        } else if content.kind == .autoRenewable {
            // A refunded subscription ends with the refund.
            purchases.removeAll {
                $0.content.originalTransactionID == content.originalTransactionID
                    && $0.content.purchasedAt > content.purchasedAt
            }
        }
    }
}
