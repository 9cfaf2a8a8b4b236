import Checks
import Encodings
import Proofs
import Receipts

/// Finds recent receipts with a signature of a kind that Apple no longer makes.
struct ObsoleteSignature: ClaimRule {
    static let documentation = RuleDocumentation(
        id: "obsolete-signature",
        title: "A recent receipt has a signature of the old kind",
        severity: .medium,
        raisedWhen: """
            the signature is over SHA-1, and the receipt says that it was created after 2025-01-24 (UTC), the day on \
            which the App Store switched to SHA-256 (Apple TN3138)
            """,
        why: """
            Apple no longer signs with SHA-1. A new receipt with such a signature is an old one with a changed date, \
            or a forgery from an old tool. SHA-1 is weak: collisions can be computed.
            """,
        whenWrong: """
            Some of Apple's servers may have changed later than announced. If signature and chain hold, and many \
            receipts of one environment are affected, that is more likely than forgery.
            """,
        whatToDo: """
            Check for findings about the signature or the chain. If both hold, ask the app to refresh its receipt: \
            Apple signs new ones with SHA-256.
            """)

    static let examples: [RuleExample] = [
        .raised(
            "SHA-1 in 2026", .medium, ExampleClaim(isSHA1: true, receipt: ExampleReceipt(created: "2026-03-01"))),
        .raised(
            "SHA-1 in 2026, and the signature does not hold", .medium,
            ExampleClaim(failed: [.signatureInvalid], isSHA1: true, receipt: ExampleReceipt(created: "2026-03-01"))),
        .raised(
            "SHA-1 when the day is over", .medium,
            ExampleClaim(isSHA1: true, receipt: ExampleReceipt(created: "2025-01-25T00:00:00Z"))),
        .clear(
            "SHA-1 in the last second of the day",
            ExampleClaim(isSHA1: true, receipt: ExampleReceipt(created: "2025-01-24T23:59:59Z"))),
        .clear("SHA-256 in 2026", ExampleClaim(receipt: ExampleReceipt(created: "2026-03-01"))),
    ]

    /// 2025-01-25T00:00:00Z: Apple's technical note TN3138 names the day before, which has ended by then.
    private static let end = Instant(seconds: 1_737_763_200)

    init(_ policy: Policy) {}

    func hit(in facts: Facts) -> Hit? {
        guard facts.signature?.digestAlgorithm == .sha1 else { return nil }
        guard let created = facts.createdAt, created >= Self.end else { return nil }
        let trust = facts.isGenuine ? "signature and chain hold" : "signature or chain do not hold"
        return Hit("signed over SHA-1, but created on \(created), after 2025-01-24; \(trust)")
    }
}
