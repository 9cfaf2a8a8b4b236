import Checks
import Encodings
import Proofs

/// Finds receipts whose signature does not hold over the content.
struct ForgedSignature: ClaimRule {
    static let documentation = RuleDocumentation(
        id: "forged-signature",
        title: "The receipt was altered after it was signed",
        severity: .critical,
        raisedWhen: """
            the check `signature-invalid` fails. This includes signatures that declare an algorithm other than RSA \
            with SHA-1 or SHA-256, or that cover signed attributes instead of the content
            """,
        why: """
            Apple signs every receipt. If the signature does not hold, somebody changed its contents: added a \
            purchase, moved an expiry date, or inserted another app's id.
            """,
        whenWrong: """
            A receipt damaged in transit (a truncated column, a text encoding that replaced bytes) also fails. Many \
            at once, from one version of the app or one upload path, point to damage; single ones point to forgery.
            """,
        whatToDo: """
            Do not honour the claim. Look at the receipt's contents (`audit inspect`), and ask the App Store Server \
            API for the transactions of the account.
            """)

    static let examples: [RuleExample] = [
        .raised("the signature does not hold", .critical, ExampleClaim(failed: [.signatureInvalid])),
        .clear("the signature holds", ExampleClaim()),
    ]

    init(_ policy: Policy) {}

    func hit(in facts: Facts) -> Hit? {
        guard facts.failed.contains(.signatureInvalid) else { return nil }
        switch facts.signature?.flaw {
        case .otherAlgorithm?:
            return Hit("the signature declares an algorithm that receipts are not signed with")
        case .signedAttributes?: return Hit("the signature is over signed attributes, not over the receipt's content")
        case nil: return Hit("the signature does not hold over the receipt's content")
        }
    }
}
