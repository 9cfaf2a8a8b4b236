import Checks
import Encodings
import Inputs
import Receipts

/// Finds genuine receipts of another app.
struct ForeignApp: ClaimRule {
    static let documentation = RuleDocumentation(
        id: "foreign-app",
        title: "The receipt is another app's",
        severity: .critical,
        raisedWhen: """
            signature and chain hold, nothing is missing that every receipt has, and the check `bundle-id-mismatch` \
            fails. The receipt's bundle id is then not the claimed one, or not one of the policy's apps
            """,
        why: """
            Receipts of cheap or free apps are signed just like yours. A server that does not check the bundle id \
            accepts them, and a product with the same id unlocks yours.
            """,
        whenWrong: """
            The policy may lack one of your apps, an old bundle id or a test build's id, or the export may have the \
            wrong column. Then all claims of that app are raised, with a bundle id that you know. Anybody who has \
            somebody's receipt and device id can claim another app with them. So the finding is about the account \
            that did so, names no device, and marks the device medium at most.
            """,
        whatToDo: """
            Do not honour the claim. If the bundle id is yours, add it to the policy; if not, look for other claims \
            with it.
            """)

    static let examples: [RuleExample] = [
        .raised(
            "another app was claimed", .critical,
            ExampleClaim(
                bundle: "com.example.notes", failed: [.bundleIDMismatch],
                receipt: ExampleReceipt(bundleID: "com.example.other"))),
        .raised(
            "the policy does not have the app", .critical, policy: notes,
            ExampleClaim(failed: [.bundleIDMismatch], receipt: ExampleReceipt(bundleID: "com.example.other"))),
        .clear("the app is the one that was claimed", policy: notes, ExampleClaim(bundle: "com.example.notes")),
        .clear(
            "the receipt is forged, so that its bundle id proves nothing",
            ExampleClaim(failed: [.signatureInvalid, .bundleIDMismatch])),
    ]

    private static let notes: Policy = {
        var policy = Policy()
        policy.apps["com.example.notes"] = Policy.App()
        return policy
    }()

    init(_ policy: Policy) {}

    func hit(in facts: Facts) -> Hit? {
        guard facts.failed.contains(.bundleIDMismatch), facts.isGenuine, let bundleID = facts.bundleID else {
            return nil
        }
        let claimed = facts.claim.bundleID
        let start = "the receipt is that of “\(bundleID.boundedID)”, "
        return claimed.isEmpty || claimed == bundleID
            ? Hit(start + "which is not one of the policy's apps")
            : Hit(start + "but “\(claimed.boundedID)” was claimed")
    }
}
