public import Encodings
public import Inputs

/// The claims that a finding is about, counted one by one in any order.
public struct Involved: Mergeable, Sendable {
    public private(set) var claims = 0
    public private(set) var devices = DistinctSketch<Device>()
    public private(set) var accounts = DistinctSketch<ExactText>()
    public private(set) var sources = FirstSources()

    public init() {}

    /// What is known of a finding whose claims are not asked for.
    package init(devices: DistinctSketch<Device>, accounts: DistinctSketch<ExactText>, sources: [ExactText]) {
        (self.devices, self.accounts) = (devices, accounts)
        for source in sources { self.sources.insert(source) }
    }

    public mutating func take(_ observation: Observation) {
        claims += 1
        if let device = observation.device { devices.insert(device) }
        if !observation.accountID.isEmpty { accounts.insert(observation.accountID) }
        sources.insert(observation.source)
    }

    /// Joins what two findings are about, but for the claims, which may be the same.
    mutating func formUnion(_ other: Involved) {
        devices.add(other.devices)
        accounts.add(other.accounts)
        for source in other.sources.names { sources.insert(source) }
    }

    /// Adds other claims, none of which is among these.
    package mutating func add(_ other: Involved) {
        let (sum, overflow) = claims.addingReportingOverflow(other.claims)
        claims = overflow ? .max : sum
        devices.add(other.devices)
        accounts.add(other.accounts)
        for source in other.sources.names { sources.insert(source) }
    }

    /// Counts one more claim, of which nothing else is to be noted.
    public mutating func countClaim() { claims += 1 }
}
