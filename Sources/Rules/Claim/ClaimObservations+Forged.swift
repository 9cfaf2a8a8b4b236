public import Checks
import Encodings
import Inputs
import Receipts

extension ClaimObservations {
    /// Makes the observations of a claim whose signature or chain does not hold: that it names original transactions,
    /// and nothing more, because nothing that it says is proven. `nil` if it names none, or if Apple signed it.
    ///
    /// Like evidence, no rule sees them, so that no forgery marks the buyer. They only tell a purchase that a forgery
    /// presents from one that nobody presents.
    ///
    /// - Parameter number: the claim's index in the order of claims.
    public init?(forged facts: borrowing Facts, claim number: ClaimNumber) {
        guard facts.verdict == .invalid, !facts.isSigned else { return nil }
        var originals = Set((facts.purchases ?? []).map(\.original))
        if let original = facts.token?.originalTransactionID { originals.insert(original) }
        originals = originals.filter(\.isID)
        guard !originals.isEmpty else { return nil }
        var presented = Observation(claim: number, source: facts.claim.source)
        // The claim itself has its own id, and other keys.
        presented.id = ClaimID(high: ~facts.id.high, low: ~facts.id.low)
        presented.kind = .transaction
        presented.isEvidence = true
        self.init(
            presented: presented, contentDigest: nil,
            purchases: originals.sorted().map { original in
                var purchase = Purchase(
                    productID: "", transactionID: original, purchaseDate: Instant(milliseconds: 0))
                // Subscriptions and one-time purchases alike are looked up under it.
                purchase.expiresDate = purchase.purchaseDate
                return purchase
            })
    }
}
