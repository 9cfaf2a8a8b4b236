import Checks
import Encodings
import Inputs

/// The days on which each device presents what a group shares, and whether its device hash was checked and matches.
///
/// Keeps the 4,096 smallest pairs of device and day, with devices in byte order. Days are in UTC.
struct PresentedDays: Sendable {
    private var pairs = BottomMap<DeviceDay, DeviceMatch>()

    mutating func add(_ observation: Observation) {
        guard let device = observation.device else { return }
        add(device, on: observation.presentedAt?.day, DeviceMatch(observation))
    }

    mutating func add(_ device: Device, on day: Int64?, _ match: DeviceMatch) {
        pairs.add(DeviceDay(device: device, day: day), match)
    }

    mutating func add(_ other: PresentedDays) { pairs.add(other.pairs) }

    var isComplete: Bool { pairs.isComplete }

    /// The devices in a span of days, and those without a date.
    struct Window: Sendable {
        /// The first and the last day on which a device was counted; `nil` if none has a date.
        var days: ClosedRange<Int64>?
        /// The devices with claims on those days, each with its best match in the whole group.
        var dated: [Device: DeviceMatch] = [:]
        /// The devices with only undated claims.
        var undated: [Device: DeviceMatch] = [:]

        /// The number of devices that have neither a matching nor an unchecked claim.
        var mismatched: Int { dated.values.count { $0 == .mismatch } }

        var devices: [Device] { (Array(dated.keys) + undated.keys).sorted() }
    }

    /// Returns the span of days with the highest rank; of equal ones the earliest.
    ///
    /// - Parameters:
    ///   - days: how far apart the first and the last day may be.
    ///   - rank: of the numbers of devices, and of those without any matching or unchecked claim; the greatest wins.
    func best(within days: Int64, by rank: (_ devices: Int, _ mismatched: Int) -> Int) -> Window {
        let entries = pairs.sorted
        var matches: [Device: DeviceMatch] = [:]
        var areDated: Set<Device> = []
        var dated: [(day: Int64, device: Device)] = []
        for (pair, note) in entries {
            matches[pair.device] = min(matches[pair.device] ?? note, note)
            guard let day = pair.day else { continue }
            areDated.insert(pair.device)
            dated.append((day, pair.device))
        }
        dated.sort { ($0.day, $0.device) < ($1.day, $1.device) }
        let found = Self.best(dated, within: days, matches, by: rank)
        var window = Window()
        if let found {
            window.days = dated[found.lowerBound].day...dated[found.upperBound].day
            for entry in dated[found] { window.dated[entry.device] = matches[entry.device] }
        }
        window.undated = matches.filter { !areDated.contains($0.key) }
        return window
    }

    /// Moves through the days with two indices that only increase.
    private static func best(
        _ dated: [(day: Int64, device: Device)], within days: Int64, _ matches: [Device: DeviceMatch],
        by rank: (Int, Int) -> Int
    ) -> ClosedRange<Int>? {
        var (best, bestRank): (ClosedRange<Int>?, Int) = (nil, .min)
        var counts: [Device: Int] = [:]
        var (first, mismatched) = (0, 0)
        for last in dated.indices {
            let device = dated[last].device
            counts[device, default: 0] += 1
            if counts[device] == 1, matches[device] == .mismatch { mismatched += 1 }
            while !dated[first].day.isWithin(days, before: dated[last].day) {
                let left = dated[first].device
                counts[left, default: 0] -= 1
                if counts[left] == 0 {
                    counts[left] = nil
                    if matches[left] == .mismatch { mismatched -= 1 }
                }
                first += 1
            }
            let rank = rank(counts.count, mismatched)
            if rank > bestRank { (best, bestRank) = (first...last, rank) }
        }
        return best
    }

    /// The match that a device's claims show; the best is the smallest.
    enum DeviceMatch: UInt8, Comparable, Mergeable, Sendable {
        case match
        case unchecked
        case mismatch

        init(_ observation: Observation) {
            self = observation.isMatching ? .match : observation.deviceHash == .notChecked ? .unchecked : .mismatch
        }

        static func < (a: DeviceMatch, b: DeviceMatch) -> Bool { a.rawValue < b.rawValue }
    }

    private struct DeviceDay: Hashable, Comparable, Sendable {
        let device: Device
        /// The day of presentation; `nil` if the claim is undated.
        let day: Int64?

        static func < (a: DeviceDay, b: DeviceDay) -> Bool {
            a.device == b.device ? (a.day ?? .max) < (b.day ?? .max) : a.device < b.device
        }
    }
}

extension PresentedDays.Window {
    /// Whether a claim is one of those that were counted.
    func contains(_ observation: Observation) -> Bool {
        guard let device = observation.device else { return false }
        guard let date = observation.presentedAt else { return dated[device] != nil || undated[device] != nil }
        return days?.contains(date.day) ?? false
    }

    /// `7 devices from 2026-01-01 to 2026-02-03: …`.
    func text(of noun: String, isComplete: Bool) -> String {
        let devices = devices
        let count = isComplete ? String(devices.count) : "at least \(devices.count)"
        let span = days.map { " from \(Instant(day: $0.lowerBound).date) to \(Instant(day: $0.upperBound).date)" } ?? ""
        let without = undated.isEmpty ? "" : " (\(undated.count) of them without a date)"
        let list = devices.listedOfAll { device in
            (dated[device] ?? undated[device]) == .match ? "\(device) (verified)" : "\(device)"
        }
        return "\(count) \(noun)\(span)\(without): \(list)"
    }
}

extension Instant {
    /// `2026-01-01`.
    var date: Substring { description.prefix { $0 != "T" } }
}

extension Int64 {
    /// Whether another number is greater than this one by at most a distance.
    fileprivate func isWithin(_ distance: Int64, before other: Int64) -> Bool {
        let (sum, overflow) = addingReportingOverflow(distance)
        return overflow || sum >= other
    }
}
