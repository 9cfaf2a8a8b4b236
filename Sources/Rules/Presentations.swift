import Encodings
import Inputs

/// Who presents what the claims of a group share: in the whole group, or in each environment.
struct Presentations: Mergeable, Sendable {
    /// By the environment's name; the whole group under an empty name.
    private var groups = BottomMap<ExactText, Presented>()

    /// - Parameter environment: `nil` for a rule that does not tell environments apart.
    mutating func add(_ observation: Observation, in environment: EnvironmentClass?) {
        guard let presenter = Presenter(observation) else { return }
        groups.add(environment?.name ?? "", Presented(observation, by: presenter))
    }

    mutating func add(_ other: Presentations) { groups.add(other.groups) }

    /// What decides the roles of claims, once all of them were added; by environment, with an empty name for the whole
    /// group.
    func settled() -> [ExactText: PresenterRoles] {
        Dictionary(groups.sorted.map { ($0.key, $0.value.roles) }) { first, _ in first }
    }

    /// Who presents it in one environment. It keeps the least 4,096 presenters and devices.
    private struct Presented: Mergeable, Sendable {
        /// The first of the claims that match.
        private var firstMatch = FirstPresentation()
        /// Who matches.
        private var matching = BottomK<Presenter, Int>()
        /// Who matches on each device.
        private var devices = BottomMap<Device, Holders>()
        /// Since when each presents it.
        private var since = BottomMap<Presenter, Since>()
        /// When the first of all claims was surely made.
        private var end: Instant?

        init(_ observation: Observation, by presenter: Presenter) {
            let date = observation.presentedAt
            since.add(presenter, Since(first: date, isUndated: date == nil))
            end = date?.latest
            guard observation.isMatching, let device = observation.device else { return }
            firstMatch.add(presenter, date)
            matching.insert(presenter, 0)
            devices.add(device, Holders(presenter))
        }

        mutating func add(_ other: Presented) {
            firstMatch.add(other.firstMatch)
            matching.add(other.matching)
            devices.add(other.devices)
            since.add(other.since)
            end.add(other.end)
        }

        var roles: PresenterRoles {
            var roles = PresenterRoles()
            roles.first = firstMatch.presenter
            roles.matching = Set(matching.sorted.map(\.key))
            roles.areAllMatching = matching.isComplete
            for (device, holders) in devices.sorted {
                guard let holder = holders.only else { continue }
                roles.soleDevices.insert(device)
                roles.owners.insert(holder)
            }
            if let first = roles.first { roles.owners.insert(first) }
            roles.firstEnd = end
            if roles.matching.isEmpty {
                roles.earliest = Set(since.sorted.filter { $0.value.canBeFirst(endingBy: end) }.map(\.key))
                roles.areAllEarliest = since.isComplete
            }
            return roles
        }
    }

    /// Who matches on a device: at most the two least.
    private struct Holders: Mergeable, Sendable {
        private var presenters: [Presenter]

        init(_ presenter: Presenter) { presenters = [presenter] }

        /// The presenter, if there is but one.
        var only: Presenter? { presenters.count == 1 ? presenters.first : nil }

        mutating func add(_ other: Holders) {
            guard presenters != other.presenters else { return }
            presenters = Array(Set(presenters + other.presenters).sorted().prefix(2))
        }
    }

    /// Since when somebody presents it.
    private struct Since: Mergeable, Sendable {
        var first: Instant?
        var isUndated: Bool

        mutating func add(_ other: Since) {
            first.add(other.first)
            isUndated = isUndated || other.isUndated
        }

        /// Whether it may have been the first of all.
        ///
        /// - Parameter end: when the first of all claims was surely made.
        func canBeFirst(endingBy end: Instant?) -> Bool { isUndated || first.map { $0 <= end ?? $0 } ?? true }
    }
}

/// The first of many claims, as far as their dates say: presenters tie if the earliest claim of either may have been the
/// first.
struct FirstPresentation: Mergeable, Sendable {
    /// The two presenters whose claims begin first, in order.
    private var earliest: [Dated] = []
    /// When the first claim was surely made.
    private var end: Instant?
    private var isUndated = false

    /// The first presenter; `nil` if the first ones tie, or any claim has no date.
    var presenter: Presenter? {
        guard !isUndated, let first = earliest.first, let end else { return nil }
        return earliest.dropFirst().allSatisfy { end < $0.date } ? first.presenter : nil
    }

    mutating func add(_ presenter: Presenter, _ date: Instant?) {
        guard let date else { return isUndated = true }
        end.add(date.latest)
        insert(Dated(date: date, presenter: presenter))
    }

    mutating func add(_ other: FirstPresentation) {
        end.add(other.end)
        isUndated = isUndated || other.isUndated
        for dated in other.earliest { insert(dated) }
    }

    private mutating func insert(_ dated: Dated) {
        if let known = earliest.firstIndex(where: { $0.presenter == dated.presenter }) {
            earliest[known] = min(earliest[known], dated)
        } else {
            earliest.append(dated)
        }
        earliest.sort()
        if earliest.count > 2 { earliest.removeLast() }
    }

    private struct Dated: Comparable, Codable, Sendable {
        let date: Instant
        let presenter: Presenter

        static func < (a: Dated, b: Dated) -> Bool { (a.date, a.presenter) < (b.date, b.presenter) }
    }
}
