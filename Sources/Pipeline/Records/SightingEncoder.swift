import Encodings
import Files
import Receipts
import Rules
import Signatures

/// Writes a claim's sightings as records. What they have in common is written once and copied.
struct SightingEncoder {
    private let claim: UInt64
    private let flags: SightingFlags
    private let presented: [UInt8]
    /// The app and where its receipt comes from, which matter under some keys only.
    private let app: [UInt8]

    init(_ sighting: Sighting) {
        claim = sighting.claim
        flags = SightingFlags(of: sighting)
        var common = RecordWriter()
        common.presented(sighting)
        presented = common.bytes
        var app = RecordWriter()
        if sighting.isGenuine { app.app(sighting) }
        self.app = app.bytes
    }

    func write(
        _ kind: KeyKind, _ key: Span<UInt8>, _ purchases: ArraySlice<Purchase>, to record: inout RecordWriter
    ) {
        record.byte(kind.rawValue)
        record.number(UInt64(key.count))
        record.copy(key)
        record.sortable(claim)
        let flags = flags(with: purchases, under: kind)
        record.byte(flags.rawValue)
        record.copy(presented.span)
        if flags.contains(.hasApp) { record.copy(app.span) }
        if !purchases.isEmpty {
            record.purchases(purchases)
        }
    }
}

extension RecordWriter {
    /// All that a claim has to say under any key, under the receipt's digest.
    mutating func sightings(_ sightings: ClaimSightings) {
        let (sighting, purchases) = (sightings.presented, sightings.purchases)
        byte(KeyKind.receipt.rawValue)
        if let digest = sightings.contentDigest {
            number(UInt64(digest.octets.count))
            copy(digest.octets)
        } else {
            number(0)
        }
        sortable(sighting.claim)
        var flags = SightingFlags(of: sighting)
        if sighting.isGenuine { flags.insert(.hasApp) }
        if !purchases.isEmpty { flags.insert(.hasPurchases) }
        byte(flags.rawValue)
        presented(sighting)
        if sighting.isGenuine { app(sighting) }
        if !purchases.isEmpty { self.purchases(purchases[...]) }
    }

    fileprivate mutating func presented(_ sighting: Sighting) {
        text(sighting.source)
        if let device = sighting.device { self.device(device) }
        text(sighting.accountID)
        if let date = sighting.presentedAt { instant(date) }
        if let date = sighting.createdAt { instant(date) }
    }

    fileprivate mutating func app(_ sighting: Sighting) {
        text(sighting.bundleID)
        environment(sighting.environment)
    }

    fileprivate mutating func purchases(_ purchases: ArraySlice<Purchase>) {
        number(UInt64(purchases.count))
        var product: ExactText = ""
        for index in purchases.indices { purchase(purchases[index], after: &product) }
    }
}

extension SightingEncoder {
    func flags(with purchases: ArraySlice<Purchase>, under kind: KeyKind) -> SightingFlags {
        let isAppWanted = !app.isEmpty && kind != .receipt && kind != .transaction
        let flags = isAppWanted ? flags.union(.hasApp) : flags
        guard !purchases.isEmpty else { return flags }
        let havePeriods = purchases.contains { $0.expiresDate != nil }
        return flags.union(havePeriods ? [.hasPurchases, .hasPeriods] : .hasPurchases)
    }
}

extension RecordWriter {
    /// The environments that are known take a byte.
    mutating func environment(_ environment: ExactText) {
        let number = KnownEnvironment.number(of: environment)
        byte(UInt8(truncatingIfNeeded: number ?? KnownEnvironment.unknown))
        if number == nil { text(environment) }
    }
}

extension RecordReader {
    mutating func environment() -> ExactText { KnownEnvironment.name(Int(byte())) ?? text() }
}

/// What there is in a sighting's record.
struct SightingFlags: OptionSet {
    let rawValue: UInt8

    static let isVerified = SightingFlags(rawValue: 1)
    static let isGenuine = SightingFlags(rawValue: 2)
    static let hasDevice = SightingFlags(rawValue: 4)
    static let hasPresentedAt = SightingFlags(rawValue: 8)
    static let hasCreatedAt = SightingFlags(rawValue: 16)
    static let hasPurchases = SightingFlags(rawValue: 32)
    static let hasApp = SightingFlags(rawValue: 128)
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
