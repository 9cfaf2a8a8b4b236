import Checks
import Encodings
import Proofs
import Receipts
import Rules

/// Writes an example of a rule as text: the policy, then a line per claim, without usual values.
struct RuleTextExample {
    /// The rule's result: `raised, critical, about account:eve`.
    let start: String
    let lines: [String]

    init(_ example: RuleExample) {
        let subject = example.subject.map { ", about `\($0)`" } ?? ""
        start = example.severity.map { "raised, \($0.code)\(subject)" } ?? "clear"
        let isNumbered = example.claims.count > 1
        let marks = example.marks.isEmpty ? example.claims.map { _ in nil } : example.marks
        let claims = Self.shown(of: Array(zip(example.claims, marks)), max: 8, "claims") { claim, mark in
            Self.claim(claim, isNumbered: isNumbered) + (mark.map { "; marked \($0.code)" } ?? "")
        }
        lines = (Self.policy(example.policy).map { ["policy: " + $0] } ?? []) + claims
    }

    /// Returns all items; if there are too many, the first two and the last, which often decides.
    private static func shown<Item>(of items: [Item], max: Int, _ name: String, _ text: (Item) -> String) -> [String] {
        guard items.count > max else { return items.map(text) }
        return items.prefix(2).map(text) + ["\(items.count - 3) more \(name)"] + items.suffix(1).map(text)
    }

    private static func claim(_ claim: ExampleClaim, isNumbered: Bool) -> String {
        var parts = [claim.device.isEmpty ? "no device" : "device \(claim.device)"]
        if !claim.account.isEmpty { parts.append("account \(claim.account)") }
        if !claim.accountToken.isEmpty { parts.append("account token `\(claim.accountToken)`") }
        if !claim.bundle.isEmpty { parts.append("claims a receipt of `\(claim.bundle)`") }
        if !claim.product.isEmpty { parts.append("asks for `\(claim.product)`") }
        if let presented = claim.presented { parts.append("presented \(presented)") }
        if !claim.failed.isEmpty {
            let reason = claim.deviation.map { " (\($0))" } ?? ""
            parts.append("fails " + claim.failed.sorted.map { "`\($0.code)`" }.joined(separator: ", ") + reason)
            if let end = claim.chainEnd { parts.append("chain valid until \(end)") }
        }
        if let stored = claim.stored {
            let words = stored.replacing("`", with: "'").split(whereSeparator: \.isWhitespace)
            let text = TextLayout.safe(words.joined(separator: " "), limit: 60)
            return parts.joined(separator: ", ") + "; sent `\(text)`"
        }
        if claim.failed.verdict == .unreadable { return parts.joined(separator: ", ") }
        let isForeign = !claim.device.isEmpty && !claim.deviceHashMatches
        if let token = claim.token {
            let isForeign = isForeign && token.isBound
            return parts.joined(separator: ", ") + "; "
                + Self.token(token, isNumbered: isNumbered, isForeign: isForeign)
        }
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
        let purchases = shown(of: receipt.purchases, max: 5, "purchases") { purchase($0) }
        return ([parts.joined(separator: ", ")] + purchases).joined(separator: "; ")
    }

    private static func token(_ token: ExampleToken, isNumbered: Bool, isForeign: Bool) -> String {
        let usual = ExampleToken()
        var parts = [isNumbered ? "\(token.kind.words) \(token.number)" : "a token (\(token.kind.words))"]
        if isForeign { parts.append("made for another device") }
        if !token.isBound { parts.append("bound to no device") }
        if token.isBound, token.nonce != token.number { parts.append("nonce \(token.nonce)") }
        if token.bundleID != usual.bundleID { parts.append("of `\(token.bundleID)`") }
        if token.environment != usual.environment { parts.append("from `\(token.environment)`") }
        if token.signed != usual.signed { parts.append("signed \(token.signed)") }
        if !token.person.isEmpty { parts.append("of person \(token.person)") }
        if !token.accountToken.isEmpty { parts.append("bought for `\(token.accountToken)`") }
        guard let bought = token.purchase else { return parts.joined(separator: ", ") }
        guard token.kind == .transaction else {
            parts.append("of the original transaction \(bought.original ?? bought.transaction)")
            return parts.joined(separator: ", ")
        }
        return parts.joined(separator: ", ") + "; " + purchase(bought)
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
        if let date = purchase.refunded { parts.append("refunded \(date)" + cause(of: purchase)) }
        if let code = purchase.storefront { parts.append("in the storefront \(code)") }
        switch purchase.ownership {
        case "PURCHASED": break
        case "FAMILY_SHARED": parts.append("shared by a family member")
        default: parts.append("of the ownership `\(purchase.ownership)`")
        }
        if let quantity = purchase.quantity { parts.append("quantity \(quantity)") }
        if let reason = purchase.additionalReason { parts.append("added for the reason `\(reason)`") }
        if let date = purchase.sharingEnded { parts.append("sharing ended \(date)") }
        if let original = purchase.previousOriginal { parts.append("before that original transaction \(original)") }
        return parts.joined(separator: ", ")
    }

    /// Why Apple revoked it, if it is not the usual reason.
    private static func cause(of purchase: ExamplePurchase) -> String {
        var parts: [String] = []
        if purchase.refundType != ExamplePurchase().refundType {
            parts.append(purchase.refundType.map { "`revocationType` \($0)" } ?? "without `revocationType`")
        }
        if let reason = purchase.refundReason { parts.append("`revocationReason` \(reason)") }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }
}

extension RuleTextExample {
    /// Returns the settings of an example's policy, if it has any.
    private static func policy(_ policy: Policy) -> String? {
        var parts: [String] = []
        if let environments = policy.environments { parts.append("allows " + listed(environments)) }
        for (id, app) in policy.apps.sorted(by: { $0.key < $1.key }) {
            var text = "has the app `\(id)`"
            if let versions = app.versions { text += ", versions " + listed(versions) }
            if let products = app.products {
                let names = products.sorted { $0.key < $1.key }.map { name, product in
                    "`\(name)`" + (product.group.map { " (group `\($0)`)" } ?? "")
                }
                text += ", which sells " + (names.isEmpty ? "nothing" : names.joined(separator: ", "))
            }
            parts.append(text)
        }
        for (id, settings) in policy.rules.sorted(by: { $0.key < $1.key }) {
            var texts = settings.limits.sorted { $0.key < $1.key }.map { "`\($0.key)` to \($0.value)" }
            if let severity = settings.severity { texts.insert("the severity to \(severity.code)", at: 0) }
            if settings.isOff { parts.append("switches `\(id)` off") }
            if !texts.isEmpty { parts.append("sets in `\(id)` " + texts.joined(separator: ", ")) }
        }
        for allowance in policy.allowances { parts.append("has `\(allowance.subject)` on its allow list") }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private static func listed(_ names: Set<ExactText>) -> String {
        names.sorted().map { "`\($0)`" }.joined(separator: ", ")
    }
}

extension Token.Kind {
    /// The kind in words.
    fileprivate var words: String {
        switch self {
        case .transaction: "transaction"
        case .renewalInfo: "renewal info"
        case .appTransaction: "app transaction"
        case .notification: "notification"
        case .realtimeRequest: "realtime request"
        }
    }
}
