import Encodings
import Receipts
import Rules

extension [PeriodID: PeriodEvidence] {
    /// Adds up what different tokens say of one transaction: an older one may not say yet that it is a part, and a
    /// receipt never says whose it is.
    func joined() -> [PeriodID: PeriodEvidence] {
        guard keys.contains(where: \.isOfManyTokens) else { return self }
        var joined = self
        var plain: [ExactText: PeriodID] = [:]
        var others: [PeriodID] = []
        for (id, evidence) in self {
            switch id {
            case .transaction, .lineItem:
                // Of several that show one transaction the first by id.
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
    /// Whether a token says that it makes a period together with others.
    fileprivate var isPart: Bool { details?.additionalReason != nil && !isMember }

    /// Whether nothing took all of it back.
    var holds: Bool { cutAt == nil }

    /// The transactions that make the period: one, where it has no parts.
    var transactions: [SubscriptionPeriod] { parts.isEmpty ? [self] : parts }

    /// Makes one period of its parts, which are in order of purchase: it was taken back if all of them were.
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
            // What was refunded before does not decide what became of the rest.
            let order: [Revocation] = [.upgrade, .move, .unknown, .accessEnd]
            revocation = order.first { causes.contains($0) } ?? revocation
        }
    }
}

extension [SubscriptionPeriod] {
    /// The same in order of purchase, with transactions that were added to a running period as parts of it.
    ///
    /// A part was bought before the first transaction of its period ended. One that goes on longer and was bought within
    /// the last day is the next period. What was bought first may not say that it is a part: it is one if it ends as the
    /// others do.
    func joiningParts() -> [SubscriptionPeriod] {
        let sorted = sorted(by: SubscriptionPeriod.precedes)
        guard sorted.indices.contains(where: { sorted[$0].isPart }) else { return sorted }
        var groups: [[SubscriptionPeriod]] = []
        /// By product, the group that was begun last, and the end of its first transaction.
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
    /// Divides them into those that count and members' others: while a period is the buyer's no member's counts, and of
    /// the members of one time one counts for all, one whose access did not end if there is one.
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

/// The time for which members of one group have a product.
private struct MemberTime: Hashable {
    let product: ExactText
    let end: Instant
}

extension SubscriptionPeriod {
    /// - Parameters:
    ///   - first: the first transaction of the period.
    ///   - end: the end of access by the parts that are known so far, at most the first one's stated end.
    fileprivate func isPart(ofPeriodFrom first: SubscriptionPeriod, until end: Instant) -> Bool {
        guard isPart || first.isPart, !isMember, !first.isMember, purchasedAt < end else { return false }
        if expiresAt == first.expiresAt { return true }
        let isNext = expiresAt > first.expiresAt && !purchasedAt.isMoreThanADay(before: first.expiresAt)
        return isPart && first.isPart && !isNext
    }
}
