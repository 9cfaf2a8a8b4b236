import Encodings
import Inputs
import Receipts
import Rules

/// A observation as a record to be sorted by its key: first the key, then the claim, then what it says.
enum ObservationRecord {
    /// By what records are sorted first, so that those of one key come together.
    static func prefix(of kind: KeyKind, _ key: Span<UInt8>) -> UInt64 {
        key.stableHash ^ UInt64(kind.rawValue) &* 0x9e37_79b9_7f4a_7c15
    }

    static func key(of record: Span<UInt8>) -> GroupKey {
        var fields = RecordReader(record)
        let kind = KeyKind(rawValue: fields.byte()) ?? .receipt
        return GroupKey(kind, octets: fields.octets())
    }

    /// How many bytes of a record are its key.
    static func keyLength(of record: Span<UInt8>) -> Int {
        var fields = RecordReader(record)
        _ = fields.byte()
        let count = fields.count()
        return fields.position + count
    }

    /// What there is in it, without reading all of it.
    static func flags(of record: Span<UInt8>) -> ObservationFlags {
        var fields = RecordReader(record)
        fields.skip(keyLength(of: record) + 8)
        return ObservationFlags(rawValue: fields.byte())
    }

    static func observation(of record: Span<UInt8>) -> Observation {
        var fields = RecordReader(record)
        fields.skip(keyLength(of: record))
        let claim = fields.sortable()
        let flags = ObservationFlags(rawValue: fields.byte())
        var observation = Observation(claim: claim, source: fields.text())
        observation.deviceHashMatches = flags.contains(.deviceHashMatches)
        observation.isGenuine = flags.contains(.isGenuine)
        if flags.contains(.hasDevice) { observation.device = fields.device() }
        observation.accountID = fields.text()
        if flags.contains(.hasPresentedAt) { observation.presentedAt = fields.instant() }
        if flags.contains(.hasCreatedAt) { observation.createdAt = fields.instant() }
        if flags.contains(.hasApp) {
            observation.bundleID = fields.text()
            observation.environment = fields.environment()
        }
        guard flags.contains(.hasPurchases) else { return observation }
        let count = fields.count()
        var product: ExactText = ""
        for _ in 0..<count { observation.purchases.append(fields.purchase(after: &product)) }
        return observation
    }
}

extension RecordWriter {
    mutating func device(_ device: Device) {
        device.withOctets { octets in
            number(UInt64(octets.count))
            copy(octets)
        }
    }
}

extension RecordReader {
    mutating func device() -> Device? {
        let octets = octets()
        return Device(octets: octets.span)
    }
}
