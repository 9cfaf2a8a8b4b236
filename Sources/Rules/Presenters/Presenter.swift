import Encodings
import Inputs

/// The presenter of a claim: its account, or its device if it names no account.
struct Presenter: Hashable, Comparable, Sendable {
    /// The account; empty if the claim names none.
    let account: ExactText
    private let device: Device?

    /// - Returns: `nil` if the claim has neither an account nor a device.
    init?(_ observation: Observation) {
        guard !observation.isUnattributed else { return nil }
        account = observation.accountID
        device = observation.accountID.isEmpty ? observation.device : nil
    }

    static func < (a: Presenter, b: Presenter) -> Bool {
        if a.account != b.account { return a.account < b.account }
        guard let first = a.device, let second = b.device else { return a.device == nil && b.device != nil }
        return first < second
    }
}
