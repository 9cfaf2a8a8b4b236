import Checks
import Encodings
import Inputs

/// What decides a claim's mark in a finding about something that several people can have.
///
/// A copy of a proof with its device id matches like the original, so a match alone does not distinguish the owner from
/// a thief. Claims of others never worsen the marks of the first presenter beyond what that presenter's own claims
/// justify. Anybody else who matches gets at most medium.
public enum MarkRole: CaseIterable, Sendable {
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
    /// A mismatching claim of one of the earliest who came after the first presenter: the finding's severity, at most
    /// medium if the first presenter's claims and this presenter's are a hand-over, and nobody's before were.
    case follower

    /// Whose claims it is, and the severity of their marks, for the documentation of all rules.
    public var meaning: String {
        switch self {
        case .other: "A claim that does not match, and is not described below: the severity of the finding."
        case .mild:
            """
            The severity of the finding, medium at most: a claim whose device was not checked; a claim that matches, on a \
            device on which others match too; and a claim that does not match, of somebody on whose device nobody else \
            matches, or of anybody who matches if nobody is first.
            """
        case .own:
            """
            A claim that does not match, of the first presenter, or one that matches, of somebody else on whose device \
            nobody else matches: what the rule finds in this presenter's claims alone.
            """
        case .ownMild: "The same, medium at most: if the device was not checked, or if nobody is first."
        case .ownMatching:
            "A claim that matches, of the first presenter: what the rule finds in such claims of this presenter alone."
        case .bystander: "A claim of the earliest presenter, if no claim matches: info."
        case .forerunner:
            """
            A claim that does not match, of the earliest presenter of all, before anybody matched: the severity of the \
            finding, medium at most. No ring is named after this presenter.
            """
        case .follower:
            """
            A claim that does not match, of the earliest other presenter whose claims and the first presenter's, taken \
            alone, are a hand-over (`shared-receipt`, `token-replay`): the severity of the finding, medium at most. No \
            ring is named after this presenter. Nobody is, if the first dates of two tie.
            """
        }
    }

    /// Who is first, for the documentation of all rules.
    public static let firstText = """
        A presenter is an account or, for claims that name none, a device. The first presenter has the earliest dated \
        claim that matches (`presented_at`, earlier runs included). A time of 00:00:00.000 UTC stands for the whole day. \
        Where the earliest claims of two presenters tie, or a matching claim has no date, nobody is first. All claims \
        with the key of a finding take part in this, also those that the finding is not about.
        """

    /// The same, as text for the documentation of one rule.
    static let text = """
        A copy matches like the original on the same device. So the first presenter who matches is marked by their own \
        claims, and others on that device medium at most
        """

    /// Whether its presenter may be the owner, although the claim does not match.
    var isOfEarliest: Bool {
        switch self {
        case .bystander, .forerunner: true
        case .other, .mild, .own, .ownMild, .ownMatching, .follower: false
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
    /// The first dated claims of the earliest presenters except the first one, in order: candidates for a hand-over.
    var followers: [DatedPresenter] = []

    /// The roles for a part with unknown presenters.
    static let unknown: PresenterRoles = {
        var roles = PresenterRoles()
        roles.areAllMatching = false
        roles.areAllEarliest = false
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
            // Nobody else matches on an owner's device. If nobody is first, everybody who matches may be the owner.
            if owners.contains(presenter) || !areAllMatching { return .mild }
            if first == nil, matching.contains(presenter) { return .mild }
        }
        if earliest.contains(presenter) { return hasMatch ? .forerunner : .bystander }
        guard !areAllEarliest else {
            let isFollower = asChecked == .other && followers.contains { $0.presenter == presenter }
            return isFollower ? .follower : asChecked
        }
        // If a presenter is not in the set, the claim itself may decide; otherwise it is unknown.
        let mayBeFirst = observation.presentedAt.map { $0 <= firstEnd ?? $0 && isEarly($0) } ?? !hasMatch
        return mayBeFirst ? (hasMatch ? .forerunner : .bystander) : .mild
    }

    /// Whether a claim was certainly made before anybody matched.
    func isEarly(_ date: Instant) -> Bool { firstMatch.map { date.isSurelyBefore($0) } ?? true }
}
