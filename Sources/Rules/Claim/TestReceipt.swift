import Checks
import Encodings
import Receipts

/// Finds receipts from an environment that the policy does not allow.
struct TestReceipt: ClaimRule {
    static let documentation = RuleDocumentation(
        id: "test-receipt",
        title: "The receipt comes from a test environment",
        severity: .high,
        exceptions: [RuleDocumentation.SeverityException(.critical, "for Xcode's receipts, which anybody can make")],
        confidence: .possible,
        raisedWhen: """
            the check `environment-mismatch` fails: the policy does not allow the receipt's environment. Without a \
            policy, every environment is allowed
            """,
        why: """
            Purchases in the sandbox cost nothing, and Xcode makes receipts without asking Apple. The sender has paid \
            nothing for the purchases in it.
            """,
        whenWrong: """
            App Review and TestFlight buy in the sandbox and send such receipts to the production server. A few \
            around a release come from Apple's reviewers or your testers. The oldest receipts name no environment; \
            allow the empty one if you still see them. Confidence is possible, and likely for Xcode's receipts.
            """,
        whatToDo: """
            Unlock purchases in such receipts only for a short time, or only for testers, and look at accounts that \
            still send them after a release. Each finding is about one claim, so an allow list can name claims \
            (`claim:…`), but neither accounts nor devices. Keep the receipts of your own tests out of the export, or \
            allow their environment.
            """)

    static let examples: [RuleExample] = [
        .raised(
            "a sandbox receipt", .high,
            ExampleClaim(failed: [.environmentMismatch], receipt: ExampleReceipt(environment: "ProductionSandbox"))),
        .raised(
            "a receipt that Xcode made", .critical,
            ExampleClaim(
                failed: [.chainUntrusted, .noncanonicalContainer, .environmentMismatch],
                receipt: ExampleReceipt(environment: "Xcode"))),
        .clear(
            "a sandbox receipt where the policy allows it",
            ExampleClaim(receipt: ExampleReceipt(environment: "ProductionSandbox"))),
        .clear("a receipt of the App Store", ExampleClaim()),
    ]

    init(_ policy: Policy) {}

    func hit(in facts: Facts) -> Hit? {
        guard facts.failed.contains(.environmentMismatch) else { return nil }
        guard let environment = facts.environment else {
            return Hit("the receipt names no environment, as only the oldest do")
        }
        let text = "the receipt's environment is “\(environment.boundedID)”, which is not allowed"
        return environment == "Xcode"
            ? Hit(text + ": Xcode made it for a local test", severity: .critical, confidence: .likely) : Hit(text)
    }
}
