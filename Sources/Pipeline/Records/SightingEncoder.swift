import Files
import Receipts
import Rules

/// Writes a claim's sightings as records. What they have in common is written once and copied.
struct SightingEncoder {
    private let claim: UInt64
    private let flags: SightingFlags
    private let presented: [UInt8]

    init(_ sighting: Sighting) {
        claim = sighting.claim
        flags = SightingFlags(of: sighting)
        var common = RecordWriter()
        common.text(sighting.source)
        if let device = sighting.device { common.device(device) }
        common.text(sighting.accountID)
        if let date = sighting.presentedAt { common.instant(date) }
        if sighting.isGenuine {
            common.text(sighting.bundleID)
            common.environment(sighting.environment)
            if let date = sighting.createdAt { common.instant(date) }
        }
        presented = common.bytes
    }

    func write(_ kind: KeyKind, _ key: Span<UInt8>, _ purchases: ArraySlice<Purchase>, to record: inout RecordWriter) {
        record.byte(kind.rawValue)
        record.number(UInt64(key.count))
        record.copy(key)
        record.sortable(claim)
        record.byte(flags(with: purchases).rawValue)
        record.copy(presented.span)
        guard !purchases.isEmpty else { return }
        record.number(UInt64(purchases.count))
        for purchase in purchases { record.purchase(purchase) }
    }
}

extension SightingEncoder {
    private func flags(with purchases: ArraySlice<Purchase>) -> SightingFlags {
        guard !purchases.isEmpty else { return flags }
        let havePeriods = purchases.contains { $0.expiresDate != nil }
        return flags.union(havePeriods ? [.hasPurchases, .hasPeriods] : .hasPurchases)
    }
}

extension RecordWriter {
    /// The environments that there are take a byte.
    mutating func environment(_ environment: String) {
        let number = knownEnvironments.firstIndex(of: environment) ?? knownEnvironments.count
        byte(UInt8(truncatingIfNeeded: number))
        if number == knownEnvironments.count { text(environment) }
    }
}

extension RecordReader {
    mutating func environment() -> String {
        let number = Int(byte())
        return number < knownEnvironments.count ? knownEnvironments[number] : text()
    }
}

private let knownEnvironments = [
    "Production", "ProductionSandbox", "Xcode", "ProductionVPP", "ProductionVPPSandbox", "",
]

/// What there is in a sighting's record.
struct SightingFlags: OptionSet {
    let rawValue: UInt8

    static let isVerified = SightingFlags(rawValue: 1)
    static let isGenuine = SightingFlags(rawValue: 2)
    static let hasDevice = SightingFlags(rawValue: 4)
    static let hasPresentedAt = SightingFlags(rawValue: 8)
    static let hasCreatedAt = SightingFlags(rawValue: 16)
    static let hasPurchases = SightingFlags(rawValue: 32)
    /// Purchases that expire.
    static let hasPeriods = SightingFlags(rawValue: 64)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(of sighting: Sighting) {
        self = []
        if sighting.isVerified { insert(.isVerified) }
        if sighting.isGenuine { insert(.isGenuine) }
        if sighting.device != nil { insert(.hasDevice) }
        if sighting.presentedAt != nil { insert(.hasPresentedAt) }
        if sighting.createdAt != nil { insert(.hasCreatedAt) }
    }
}
