public import Encodings
public import Inputs

/// The claims that a finding is about, counted one by one in any order.
public struct Involved: Addable, Sendable {
    public private(set) var claims = 0
    public private(set) var devices = Distinct<Device>()
    public private(set) var accounts = Distinct<ExactText>()
    public private(set) var sources = FirstSources()

    public init() {}

    /// What is known of a finding whose claims are not asked for.
    package init(devices: Distinct<Device>, accounts: Distinct<ExactText>, sources: [ExactText]) {
        (self.devices, self.accounts) = (devices, accounts)
        for source in sources { self.sources.insert(source) }
    }

    public mutating func take(_ sighting: Sighting) {
        claims += 1
        if let device = sighting.device { devices.insert(device) }
        if !sighting.accountID.isEmpty { accounts.insert(sighting.accountID) }
        sources.insert(sighting.source)
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
