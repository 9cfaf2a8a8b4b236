import Checks
import Encodings
import Inputs

/// What a claim's mark depends on, in a finding about something that several people can have.
///
/// Nobody can present a claim that matches without the device's proof, so what others present never makes a matching
/// claim look worse than matching claims do by themselves, and never touches the claims of the first presenter.
public enum MarkRole: Sendable {
    /// A claim whose device does not match: marked with the finding's severity.
    case other
    /// A claim whose device was not checked: at most medium.
    case unchecked
    /// A matching claim: what the rule says of it from all matching claims alone.
    case matching
    /// A claim of the first presenter that does not match: what the rule says of it from that presenter's claims alone.
    case presenter
    /// A claim of the first presenter whose device was not checked: the same, at most medium.
    case presenterUnchecked
    /// A matching claim of the first presenter: what the rule says of it from that presenter's matching claims alone.
    case presenterMatching
    /// A claim of the first presenter where no claim matches: info.
    case bystander

    /// Whether the severity is known only when all claims of the group were seen.
    package var isOfPresenter: Bool {
        switch self {
        case .presenter, .presenterUnchecked, .presenterMatching: true
        case .other, .unchecked, .matching, .bystander: false
        }
    }
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

/// Who was the first to present what the claims of a group share: in the whole group, or in each environment.
struct Roles: Mergeable, Sendable {
    /// By the environment's name; the whole group under an empty name.
    private var first = BottomMap<ExactText, FirstClaims>()

    /// - Parameter environment: `nil` for a rule that does not tell environments apart.
    func first(in environment: EnvironmentClass?) -> FirstClaims? { first[environment?.name ?? ""] }

    /// Whether any claim matches.
    ///
    /// - Parameter isCounted: whether claims of an environment count.
    func hasMatch(where isCounted: (EnvironmentClass?) -> Bool) -> Bool {
        first.sorted.contains { $0.value.hasMatch && isCounted($0.key.isEmpty ? nil : EnvironmentClass($0.key)) }
    }

    mutating func add(_ observation: Observation, in environment: EnvironmentClass?) {
        guard let presenter = Presenter(observation) else { return }
        let claim = FirstClaim(date: observation.presentedAt, id: observation.id, presenter: presenter)
        first.add(environment?.name ?? "", FirstClaims(claim, isMatching: observation.isMatching))
    }

    mutating func add(_ other: Roles) { first.add(other.first) }

    /// Claims come by date, those without one last, and then by what they say.
    fileprivate struct FirstClaim: Comparable, Codable, Sendable {
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
    /// The first claim, and the first that matches.
    struct FirstClaims: Mergeable, Sendable {
        private var firstMatching: FirstClaim?
        private var first: FirstClaim?

        /// Whether any claim matches.
        var hasMatch: Bool { firstMatching != nil }

        /// The presenter of the earliest matching claim, else of the earliest claim that has one.
        var presenter: Presenter? { (firstMatching ?? first)?.presenter }

        fileprivate init(_ claim: FirstClaim, isMatching: Bool) {
            first = claim
            firstMatching = isMatching ? claim : nil
        }

        mutating func add(_ other: FirstClaims) {
            firstMatching.add(other.firstMatching)
            first.add(other.first)
        }
    }
}
