package import Checks
package import Encodings
package import Proofs
package import Rules
import Subscriptions

/// What claims are checked by, which must be the same in all steps.
package struct StreamSettings: Sendable {
    package var trust: TrustAnchors
    package var expectations: Expectations
    package var rules: RuleSet
    /// Names all of them in a few characters, so that steps with other settings are refused.
    package var fingerprint: ExactText
    /// Whether rows are written as CSV too.
    package var withCSV: Bool
    /// The key of pseudonyms for device and account ids; `nil` for the ids themselves.
    package var pseudonymKey: [UInt8]?
    /// How many days a buyer has to present a purchase. Only the step that writes the summary asks.
    package var unclaimedAfter = UnclaimedWindow.standardDays

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
