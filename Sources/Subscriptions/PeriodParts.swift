import Encodings
import Receipts
import Rules

extension [PeriodID: PeriodEvidence] {
    /// Merges the evidence of different tokens about one transaction: an older token may not yet state that it is a
    /// part, and a receipt never states the owner.
    func joined() -> [PeriodID: PeriodEvidence] {
        guard keys.contains(where: \.isOfManyTokens) else { return self }
        var joined = self
        var plain: [ExactText: PeriodID] = [:]
        var others: [PeriodID] = []
        for (id, evidence) in self {
            switch id {
            case .transaction, .lineItem:
                // If several show one transaction, the first by id counts.
                plain[evidence.transactionID] = Swift.min(plain[evidence.transactionID] ?? id, id)
            case .part, .member: others.append(id)
            }
        }
        for id in others.sorted() {
            guard let evidence = joined[id] else { continue }
            switch id {
            case .part(let transaction):
                guard let older = plain[transaction], let known = joined.removeValue(forKey: older) else { continue }
                joined[id]?.add(known)
            case .member(let transaction):
                let same = joined[.part(transaction)] == nil ? plain[transaction] : .part(transaction)
                guard let place = same ?? evidence.familyLineItem.map(PeriodID.lineItem), let known = joined[place],
                    !known.isBought || known.transactionID == transaction
                else { continue }
                joined[id] = nil
                joined[place]?.add(evidence)
            case .transaction, .lineItem: continue
            }
        }
        return joined
    }
}

extension SubscriptionPeriod {
    /// Whether a token states that it is a part of a period.
    fileprivate var isPart: Bool { details?.additionalReason != nil && !isMember }

    /// Whether it was not revoked entirely.
    var holds: Bool { cutAt == nil }

    /// The transactions of the period: one, if it has no parts.
    var transactions: [SubscriptionPeriod] { parts.isEmpty ? [self] : parts }

    /// Makes one period from its parts, in order of purchase. It was revoked if all of them were.
    fileprivate init?(joining parts: [SubscriptionPeriod]) {
        let holding = parts.filter(\.holds)
        guard let first = parts.first, let main = holding.first ?? parts.last else { return nil }
        self = main
        guard parts.count > 1 else { return }
        self.parts = parts
        purchasedAt = first.purchasedAt
        expiresAt = (holding.isEmpty ? parts : holding).map(\.expiresAt).max() ?? main.expiresAt
        guard holding.isEmpty else { return }
        cancelledAt = parts.compactMap(\.cancelledAt).max()
        let causes = parts.compactMap(\.revocation)
        if !causes.allSatisfy(\.isRefund) {
            // An earlier refund does not decide what happened to the rest.
            let order: [Revocation] = [.upgrade, .move, .unknown, .accessEnd]
            revocation = order.first { causes.contains($0) } ?? revocation
        }
    }
}

extension [SubscriptionPeriod] {
    /// Returns the periods in order of purchase, with transactions that were added to a running period as its parts.
    ///
    /// A part was bought before the first transaction of its period ended. One that lasts longer and was bought within
    /// the last day is the next period. The first transaction may not state that it is a part: it is one if it ends
    /// when the others do.
    func joiningParts() -> [SubscriptionPeriod] {
        let sorted = sorted(by: SubscriptionPeriod.precedes)
        guard sorted.indices.contains(where: { sorted[$0].isPart }) else { return sorted }
        var groups: [[SubscriptionPeriod]] = []
        /// The last started group by product, and the end of its first transaction.
        var open: [ExactText: (index: Int, end: Instant)] = [:]
        for period in sorted {
            if let (index, end) = open[period.productID], let first = groups[index].first,
                period.isPart(ofPeriodFrom: first, until: end)
            {
                groups[index].append(period)
                open[period.productID]?.end = Swift.max(end, Swift.min(period.end, first.expiresAt))
            } else {
                open[period.productID] = (groups.count, period.end)
                groups.append([period])
            }
        }
        return groups.compactMap(SubscriptionPeriod.init(joining:)).sorted(by: SubscriptionPeriod.precedes)
    }
}

extension [SubscriptionPeriod] {
    /// Divides them into those that count and other members' periods. While the buyer has a period, no member's period
    /// counts. Otherwise one counts for all members at the same time, if possible one whose access did not end.
    func withoutMembers() -> (counted: [SubscriptionPeriod], others: [SubscriptionPeriod]) {
        let bought = filter { !$0.isMember }
        var (counted, others) = (bought, [SubscriptionPeriod]())
        let members = filter(\.isMember).sorted { a, b in
            let (isHeld, isOtherHeld) = (a.cancelledAt == nil, b.cancelledAt == nil)
            return isHeld == isOtherHeld ? SubscriptionPeriod.precedes(a, b) : isHeld
        }
        var seen: Set<MemberTime> = []
        for member in members {
            let isFirst = seen.insert(MemberTime(product: member.productID, end: member.expiresAt)).inserted
            let isBought = bought.contains { $0.purchasedAt < member.expiresAt && member.purchasedAt < $0.expiresAt }
            if isFirst, !isBought { counted.append(member) } else { others.append(member) }
        }
        return (counted, others)
    }
}

/// The time in which members of one group have a product.
private struct MemberTime: Hashable {
    let product: ExactText
    let end: Instant
}

extension SubscriptionPeriod {
    /// - Parameters:
    ///   - first: the first transaction of the period.
    ///   - end: the end of access according to the parts so far, at most the first one's stated end.
    fileprivate func isPart(ofPeriodFrom first: SubscriptionPeriod, until end: Instant) -> Bool {
        guard isPart || first.isPart, !isMember, !first.isMember, purchasedAt < end else { return false }
        if expiresAt == first.expiresAt { return true }
        let isNext = expiresAt > first.expiresAt && !purchasedAt.isMoreThanADay(before: first.expiresAt)
        return isPart && first.isPart && !isNext
    }
}
