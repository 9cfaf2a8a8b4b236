import Encodings
import Receipts

/// What the tokens of claims and of evidence say of the purchases of one original transaction.
struct TokenFacts: Sendable {
    private var statements = BottomMap<ScopedID, EvidenceStatement>()

    /// Adds what an observation says under the key of the original transaction, or of one that replaced it.
    mutating func add(_ observation: Observation) {
        guard observation.isGenuine else { return }
        for statement in EvidenceStatement.statements(of: observation.purchases, in: observation) {
            statements.add(ScopedID(statement.item, in: statement.environment), statement)
        }
    }

    /// Prepares ``proven(in:_:)``, after all observations were added.
    mutating func settle() { statements = statements.compactMapValues { $1 } }

    /// Returns a claim's purchases in the state, and at the price, that the tokens signed last show.
    ///
    /// - Parameter upgrades: the claim's purchases.
    func proven(in claim: Observation, _ upgrades: UpgradeIndex) -> [ProvenPurchase] {
        let environment = claim.environmentClass.name
        let statement = { (name: ExactText) in statements[ScopedID(name, in: environment)] }
        return claim.purchases.map { purchase in
            var proven =
                purchase.proven(in: claim, upgrades) { name, _ in statement(name) }
                ?? ProvenPurchase(purchase: purchase)
            for item in EvidenceStatement.priceItems(of: purchase, isToken: claim.kind != nil) {
                guard let price = statement(item)?.price else { continue }
                proven.purchase.evidencePrice = .newest(proven.purchase.evidencePrice, price)
            }
            return proven
        }
    }
}
