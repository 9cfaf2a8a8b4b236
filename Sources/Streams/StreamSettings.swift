package import Checks
package import Encodings
package import Proofs
package import Rules

/// What claims are checked by, which must be the same in all steps.
package struct StreamSettings: Sendable {
    package var trust: TrustAnchors
    package var expectations: Expectations
    package var rules: RuleSet
    /// Names all of them in a few characters, so that steps with other settings are refused.
    package var fingerprint: ExactText
    /// Whether rows are written as CSV too.
    package var withCSV: Bool

    package init(
        trust: TrustAnchors, expectations: Expectations, rules: RuleSet, fingerprint: ExactText, withCSV: Bool
    ) {
        self.trust = trust
        self.expectations = expectations
        self.rules = rules
        self.fingerprint = fingerprint
        self.withCSV = withCSV
    }
}
