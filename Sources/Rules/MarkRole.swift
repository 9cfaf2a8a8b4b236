import Checks
import Encodings
import Inputs

/// What decides a claim's mark in a finding about something that several people can have.
///
/// A copy of a proof with its device id matches like the original, so a match alone does not distinguish the owner from
/// a thief. Claims of others never worsen the marks of the first presenter beyond what that presenter's own claims
/// justify. Anybody else who matches gets at most medium.
public enum MarkRole: Sendable {
    /// A claim that does not match: the finding's severity.
    case other
    /// The finding's severity, at most medium. For an unchecked device, for a matching claim on a device on which
    /// others also match, and for a mismatching claim of somebody who matches elsewhere.
    case mild
    /// A claim of somebody whose own claims decide: what the rule finds in them alone.
    case own
    /// The same, at most medium.
    case ownMild
    /// A matching claim of the first presenter: what the rule finds in that presenter's matching claims alone.
    case ownMatching
    /// A claim of the earliest presenter where no claim matches: info.
    case bystander
    /// A mismatching claim of the earliest presenter of all, who came before anybody matched: the finding's severity,
    /// at most medium. It may be the owner's, under a new device id.
    case forerunner

    /// The same, as text for the documentation of rules.
    static let text = """
        Anybody who has a copy can present it, and with the id of its device the copy matches like the original. So \
        the first presenter who matches is marked by what their own claims show. Others who match on that device are \
        marked medium at most. Where the first dates tie, or a matching claim has none, nobody is first
        """

    /// Whether the severity is known only after all claims of the group were seen.
    package var isOfPresenter: Bool {
        switch self {
        case .own, .ownMild, .ownMatching: true
        case .other, .mild, .bystander, .forerunner: false
        }
    }

    /// Whether its presenter may be the owner, although the claim does not match.
    var isOfEarliest: Bool {
        switch self {
        case .bystander, .forerunner: true
        case .other, .mild, .own, .ownMild, .ownMatching: false
        }
    }
}

/// The data that decides the roles of the claims of a group, or of a part of it.
struct PresenterRoles: Sendable {
    /// Who has the earliest dated matching claim; `nil` if the first ones tie, or any matching claim has no date.
    var first: Presenter?
    /// The presenters with matching claims, and whether the set is complete.
    var matching: Set<Presenter> = []
    var areAllMatching = true
    /// The devices on which only one presenter matches.
    var soleDevices: Set<Device> = []
    /// The presenters whose own claims decide their marks.
    var owners: Set<Presenter> = []
    /// The presenters who may have been the first of all and came before anybody matched, and whether the set is
    /// complete.
    var earliest: Set<Presenter> = []
    var areAllEarliest = true
    /// The latest possible time of the first of all claims, and the earliest possible time of the first dated match.
    var firstEnd: Instant?
    var firstMatch: Instant?

    /// The roles for a part with unknown presenters.
    static let unknown: PresenterRoles = {
        var roles = PresenterRoles()
        (roles.areAllMatching, roles.areAllEarliest) = (false, false)
        return roles
    }()

    /// Whether any claim matches.
    var hasMatch: Bool { !matching.isEmpty }

    /// Returns the role of a claim.
    func role(of observation: Observation) -> MarkRole {
        let asChecked = observation.deviceHash == .notChecked ? MarkRole.mild : .other
        guard let presenter = Presenter(observation) else { return asChecked }
        if observation.isMatching, let device = observation.device {
            if presenter == first { return .ownMatching }
            guard soleDevices.contains(device) else { return .mild }
            return first == nil ? .ownMild : .own
        }
        if hasMatch {
            if presenter == first { return observation.deviceHash == .notChecked ? .ownMild : .own }
            if matching.contains(presenter) || !areAllMatching { return .mild }
        }
        if earliest.contains(presenter) { return hasMatch ? .forerunner : .bystander }
        guard !areAllEarliest else { return asChecked }
        // If a presenter is not in the set, the claim itself may decide; otherwise it is unknown.
        let mayBeFirst = observation.presentedAt.map { $0 <= firstEnd ?? $0 && isEarly($0) } ?? !hasMatch
        return mayBeFirst ? (hasMatch ? .forerunner : .bystander) : .mild
    }

    /// Whether a claim was certainly made before anybody matched.
    func isEarly(_ date: Instant) -> Bool { firstMatch.map { date.isSurelyBefore($0) } ?? true }
}
