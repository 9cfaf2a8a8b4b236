package import Checks
package import Encodings
package import Proofs
package import Rules
package import Subscriptions

/// The settings for checking claims, which must be the same in all steps.
package struct StreamSettings: Sendable {
    package var trust: TrustAnchors
    package var expectations: Expectations
    package var rules: RuleSet
    /// Identifies all of them in a few characters, so that steps with other settings are refused.
    package var fingerprint: ExactText
    /// Whether to write rows also as CSV.
    package var withCSV: Bool
    /// The key of pseudonyms for device and account ids; `nil` for the ids themselves.
    package var pseudonymKey: [UInt8]?
    /// The number of days that a buyer has to present a purchase. Only the step that writes the summary uses it.
    package var unclaimed = UnclaimedTerms()

    package init(
        trust: TrustAnchors, expectations: Expectations, rules: RuleSet, fingerprint: ExactText, withCSV: Bool,
        pseudonymKey: [UInt8]? = nil
    ) {
        self.trust = trust
        self.expectations = expectations
        self.rules = rules
        self.fingerprint = fingerprint
        self.withCSV = withCSV
        self.pseudonymKey = pseudonymKey
    }
}
