import Checks
import Encodings
import Proofs
import Receipts
import Rules

/// A rule's example in words: what the policy says, then a line for each claim. Only what the example is about is told.
struct RuleTextExample {
    let lines: [String]

    init(_ example: RuleExample) {
        let isNumbered = example.claims.count > 1
        let claims = Self.shown(of: example.claims, most: 8, "claims") { Self.claim($0, isNumbered: isNumbered) }
        lines = (Self.policy(example.policy).map { ["policy: " + $0] } ?? []) + claims
    }

    /// All of them; of too many the first two and the last one, for an example often turns on the last.
    private static func shown<Item>(of items: [Item], most: Int, _ name: String, _ text: (Item) -> String) -> [String] {
        guard items.count > most else { return items.map(text) }
        return items.prefix(2).map(text) + ["\(items.count - 3) more \(name)"] + items.suffix(1).map(text)
    }

    private static func claim(_ claim: ExampleClaim, isNumbered: Bool) -> String {
        var parts = [claim.device.isEmpty ? "no device" : "device \(claim.device)"]
        if !claim.account.isEmpty { parts.append("account \(claim.account)") }
        if !claim.bundle.isEmpty { parts.append("claims a receipt of `\(claim.bundle)`") }
        if !claim.product.isEmpty { parts.append("asks for `\(claim.product)`") }
        if let presented = claim.presented { parts.append("presented \(presented)") }
        if !claim.failed.isEmpty {
            let reason = claim.deviation.map { " (\($0))" } ?? ""
            parts.append("fails " + claim.failed.sorted.map { "`\($0.code)`" }.joined(separator: ", ") + reason)
        }
        if let stored = claim.stored {
            let words = stored.replacing("`", with: "'").split(whereSeparator: \.isWhitespace)
            let text = TextLayout.safe(words.joined(separator: " "), limit: 60)
            return parts.joined(separator: ", ") + "; sent `\(text)`"
        }
        if claim.failed.verdict == .unreadable { return parts.joined(separator: ", ") }
        let isForeign = !claim.device.isEmpty && !claim.deviceHashMatches
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
        if let date = receipt.expires { parts.append("expires \(date)") }
        let purchases = shown(of: receipt.purchases, most: 5, "purchases") { purchase($0) }
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
