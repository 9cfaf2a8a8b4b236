import Checks
import Encodings
import Inputs
import Receipts

/// Finds tokens that were bought for another account.
struct AccountTokenMismatch: InformedClaimRule {
    static let documentation = RuleDocumentation(
        id: "account-token-mismatch",
        title: "The token was bought for another account",
        severity: .medium,
        confidence: .possible,
        raisedWhen: """
            signature and chain of a StoreKit 2 token hold, and its `appAccountToken` is not the claim's \
            `account_token`, compared as UUIDs in any form. Nothing is compared if either is absent or is no UUID. Nor \
            is it if a token of the same original transaction, of evidence or of any claim, was signed later and has \
            the claim's UUID, as the UUID can be changed
            """,
        why: """
            The app passes StoreKit a UUID for the buying account (`Product.PurchaseOption.appAccountToken(_:)`), and \
            Apple includes it in every token of the purchase (`appAccountToken` in JWSTransactionDecodedPayload and \
            JWSRenewalInfoDecodedPayload). Another account that presents the token is not the buyer.
            """,
        whenWrong: """
            A person with two of your accounts, or with a new one after deleting the first, restores the other's \
            purchases. So does a couple that shares an Apple Account on one device. Purchases made before the app \
            passed a UUID, or outside the app (offer codes, the App Store's page), have none and are not compared. \
            Your server can change the UUID later (App Store Server API, Set App Account Token), and older tokens do \
            not show the change. Give the newer ones as evidence (`--evidence` takes notifications). If nearly all \
            claims of one app are raised, the export has the wrong column. If a stranger presents somebody's token, \
            only the stranger's claim is raised. Confidence is possible.
            """,
        whatToDo: """
            Look up the account whose UUID the token has. Unlock the purchase there, or move it on the customer's \
            request; several accounts with one buyer's token suggest a trade (`shared-account`).
            """)

    static let examples: [RuleExample] = [
        .raised("a token that Ann's account bought", .medium, claim(has: ann, account: bob)),
        .raised("so is a renewal info", .medium, claim(1, .renewalInfo, has: ann, account: bob)),
        .clear("the account's own token", claim(has: ann, account: ann)),
        .clear(
            "a newer token of the purchase, in another claim, has the account's UUID", claim(has: ann, account: bob),
            claim(2, has: bob, account: bob, signed: "2026-03-02")),
        .clear(
            "a newer renewal info has it", claim(has: ann, account: bob),
            claim(2, .renewalInfo, has: bob, account: bob, signed: "2026-03-02")),
        .raised(
            "only an older token has it", .medium, claim(has: ann, account: bob),
            claim(2, has: bob, account: bob, signed: "2026-02-27")),
        .raised(
            "only a newer token of another purchase has it", .medium, claim(has: ann, account: bob),
            claim(2, has: bob, account: bob, signed: "2026-03-02", ExamplePurchase("gold", "460000000000002"))),
        .raised(
            "the newer token is forged", .medium, claim(has: ann, account: bob),
            claim(2, has: bob, account: bob, signed: "2026-03-02", failed: [.signatureInvalid])),
        .clear("the same UUID in upper case", claim(has: ann, account: "0A5C9B0E-7E0C-4C5B-9D53-2F8C8E0D0A01")),
        .clear("the same UUID without hyphens", claim(has: ann, account: "0a5c9b0e7e0c4c5b9d532f8c8e0d0a01")),
        .raised(
            "another's UUID in braces", .medium, claim(has: ann, account: "{0A5C9B0E-7E0C-4C5B-9D53-2F8C8E0D0B02}")),
        .clear("the claim has something else than a UUID", claim(has: ann, account: "bob@example.com")),
        .clear("the token has none", claim(has: "", account: bob)),
        .clear("the claim has none", claim(has: ann, account: "")),
        .clear("the claim has a placeholder", claim(has: ann, account: "null")),
        .clear("the app gave StoreKit a placeholder", claim(has: "00000000-0000-0000-0000-000000000000", account: bob)),
        .clear(
            "the token is forged, so that it proves nothing", claim(has: ann, account: bob, failed: [.signatureInvalid])
        ),
    ]

    private static let ann: ExactText = "0a5c9b0e-7e0c-4c5b-9d53-2f8c8e0d0a01"
    private static let bob: ExactText = "0a5c9b0e-7e0c-4c5b-9d53-2f8c8e0d0b02"

    private static func claim(
        _ number: Int = 1, _ kind: Token.Kind = .transaction, has token: ExactText, account: ExactText,
        signed: String = "2026-03-01", failed: CheckSet = [], _ purchase: ExamplePurchase = ExamplePurchase()
    ) -> ExampleClaim {
        ExampleClaim(
            accountToken: account, failed: failed,
            token: ExampleToken(number, kind: kind, signed: signed, accountToken: token, purchase))
    }

    /// When a token with each account's UUID was signed last.
    private var accounts = BottomMap<ScopedID, Instant>()

    init(_ policy: Policy) {}

    func mayRaise(_ observation: borrowing Observation) -> Bool { !observation.claimedAccountToken.isEmpty }

    mutating func add(_ observation: Observation) {
        guard observation.isGenuine, !observation.accountToken.isEmpty, let date = observation.createdAt else { return }
        let account = ScopedID(observation.accountToken, in: observation.environmentClass.name)
        accounts.update(account, from: date) { $0 = max($0, date) }
    }

    mutating func hit() -> Hit? {
        accounts = accounts.compactMapValues { $1 }
        return nil
    }

    func hit(about claim: Observation) -> Hit? {
        let (bought, claimed) = (claim.accountToken, claim.claimedAccountToken)
        guard !claimed.isEmpty, let signedAt = claim.createdAt else { return nil }
        let last = accounts[ScopedID(claimed, in: claim.environmentClass.name)]
        guard last.map({ $0 <= signedAt }) ?? true else { return nil }
        return Hit("the token was bought for “\(bought)”, and “\(claimed)” presents it")
    }

    /// Returns two UUIDs in their canonical form: that of the account for which a token was bought, and that of the
    /// account that presents it; `nil` if they do not differ.
    static func accounts(in facts: borrowing Facts) -> (bought: ExactText, claimed: ExactText)? {
        guard let token = facts.token?.appAccountToken, let bought = DeviceIdentifiers.canonicalUUID(token),
            !Placeholder.matches(bought), facts.provenPurchases != nil
        else { return nil }
        let claimed = facts.claim.accountUUID
        return claimed.isEmpty || claimed == bought ? nil : (bought, claimed)
    }
}
