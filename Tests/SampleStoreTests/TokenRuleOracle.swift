import Checks
import Encodings
import Inputs
import Receipts
import SampleStore

/// What a token says in addition to its purchase.
extension RuleOracle.Witness {
    private var token: Token? { facts.isGenuine ? facts.token : nil }
    /// Apple's name of the account in the app.
    var person: String? { token?.appTransactionID?.text }
    /// What binds it to a device.
    var nonce: String? { token?.deviceVerification?.nonce.text.lowercased() }

    /// Whether the claim names another account than the token.
    var isOfOtherAccount: Bool {
        guard let bought = token?.appAccountToken?.text.lowercased(), !claim.row.accountToken.isEmpty else {
            return false
        }
        return bought != claim.row.accountToken.lowercased()
    }
}

/// The rules of many tokens.
extension RuleOracle {
    mutating func checkTokens(_ observations: [Observation]) {
        let tokens = observations.filter { $0.witness.facts.token != nil }
        for ((transaction, _), claims) in Self.copies(tokens) {
            let all = Set(claims.compactMap(\.device))
            // Those that present one payload are said to share it.
            let payloads = Dictionary(grouping: claims, by: \.contentHash).values
            let shared = payloads.filter { devices($0) > 1 }.flatMap { $0.compactMap(\.device) }
            guard all.count > 1, Set(shared) != all else { continue }
            add(.tokenReplay, isHandOver(claims) ? .medium : .critical, "transaction:" + transaction, claims)
        }
        let persons = Dictionary(grouping: witnesses.filter { $0.person != nil }) { $0.person ?? "" }
        for (person, claims) in persons {
            let named = claims.filter { !$0.account.isEmpty }
            if accounts(named) > 2 { add(.sharedPerson, .medium, "person:" + person, named) }
            checkStorefronts("person:" + person, tokens.filter { $0.witness.person == person })
        }
        let others = tokens.filter { $0.witness.person == nil && !$0.witness.account.isEmpty }
        for (account, bought) in Dictionary(grouping: others, by: \.witness.account) {
            checkStorefronts("account:" + account, bought)
        }
        for (original, shown) in Dictionary(grouping: tokens, by: \.original) { checkFamily(original, shown) }
    }

    /// The claims of each transaction's tokens with one nonce.
    private static func copies(_ tokens: [Observation]) -> [((String, String), [Witness])] {
        let bound = tokens.filter { $0.witness.nonce != nil && $0.witness.device != nil }
        return Dictionary(grouping: bound) { [$0.purchase.transactionID.text, $0.witness.nonce ?? ""] }
            .map { (($0.key[0], $0.key[1]), $0.value.map(\.witness)) }
    }

    /// Purchases in several countries within thirty days: the most of them, then the earliest.
    private mutating func checkStorefronts(_ subject: String, _ bought: [Observation]) {
        let bought = bought.filter { $0.purchase.details?.storefront != nil }
            .sorted { $0.purchase.purchaseDate < $1.purchase.purchaseDate }
        func country(_ one: Observation) -> String { one.purchase.details?.storefront?.text ?? "" }
        let windows = bought.indices.map { last in
            bought[...last].filter {
                $0.purchase.purchaseDate.adding(seconds: 30 * 86_400) >= bought[last].purchase.purchaseDate
            }
        }
        let counts = windows.map { Set($0.map(country)).count }
        guard let most = counts.max(), most > 1, let first = counts.firstIndex(of: most) else { return }
        add(.storefrontHop, most > 3 ? .medium : .low, subject, windows[first].map(\.witness))
    }

    /// A shared purchase that is used long after the sharing ended, or by seven people.
    private mutating func checkFamily(_ original: String, _ shown: [Observation]) {
        var involved = Set(shown.compactMap(\.witness.person)).count > 6 ? shown.map(\.witness) : []
        for ended in shown where ended.isSharingEnded {
            guard let end = ended.purchase.cancellationDate else { continue }
            let whole = shown.filter { other in
                other.witness.person == ended.witness.person && other.purchase.cancellationDate == nil
                    && other.purchase.transactionID == ended.purchase.transactionID
            }
            guard whole.allSatisfy({ ($0.witness.facts.createdAt ?? end) <= end }) else { continue }
            involved += whole.map(\.witness).filter { $0.presentedAt > end.adding(seconds: 30 * 86_400) }
        }
        if !involved.isEmpty { add(.familyOverreach, .low, "transaction:" + original, involved) }
    }
}
