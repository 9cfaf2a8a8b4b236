import Checks
import Encodings
import Proofs
import Receipts

/// Finds receipts that are not signed by the App Store's receipt signing.
struct UntrustedSigner: ClaimRule {
    static let documentation = RuleDocumentation(
        id: "untrusted-signer",
        title: "The receipt was not signed by the App Store",
        severity: .critical,
        raisedWhen: """
            one of the checks `signer-not-found`, `chain-untrusted`, `chain-expired` or `signer-not-app-store` fails
            """,
        why: """
            Anybody can sign anything with a certificate of their own. A receipt counts only if its chain ends at \
            Apple's root and its certificates are for receipt signing. Developer certificates from Apple chain to the \
            same root, and forgers have signed receipts with one.
            """,
        whenWrong: """
            Xcode signs receipts for local tests with a certificate of its own; such receipts come from developers' \
            machines. Samples from Apple's documentation of 2010 are signed by an older chain without the markers. Apple \
            itself signed with an expired intermediate once: the WWDR certificate ended on 2023-02-07 at 21:48:47 UTC, \
            and receipts of that night and of 2023-02-08 carry it. A finding by `chain-expired` alone, by less than two \
            days, is only `possible`. If every recent receipt is raised, Apple may use a new root: pass it with \
            `--root`, beside the old ones.
            """,
        whatToDo: """
            Do not honour the claim. Look at the certificates (`audit inspect`): a name and serial number that recur \
            in several claims belong to one tool. If it is a developer's certificate, tell Apple.
            """)

    static let examples: [RuleExample] = [
        .raised("the signer's certificate is missing", .critical, ExampleClaim(failed: [.signerNotFound])),
        .raised("a forger signed with a certificate of his own", .critical, ExampleClaim(failed: [.chainUntrusted])),
        .raised(
            "a certificate had expired when the receipt was made", .critical, ExampleClaim(failed: [.chainExpired])),
        .raised(
            "Apple signed hours after its intermediate had expired, which is possible only (2023-02-08)", .critical,
            ExampleClaim(
                failed: [.chainExpired], chainEnd: "2023-02-07T21:48:47Z",
                receipt: ExampleReceipt(created: "2023-02-08"))),
        .raised(
            "a developer's certificate signed, which chains to Apple too", .critical,
            ExampleClaim(failed: [.signerNotAppStore])),
        .raised(
            "Xcode signed for a local test", .critical,
            ExampleClaim(
                failed: [.chainUntrusted, .noncanonicalContainer], receipt: ExampleReceipt(environment: "Xcode"))),
        .clear("the App Store signed", ExampleClaim()),
        .clear("the App Store signed, but the content was altered", ExampleClaim(failed: [.signatureInvalid])),
    ]

    private static let checks: [Check] = [.signerNotFound, .chainUntrusted, .chainExpired, .signerNotAppStore]

    init(_ policy: Policy) {}

    func hit(in facts: Facts) -> Hit? {
        guard !facts.failed.isEmpty else { return nil }
        let failed = Self.checks.filter { facts.failed.contains($0) }
        guard !failed.isEmpty else { return nil }
        let text = failed.map { Self.meaning(of: $0, facts) }.joined(separator: "; ")
        let isXcode = facts.environment == "Xcode"
        return Hit(
            isXcode ? text + "; its environment is “Xcode”: Xcode made it for a local test" : text,
            confidence: failed == [.chainExpired] && Self.isNearlyValid(facts) ? .possible : nil)
    }

    /// Whether the proof was made less than two days outside the validity of the chain.
    private static func isNearlyValid(_ facts: Facts) -> Bool {
        guard case .trusted(let validity, _)? = facts.signature?.chain.trust, let date = facts.createdAt else {
            return false
        }
        let tolerance: Int64 = 48 * 3600
        return date < validity.upperBound.adding(seconds: tolerance)
            && date > validity.lowerBound.adding(seconds: -tolerance)
    }

    private static func meaning(of check: Check, _ facts: Facts) -> String {
        let trust = facts.signature?.chain.trust
        switch (check, trust) {
        case (.signerNotFound, _): return "no certificate in it is the signer's, so nothing says who signed it"
        case (.chainUntrusted, .untrusted(let reason)?):
            return "the signer's chain does not end at a trust anchor (\(reason))"
        case (.chainUntrusted, _): return "the signer's chain does not end at a trust anchor"
        case (.chainExpired, .trusted(let validity, _)?):
            let created = facts.createdAt.map { " on \($0)" } ?? ""
            return "the chain was not valid when the receipt was created\(created), but from \(validity.lowerBound) "
                + "to \(validity.lastSecond)"
        case (.chainExpired, _): return "the chain was not valid when the receipt was created"
        case (_, .trusted(_, .noIntermediateMarker)?):
            return "the signer's issuer is not the one of App Store receipts (no marker 1.2.840.113635.100.6.2.1)"
        case (_, .trusted(_, .chainLength(let count))?):
            return "the chain is of \(count), where the App Store's is leaf, intermediate and root"
        default:
            return "the signer's certificate chains to a trust anchor, but was issued for another purpose than receipt "
                + "signing, such as a developer's (no marker 1.2.840.113635.100.6.11.1)"
        }
    }
}
