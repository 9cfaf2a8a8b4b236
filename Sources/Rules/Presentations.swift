import Encodings
import Inputs

/// Who presents what the claims of a group share: in the whole group, or in each environment.
struct Presentations: Mergeable, Sendable {
    /// By the environment's name; the whole group under an empty name.
    private var groups = BottomMap<ExactText, Presented>()

    /// - Parameter environment: `nil` for a rule that does not tell environments apart.
    mutating func add(_ observation: Observation, in environment: EnvironmentClass?) {
        guard let presenter = Presenter(observation) else { return }
        groups.update(environment?.name ?? "", from: Presented()) { $0.add(observation, by: presenter) }
    }

    mutating func add(_ other: Presentations) { groups.add(other.groups) }

    /// What decides the roles of claims, once all of them were added; by environment, with an empty name for the whole
    /// group.
    func settled() -> [ExactText: PresenterRoles] {
        Dictionary(groups.sorted.map { ($0.key, $0.value.roles) }) { first, _ in first }
    }

    /// Who presents it in one environment. It keeps the least 4,096 presenters and devices, and as many of the earliest
    /// claims.
    private struct Presented: Mergeable, Sendable {
        /// The first of the claims that match.
        private var firstMatch = FirstPresentation()
        /// Who matches.
        private var matching = BottomK<Presenter, Int>()
        /// Who matches on each device.
        private var devices = BottomMap<Device, Holders>()
        /// The earliest of all claims, and who presents claims without a date.
        private var earliest = BottomK<DatedPresenter, Int>()
        private var undated = BottomK<Presenter, Int>()
        /// When the first of all claims was surely made.
        private var end: Instant?

        mutating func add(_ observation: Observation, by presenter: Presenter) {
            let date = observation.presentedAt
            if let date { earliest.insert(DatedPresenter(date: date, presenter: presenter), 0) }
            if date == nil { undated.insert(presenter, 0) }
            end.add(date?.latest)
            guard observation.isMatching, let device = observation.device else { return }
            firstMatch.add(presenter, date)
            matching.insert(presenter, 0)
            devices.add(device, Holders(presenter))
        }

        mutating func add(_ other: Presented) {
            firstMatch.add(other.firstMatch)
            matching.add(other.matching)
            devices.add(other.devices)
            earliest.add(other.earliest)
            undated.add(other.undated)
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
            (roles.firstEnd, roles.firstMatch) = (end, firstMatch.begin)
            let earliest = earliest.sorted.map(\.key)
            roles.earliest = Set(
                earliest.prefix { $0.date <= end ?? $0.date }.filter { roles.isEarly($0.date) }
                    .map(\.presenter))
            let areAllKept = self.earliest.isComplete || earliest.last.map { $0.date > end ?? $0.date } ?? true
            if !roles.hasMatch { roles.earliest.formUnion(undated.sorted.map(\.key)) }
            roles.areAllEarliest = areAllKept && (roles.hasMatch || undated.isComplete)
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
}

/// When somebody presents something. The earliest is the least.
private struct DatedPresenter: Hashable, Comparable, Codable, Sendable {
    let date: Instant
    let presenter: Presenter

    static func < (a: DatedPresenter, b: DatedPresenter) -> Bool { (a.date, a.presenter) < (b.date, b.presenter) }
}

/// The first of many claims, as far as their dates say: presenters tie if the earliest claim of either may have been the
/// first.
struct FirstPresentation: Mergeable, Sendable {
    /// The two presenters whose claims begin first, in order.
    private var earliest: [DatedPresenter] = []
    /// When the first claim was surely made.
    private var end: Instant?
    private var isUndated = false

    /// The first presenter; `nil` if the first ones tie, or any claim has no date.
    var presenter: Presenter? {
        guard !isUndated, let first = earliest.first, let end else { return nil }
        return earliest.dropFirst().allSatisfy { end < $0.date } ? first.presenter : nil
    }

    /// When the earliest of them begins; `nil` if none has a date.
    var begin: Instant? { earliest.first?.date }

    mutating func add(_ presenter: Presenter, _ date: Instant?) {
        guard let date else { return isUndated = true }
        end.add(date.latest)
        insert(DatedPresenter(date: date, presenter: presenter))
    }

    mutating func add(_ other: FirstPresentation) {
        end.add(other.end)
        isUndated = isUndated || other.isUndated
        for dated in other.earliest { insert(dated) }
    }

    private mutating func insert(_ dated: DatedPresenter) {
        if let known = earliest.firstIndex(where: { $0.presenter == dated.presenter }) {
            earliest[known] = min(earliest[known], dated)
        } else {
            earliest.append(dated)
        }
        earliest.sort()
        if earliest.count > 2 { earliest.removeLast() }
    }
}
