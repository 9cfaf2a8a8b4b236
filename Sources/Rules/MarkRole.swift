import Checks
import Encodings
import Inputs

/// What a claim's mark depends on, in a finding about something that several people can have.
///
/// Nobody can present a claim that matches without the device's proof, so what others present never makes a matching
/// claim look worse than matching claims do by themselves, and never touches the claims of the first presenter.
public enum MarkRole: UInt8, CaseIterable, Sendable {
    /// A claim whose device does not match: marked with the finding's severity.
    case other
    /// A claim whose device was not checked: at most medium.
    case unchecked
    /// A matching claim: what the rule says of all matching claims alone.
    case matching
    /// A claim of the first presenter that does not match: what the rule says of that presenter's claims alone.
    case presenter
    /// A claim of the first presenter whose device was not checked: the same, at most medium.
    case presenterUnchecked
    /// A matching claim of the first presenter: what the rule says of that presenter's matching claims alone.
    case presenterMatching
    /// A claim about which the rule would find nothing: info.
    case bystander
}

/// Who presents a claim: its account, else its device.
struct Presenter: Hashable, Comparable, Codable, Sendable {
    private let account: ExactText
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

/// Who was the first to present what the claims of a group share.
struct Roles: Mergeable, Sendable {
    private var firstMatching: FirstClaim?
    private var first: FirstClaim?

    /// Whether any claim matches.
    var hasMatch: Bool { firstMatching != nil }

    /// The presenter of the earliest matching claim, else of the earliest claim that has one.
    var presenter: Presenter? { (firstMatching ?? first)?.presenter }

    mutating func add(_ observation: Observation) {
        guard let presenter = Presenter(observation) else { return }
        let claim = FirstClaim(date: observation.presentedAt, id: observation.id, presenter: presenter)
        if observation.isMatching { firstMatching.add(claim) }
        first.add(claim)
    }

    mutating func add(_ other: Roles) {
        firstMatching.add(other.firstMatching)
        first.add(other.first)
    }

    /// Claims come by date, those without one last, and then by what they say.
    private struct FirstClaim: Comparable, Codable, Sendable {
        let date: Instant?
        let id: ClaimID
        let presenter: Presenter

        static func < (a: FirstClaim, b: FirstClaim) -> Bool {
            let (first, second) = (a.date?.milliseconds ?? .max, b.date?.milliseconds ?? .max)
            if first != second { return first < second }
            if (a.date == nil) != (b.date == nil) { return a.date != nil }
            return (a.id, a.presenter) < (b.id, b.presenter)
        }
    }
}
