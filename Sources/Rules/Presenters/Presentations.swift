import Encodings
import Inputs

/// Who presents what the claims of a group share, in the whole group or in each part that a rule distinguishes.
///
/// Keeps the 4,096 smallest parts, pairs of part and presenter or device, and pairs of part and earliest claim.
struct Presentations: Sendable {
    private var parts = BottomMap<ExactText, Begin>()
    /// The presenters who match.
    private var matching = BottomSet<InPart<Presenter>>()
    /// The presenters who match on each device: the two smallest at most.
    private var devices = BottomMap<InPart<Device>, [Presenter]>()
    /// The earliest of all claims, and the presenters of undated claims.
    private var earliest = BottomSet<InPart<DatedPresenter>>()
    private var undated = BottomSet<InPart<Presenter>>()

    /// - Parameter part: the claim's part; empty for a rule without parts.
    mutating func add(_ observation: Observation, in part: ExactText) {
        guard let presenter = Presenter(observation) else { return }
        let date = observation.presentedAt
        if let date {
            earliest.insert(InPart(part: part, value: DatedPresenter(date: date, presenter: presenter)))
        } else {
            undated.insert(InPart(part: part, value: presenter))
        }
        let device = observation.isMatching ? observation.device : nil
        parts.update(part, from: Begin()) {
            $0.end.add(date?.latest)
            if device != nil { $0.firstMatch.add(presenter, date) }
        }
        guard let device else { return }
        matching.insert(InPart(part: part, value: presenter))
        devices.update(InPart(part: part, value: device), from: []) { $0.insertSmallest(presenter, atMost: 2) }
    }

    /// Returns what decides the roles of claims, by part, after all of them were added.
    func settled() -> [ExactText: PresenterRoles] {
        var settled: [ExactText: PresenterRoles] = [:]
        let (matching, undated) = (PartsOf(matching), PartsOf(undated))
        let earliest = PartsOf(earliest)
        // The last part with kept devices, if not all are kept.
        let lastDevices = devices.isComplete ? nil : devices.sorted.last?.key.part
        let devices = Dictionary(grouping: devices.sorted) { $0.key.part }
        for (part, begin) in parts.sorted {
            var roles = PresenterRoles()
            roles.first = begin.firstMatch.presenter
            roles.matching = Set(matching.values(in: part))
            roles.areAllMatching = matching.areAll(in: part) && lastDevices.map { part < $0 } ?? true
            for (device, holders) in devices[part] ?? [] where holders.count == 1 {
                roles.soleDevices.insert(device.value)
                roles.owners.formUnion(holders)
            }
            if let first = roles.first { roles.owners.insert(first) }
            let end = begin.end
            roles.firstEnd = end
            roles.firstMatch = begin.firstMatch.begin
            let dated = earliest.values(in: part)
            if let first = roles.first { roles.followers = Self.followers(of: first, in: dated) }
            roles.earliest = Set(
                dated.prefix { $0.date <= end ?? $0.date }.filter { roles.isEarly($0.date) }.map(\.presenter))
            let areAllKept = earliest.areAll(in: part) || dated.last.map { $0.date > end ?? $0.date } ?? false
            if !roles.hasMatch { roles.earliest.formUnion(undated.values(in: part)) }
            roles.areAllEarliest = areAllKept && (roles.hasMatch || undated.areAll(in: part))
            settled[part] = roles
        }
        return settled
    }

    /// The maximum number of presenters who are compared with the first one.
    private static let maxFollowers = 16

    /// Returns the first claims of the presenters after the first one, in order.
    private static func followers(of first: Presenter, in dated: [DatedPresenter]) -> [DatedPresenter] {
        var (seen, followers): (Set<Presenter>, [DatedPresenter]) = ([first], [])
        for next in dated where seen.insert(next.presenter).inserted {
            followers.append(next)
            if followers.count == maxFollowers { break }
        }
        return followers
    }

    /// A value in a part of a group.
    private struct InPart<Value: Hashable & Comparable & Sendable>: Hashable, Comparable, Sendable {
        let part: ExactText
        let value: Value

        static func < (a: InPart, b: InPart) -> Bool { (a.part, a.value) < (b.part, b.value) }
    }

    /// The kept values, by part.
    private struct PartsOf<Value: Hashable & Comparable & Sendable> {
        private let values: [ExactText: [Value]]
        /// The last part with kept values, if not all are kept.
        private let last: ExactText?

        init(_ kept: BottomSet<InPart<Value>>) {
            let keys = kept.sorted.map(\.key)
            values = Dictionary(grouping: keys, by: \.part).mapValues { $0.map(\.value) }
            last = kept.isComplete ? nil : keys.last?.part ?? ""
        }

        /// Returns the values of a part, in order.
        func values(in part: ExactText) -> [Value] { values[part] ?? [] }

        func areAll(in part: ExactText) -> Bool { last.map { part < $0 } ?? true }
    }

    /// The earliest claims of one part.
    private struct Begin: Sendable {
        /// The first of the claims that match.
        var firstMatch = FirstPresentation()
        /// The latest possible time of the first of all claims.
        var end: Instant?
    }
}

/// A presenter with a date of presentation. Sorts the earliest first.
struct DatedPresenter: Hashable, Comparable, Sendable {
    let date: Instant
    let presenter: Presenter

    static func < (a: DatedPresenter, b: DatedPresenter) -> Bool { (a.date, a.presenter) < (b.date, b.presenter) }
}

/// The first of many claims, as far as their dates show: presenters tie if the earliest claim of either may have been
/// first.
struct FirstPresentation: Sendable {
    /// The two presenters whose claims begin first, in order.
    private var earliest: [DatedPresenter] = []
    /// The latest possible time of the first claim.
    private var end: Instant?
    private var isUndated = false

    /// The first presenter; `nil` if the first ones tie, or any claim is undated.
    var presenter: Presenter? {
        guard !isUndated, let first = earliest.first, let end else { return nil }
        return earliest.dropFirst().allSatisfy { end < $0.date } ? first.presenter : nil
    }

    /// The earliest possible time of the first claim; `nil` if none is dated.
    var begin: Instant? { earliest.first?.date }

    mutating func add(_ presenter: Presenter, _ date: Instant?) {
        guard let date else { return isUndated = true }
        end.add(date.latest)
        let dated = DatedPresenter(date: date, presenter: presenter)
        if let known = earliest.firstIndex(where: { $0.presenter == dated.presenter }) {
            earliest[known] = min(earliest[known], dated)
        } else {
            earliest.append(dated)
        }
        earliest.sort()
        if earliest.count > 2 { earliest.removeLast() }
    }
}
