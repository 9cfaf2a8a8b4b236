import Checks
import Encodings

extension ImpossibleDates {
    public static let examples: [RuleExample] = [
        .raised(
            "bought more than five minutes after the receipt was made", .high,
            claim(ExamplePurchase(bought: "2026-03-01T00:05:01Z"))),
        .clear(
            "bought exactly five minutes after the receipt was made",
            claim(ExamplePurchase(bought: "2026-03-01T00:05:00Z"))),
        .raised(
            "expired before it was bought", .high,
            claim(ExamplePurchase(bought: "2026-02-01", expires: "2026-01-31"))),
        .clear(
            "expired when it was bought", claim(ExamplePurchase(bought: "2026-02-01", expires: "2026-02-01"))),
        .raised(
            "refunded before it was bought", .high,
            claim(ExamplePurchase(bought: "2026-02-01", refunded: "2026-01-31T23:54:59Z"))),
        .clear(
            "refunded five minutes before it was bought",
            claim(ExamplePurchase(bought: "2026-02-01", refunded: "2026-01-31T23:55:00Z"))),
        .raised(
            "bought before its original purchase", .high,
            claim(ExamplePurchase(bought: "2026-02-01", originallyBought: "2026-02-01T00:05:01Z"))),
        .clear(
            "bought five minutes before its original purchase",
            claim(ExamplePurchase(bought: "2026-02-01", originallyBought: "2026-02-01T00:05:00Z"))),
        .raised(
            "a period of minutes in production", .high,
            claim(ExamplePurchase(bought: "2026-02-01", expires: "2026-02-01T00:05:00Z"))),
        .raised(
            "a period of a second less than a day", .high,
            claim(ExamplePurchase(bought: "2026-02-01", expires: "2026-02-01T23:59:59Z"))),
        .clear(
            "a period of a day", claim(ExamplePurchase(bought: "2026-02-01", expires: "2026-02-02"))),
        .clear(
            "a period of minutes in the sandbox",
            claim(
                environment: "ProductionSandbox", ExamplePurchase(bought: "2026-02-01", expires: "2026-02-01T00:05:00Z")
            )),
        .clear(
            "the policy tolerates an hour", policy: tolerant,
            claim(ExamplePurchase(bought: "2026-03-01T01:00:00Z"))),
        .clear(
            "the receipt is forged, so that its dates say nothing",
            claim(failed: [.signatureInvalid], ExamplePurchase(bought: "2026-02-01", expires: "2026-01-31"))),
        .clear(
            "a subscription of two months",
            claim(
                ExamplePurchase(bought: "2026-01-01", expires: "2026-02-01"),
                ExamplePurchase(
                    "gold", "460000000000002", of: "460000000000001", bought: "2026-02-01",
                    originallyBought: "2026-01-01", expires: "2026-03-01"))),
    ]

    private static func claim(
        environment: ExactText = "Production", failed: CheckSet = [], _ purchases: ExamplePurchase...
    ) -> ExampleClaim {
        ExampleClaim(
            failed: failed,
            receipt: ExampleReceipt(environment: environment, created: "2026-03-01", purchases: purchases))
    }

    private static let tolerant: Policy = {
        var policy = Policy()
        var settings = Policy.RuleSettings()
        settings.limits["tolerance-minutes"] = 60
        policy.rules["impossible-dates"] = settings
        return policy
    }()
}
