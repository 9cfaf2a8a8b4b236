public import Checks
public import Encodings

extension Expectations {
    /// What a policy has every claim held to, as of an instant.
    public init(asOf: Instant, _ policy: Policy) {
        self.init(asOf: asOf)
        bundleIDs = policy.apps.isEmpty ? nil : Set(policy.apps.keys)
        environments = policy.environments
    }
}
