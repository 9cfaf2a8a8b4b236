import Encodings
import Receipts

/// What a finding puts at stake while its claims are being collected. Which purchases hold at the last presentation is
/// known only at the end.
struct OpenStake: Mergeable, Sendable {
    private var transactions = BottomMap<Stake.Transaction, Shown>()
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

    mutating func add(_ other: OpenStake) {
        transactions.add(other.transactions)
        lastPresented.addGreatest(other.lastPresented)
        createdAt.addGreatest(other.createdAt)
    }

    /// Returns what is at stake, after all claims were added: for a receipt, what holds at the last presentation, or at
    /// its creation if no claim is dated.
    func closed(_ kind: StakeKind) -> Stake {
        let moment = kind == .held ? lastPresented ?? createdAt : nil
        return Stake(transactions.compactMapValues { $0.end <= moment ?? Instant(milliseconds: .min) ? nil : $0.item })
    }
}
