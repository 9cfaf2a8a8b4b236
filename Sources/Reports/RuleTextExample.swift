import Checks
import Receipts
import Rules

/// A rule's example in words: what the policy says, then a line for each claim. Only what the example is about is told.
struct RuleTextExample {
    let lines: [String]

    init(_ example: RuleExample) {
        let shown = example.claims.count > 8 ? 3 : example.claims.count
        let isNumbered = example.claims.count > 1
        var lines = Self.policy(example.policy).map { ["policy: " + $0] } ?? []
        lines += example.claims.prefix(shown).map { Self.claim($0, isNumbered: isNumbered) }
        if shown < example.claims.count { lines.append("and \(example.claims.count - shown) claims more of this kind") }
        self.lines = lines
    }

    private static func claim(_ claim: ExampleClaim, isNumbered: Bool) -> String {
        var parts = [claim.device.isEmpty ? "no device" : "device \(claim.device)"]
        if !claim.account.isEmpty { parts.append("account \(claim.account)") }
        if !claim.product.isEmpty { parts.append("asks for `\(claim.product)`") }
        if let presented = claim.presented { parts.append("presented \(presented)") }
        if !claim.failed.isEmpty {
            parts.append("fails " + claim.failed.sorted.map { "`\($0.code)`" }.joined(separator: ", "))
        }
        if let stored = claim.stored {
            let text = TextLayout.safe(stored.replacing("`", with: "'").replacing("\n", with: " "), limit: 60)
            return parts.joined(separator: ", ") + "; sent `\(text)`"
        }
        if claim.failed.verdict == .unreadable { return parts.joined(separator: ", ") }
        let isForeign = !claim.device.isEmpty && !claim.isVerified
        return parts.joined(separator: ", ") + "; "
            + receipt(claim.receipt, isNumbered: isNumbered, isForeign: isForeign, isSHA1: claim.isSHA1)
    }

    private static func receipt(
        _ receipt: ExampleReceipt, isNumbered: Bool, isForeign: Bool, isSHA1: Bool
    ) -> String {
        let usual = ExampleReceipt()
        var parts = [isNumbered ? "receipt \(receipt.number)" : "a receipt"]
        if isForeign { parts.append("made for another device") }
        if isSHA1 { parts.append("signed with SHA-1") }
        if receipt.bundleID != usual.bundleID { parts.append("of `\(receipt.bundleID)`") }
        if receipt.environment != usual.environment { parts.append("from `\(receipt.environment)`") }
        if receipt.created != usual.created { parts.append("created \(receipt.created)") }
        let shown = receipt.purchases.count > 5 ? 2 : receipt.purchases.count
        var purchases = receipt.purchases.prefix(shown).map { purchase($0) }
        if shown < receipt.purchases.count { purchases.append("\(receipt.purchases.count - shown) purchases more") }
        return ([parts.joined(separator: ", ")] + purchases).joined(separator: "; ")
    }

    private static func purchase(_ purchase: ExamplePurchase) -> String {
        let usual = ExamplePurchase()
        var parts = ["purchase of `\(purchase.product)`"]
        if let kind = purchase.kind { parts[0] += " (\(kind.words))" }
        if purchase.transaction != usual.transaction { parts.append("transaction \(purchase.transaction)") }
        if let original = purchase.original { parts.append("original transaction \(original)") }
        if purchase.isTrial { parts.append("a trial") }
        if purchase.isIntro { parts.append("at an introductory price") }
        parts.append("bought \(purchase.bought)")
        if let date = purchase.originallyBought { parts.append("first bought \(date)") }
        if let date = purchase.expires { parts.append("expires \(date)") }
        if let date = purchase.refunded { parts.append("refunded \(date)") }
        return parts.joined(separator: ", ")
    }
}

extension Purchase.Kind {
    fileprivate var words: String {
        switch self {
        case .nonConsumable: "non-consumable"
        case .consumable: "consumable"
        case .nonRenewing: "non-renewing subscription"
        case .autoRenewable: "auto-renewable subscription"
        case .freeSubscription: "free subscription"
        }
    }
}
