import Checks
import Encodings
import Inputs

/// What a claim's mark depends on, in a finding about something that several people can have.
///
/// A copy of a proof with its device id matches like the original, so a match alone does not tell the owner from a thief.
/// What others present never makes the claims of the first presenter look worse than these do by themselves, and those of
/// anybody else who matches at most medium.
public enum MarkRole: Sendable {
    /// A claim that does not match: the finding's severity.
    case other
    /// A claim whose device was not checked; one that matches on a device on which others match, too; and one that does
    /// not match of somebody who matches elsewhere: the finding's severity, at most medium.
    case mild
    /// A claim of somebody whose own claims decide: what the rule says of them alone.
    case own
    /// The same, at most medium.
    case ownMild
    /// A matching claim of the first presenter: what the rule says of that presenter's matching claims alone.
    case ownMatching
    /// A claim of the earliest presenter where no claim matches: info.
    case bystander
    /// A claim that does not match of the earliest presenter of all, who came before anybody matched: the finding's
    /// severity, at most medium. It may be the owner's, under a new device id.
    case forerunner

    /// The same for the texts of rules.
    static let text = """
        Anybody who has a copy can present it, and with the id of its device the copy matches like the original. So \
        the first presenter who matches is marked by what their own claims show. Others who match on that device are \
        marked medium at most. Where the first dates tie, or a matching claim has none, nobody is first
        """

    /// Whether the severity is known only when all claims of the group were seen.
    package var isOfPresenter: Bool {
        switch self {
        case .own, .ownMild, .ownMatching: true
        case .other, .mild, .bystander, .forerunner: false
        }
    }

    /// Whether its presenter may be the owner, though the claim does not match.
    var isOfEarliest: Bool {
        switch self {
        case .bystander, .forerunner: true
        case .other, .mild, .own, .ownMild, .ownMatching: false
        }
    }
}

/// What decides the roles of the claims of a group, or of a part of it.
struct PresenterRoles: Sendable {
    /// Who has the earliest dated matching claim; `nil` if the first ones tie, or any matching claim has no date.
    var first: Presenter?
    /// Who has claims that match, and whether these are all.
    var matching: Set<Presenter> = []
    var areAllMatching = true
    /// The devices on which only one presenter matches.
    var soleDevices: Set<Device> = []
    /// Those whose own claims decide how they are marked.
    var owners: Set<Presenter> = []
    /// Those who may have been the first of all to present it, and came before anybody matched; and whether these are all.
    var earliest: Set<Presenter> = []
    var areAllEarliest = true
    /// When the first of all claims was surely made, and when the first dated one that matches may have been.
    var firstEnd: Instant?
    var firstMatch: Instant?

    /// Of a part of which it is not known who presents it.
    static let unknown: PresenterRoles = {
        var roles = PresenterRoles()
        (roles.areAllMatching, roles.areAllEarliest) = (false, false)
        return roles
    }()

    /// Whether any claim matches.
    var hasMatch: Bool { !matching.isEmpty }

    /// Returns what a claim's mark depends on.
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
        // Of somebody who is not kept, the claim itself may say it; else nobody knows.
        let mayBeFirst = observation.presentedAt.map { $0 <= firstEnd ?? $0 && isEarly($0) } ?? !hasMatch
        return mayBeFirst ? (hasMatch ? .forerunner : .bystander) : .mild
    }

    /// Whether a claim was surely made before anybody matched.
    func isEarly(_ date: Instant) -> Bool { firstMatch.map { date.isSurelyBefore($0) } ?? true }
}
