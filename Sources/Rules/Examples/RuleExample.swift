/// A case that a rule raises or does not raise: documentation and test in one.
public struct RuleExample: Sendable {
    /// What is the case, in a sentence without its full stop.
    public let title: String
    public let claims: [ExampleClaim]
    public let policy: Policy
    /// How bad it is; `nil` if the rule says nothing.
    public let severity: Severity?

    /// A case in which a rule says something.
    public static func raised(
        _ title: String, _ severity: Severity, policy: Policy = Policy(), _ claims: ExampleClaim...
    ) -> RuleExample {
        RuleExample(title: title, claims: claims, policy: policy, severity: severity)
    }

    /// A case in which it must be silent.
    public static func clear(_ title: String, policy: Policy = Policy(), _ claims: ExampleClaim...) -> RuleExample {
        RuleExample(title: title, claims: claims, policy: policy, severity: nil)
    }

    /// The same for as many claims as a count needs.
    public static func raised(
        _ title: String, _ severity: Severity, policy: Policy = Policy(), claims: [ExampleClaim]
    ) -> RuleExample {
        RuleExample(title: title, claims: claims, policy: policy, severity: severity)
    }

    public static func clear(_ title: String, policy: Policy = Policy(), claims: [ExampleClaim]) -> RuleExample {
        RuleExample(title: title, claims: claims, policy: policy, severity: nil)
    }
}
