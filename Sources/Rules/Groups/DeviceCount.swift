public import Inputs

/// The devices of a group, and those of them whose device hash matches in at least one claim.
public struct DeviceCount: Mergeable, Sendable {
    public private(set) var all = DistinctSketch<Device>()
    public private(set) var verified = DistinctSketch<Device>()

    public init() {}

    public mutating func take(_ observation: Observation) {
        guard let device = observation.device else { return }
        all.insert(device)
        if observation.deviceHashMatches { verified.insert(device) }
    }

    package mutating func add(_ other: DeviceCount) {
        all.add(other.all)
        verified.add(other.verified)
    }

    /// Makes ``DistinctSketch/keeps(_:)`` of both ready to be asked.
    mutating func settle() {
        all.settle()
        verified.settle()
    }

    /// `2 devices: … (verified), …`.
    public var text: String {
        all.isMore(than: 0) ? "\(all.countText) \(all.isMore(than: 1) ? "devices" : "device"): \(list)" : "no device"
    }

    /// The first ten, each with whether its hash matches: `… (verified), … and 3 more`.
    public var list: String {
        let verified = Set(verified.sorted)
        return all.sorted.listed(of: all.countText) { verified.contains($0) ? "\($0) (verified)" : "\($0)" }
    }
}

extension Array {
    /// The first ten, in words: `a, b and 3 more`. Without their total, there are more than are held: `and many more`.
    func listed(of total: String? = nil, by separator: String = ", ", _ text: (Element) -> String) -> String {
        let most = 10
        let words = prefix(most).map(text).joined(separator: separator)
        guard count > most else { return words }
        return words + " and \(total.flatMap(Int.init).map { String($0 - most) } ?? "many") more"
    }
}
