import Encodings
import Receipts

/// What a finding puts at stake while its claims are being collected. Which purchases hold at the last presentation is
/// known only at the end.
struct OpenStake: Sendable {
    private var transactions = BottomMap<Stake.Transaction, Shown>()
    /// The prices in tokens of the group, whether the finding is about them or not.
    private var prices = BottomMap<Stake.Transaction, SignedPrice>()
    private var lastPresented: Instant?
    private var createdAt: Instant?

    /// A purchase, with the end of its validity.
    private struct Shown: Mergeable, Sendable {
        var item: Stake.Item
        var end: Instant

        mutating func add(_ other: Shown) {
            item.add(other.item)
            end = max(end, other.end)
        }
    }

    /// Adds purchases that a claim or evidence shows.
    mutating func add(_ purchases: [Purchase], of observation: Observation) {
        lastPresented.addGreatest(observation.presentedAt)
        createdAt.addGreatest(observation.createdAt)
        for purchase in purchases {
            transactions.add(
                Stake.Transaction(purchase, of: observation),
                Shown(
                    item: Stake.Item(purchase, of: observation),
                    end: purchase.expiresDate ?? Instant(milliseconds: .max)))
        }
    }

    /// Adds the prices that a claim or evidence shows, without putting anything at stake.
    mutating func addPrices(in observation: Observation) {
        for purchase in observation.purchases {
            guard let price = purchase.signedPrice(at: observation.createdAt) else { continue }
            prices.add(Stake.Transaction(purchase, of: observation), price)
            // Receipts name what never expires by its original transaction.
            guard purchase.expiresDate == nil, !purchase.isMember, !purchase.mayBeAddition else { continue }
            prices.add(
                Stake.Transaction(purchase.original.boundedID, in: observation.environmentClass.name), price)
        }
    }

    /// Returns what is at stake, after all claims were added: for a receipt, what holds at the last presentation, or at
    /// its creation if no claim is dated.
    func closed(_ kind: StakeKind) -> Stake {
        let moment = kind == .held ? lastPresented ?? createdAt : nil
        // Without keys beyond the limit, the prices can be looked up.
        let prices = prices.compactMapValues { $1 }
        let atStake = transactions.compactMapValues { transaction, shown -> Stake.Item? in
            if let moment, shown.end <= moment { return nil }
            var item = shown.item
            item.price = .newest(item.price, prices[transaction])
            return item
        }
        return Stake(atStake)
    }
}
