import Checks
import Encodings
import Receipts
import Rules

/// A rule that says a little of everything, and finds nothing.
struct SampleRule: ClaimRule {
    static let documentation = RuleDocumentation(
        id: "sample-rule", title: "A sample was found", severity: .medium,
        exceptions: [RuleDocumentation.SeverityException(.critical, "for two samples at once")],
        raisedWhen: "there is a sample in the receipt, and it is not the first one that this very device sent in",
        why: "It is `only` a sample.", whenWrong: "Never.", whatToDo: "Nothing at all.",
        limits: [RuleLimit("samples", standard: 2, in: 1...5000, "there are so many | samples")])

    static let examples: [RuleExample] = [
        .raised("everything is set", .critical, policy: policy, claim, ExampleClaim(device: "")),
        .clear("a purchase", ExampleClaim(receipt: ExampleReceipt(1, ExamplePurchase()))),
        .clear(
            "no receipt",
            ExampleClaim(failed: [.unknownFormat], stored: "`{\n" + String(repeating: "x", count: 100))),
        .clear("many", claims: (1...9).map { ExampleClaim(device: "\($0)", receipt: ExampleReceipt($0)) }),
    ]

    private static var claim: ExampleClaim {
        ExampleClaim(
            device: "B", deviceHashMatches: false, account: "ana", bundle: "com.example.notes", product: "gold",
            presented: "2026-03-02",
            failed: [.environmentMismatch], isSHA1: true,
            receipt: ExampleReceipt(
                2, bundleID: "com.example.lite", environment: "Xcode", created: "2026-03-03",
                expires: "2027-03-03",
                ExamplePurchase(
                    "gold", "17", of: "16", bought: "2026-02-01", originallyBought: "2026-01-01", expires: "2026-03-01",
                    refunded: "2026-02-02", kind: .autoRenewable, isTrial: true, isIntro: true)))
    }

    private static var policy: Policy {
        var policy = Policy()
        policy.environments = ["Xcode", "Production"]
        var product = Product()
        product.group = "pro"
        policy.apps = ["com.example.lite": Policy.App(versions: ["1"], products: ["gold": product])]
        var settings = Policy.RuleSettings()
        settings.severity = .high
        settings.limits = ["samples": 3]
        policy.rules["sample-rule"] = settings
        policy.allowances = [Policy.Allowance(subject: "account:ana", reason: "test")]
        return policy
    }

    init(_ policy: Policy) {}

    func hit(in facts: Facts) -> Hit? { nil }
}
