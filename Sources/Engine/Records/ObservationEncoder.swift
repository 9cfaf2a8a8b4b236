import Encodings
import Files
import Proofs
import Receipts
import Rules

/// Writes a claim's observations as records. What they have in common is written once and copied.
struct ObservationEncoder {
    private let claim: UInt64
    private let flags: ObservationFlags
    private let presented: [UInt8]
    /// The app and where its receipt comes from, which matter under some keys only.
    private let app: [UInt8]

    init(_ observation: Observation) {
        claim = observation.claim
        flags = ObservationFlags(of: observation)
        var common = RecordWriter()
        common.presented(observation)
        presented = common.bytes
        var app = RecordWriter()
        if observation.isGenuine { app.app(observation) }
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
    mutating func observations(_ observations: ClaimObservations) {
        let (observation, purchases) = (observations.presented, observations.purchases)
        byte(KeyKind.receipt.rawValue)
        if let digest = observations.contentDigest {
            number(UInt64(digest.octets.count))
            copy(digest.octets)
        } else {
            number(0)
        }
        sortable(observation.claim)
        var flags = ObservationFlags(of: observation)
        if observation.isGenuine { flags.insert(.hasApp) }
        if !purchases.isEmpty { flags.insert(.hasPurchases) }
        byte(flags.rawValue)
        presented(observation)
        if observation.isGenuine { app(observation) }
        if !purchases.isEmpty { self.purchases(purchases[...]) }
    }

    fileprivate mutating func presented(_ observation: Observation) {
        text(observation.source)
        if let device = observation.device { self.device(device) }
        text(observation.accountID)
        if let date = observation.presentedAt { instant(date) }
        if let date = observation.createdAt { instant(date) }
    }

    fileprivate mutating func app(_ observation: Observation) {
        text(observation.bundleID)
        environment(observation.environment)
    }

    fileprivate mutating func purchases(_ purchases: ArraySlice<Purchase>) {
        number(UInt64(purchases.count))
        var product: ExactText = ""
        for index in purchases.indices { purchase(purchases[index], after: &product) }
    }
}

extension ObservationEncoder {
    func flags(with purchases: ArraySlice<Purchase>, under kind: KeyKind) -> ObservationFlags {
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

/// What there is in a observation's record.
struct ObservationFlags: OptionSet {
    let rawValue: UInt8

    static let deviceHashMatches = ObservationFlags(rawValue: 1)
    static let isGenuine = ObservationFlags(rawValue: 2)
    static let hasDevice = ObservationFlags(rawValue: 4)
    static let hasPresentedAt = ObservationFlags(rawValue: 8)
    static let hasCreatedAt = ObservationFlags(rawValue: 16)
    static let hasPurchases = ObservationFlags(rawValue: 32)
    static let hasApp = ObservationFlags(rawValue: 128)
    /// Purchases that expire.
    static let hasPeriods = ObservationFlags(rawValue: 64)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(of observation: Observation) {
        self = []
        if observation.deviceHashMatches { insert(.deviceHashMatches) }
        if observation.isGenuine { insert(.isGenuine) }
        if observation.device != nil { insert(.hasDevice) }
        if observation.presentedAt != nil { insert(.hasPresentedAt) }
        if observation.createdAt != nil { insert(.hasCreatedAt) }
    }
}
