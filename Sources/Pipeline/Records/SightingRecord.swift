import Encodings
import Inputs
import Receipts
import Rules

/// A sighting as a record to be sorted by its key: first the key, then the claim, then what it says.
enum SightingRecord {
    /// By what records are sorted first, so that those of one key come together.
    static func prefix(of key: GroupKey) -> UInt64 {
        let octets = key.octets
        return octets.span.stableHash ^ UInt64(key.kind.rawValue) &* 0x9e37_79b9_7f4a_7c15
    }

    static func write(_ key: GroupKey, _ sighting: Sighting, to record: inout RecordWriter) {
        record.byte(key.kind.rawValue)
        record.octets(key.octets)
        record.sortable(sighting.claim)
        record.byte(flags(of: sighting))
        record.text(sighting.source)
        if let device = sighting.device { record.device(device) }
        record.text(sighting.accountID)
        if let date = sighting.presentedAt { record.instant(date) }
        guard sighting.isGenuine else { return }
        record.text(sighting.bundleID)
        if let date = sighting.createdAt { record.instant(date) }
        record.number(UInt64(sighting.purchases.count))
        for purchase in sighting.purchases { record.purchase(purchase) }
    }

    private static func flags(of sighting: Sighting) -> UInt8 {
        (sighting.isVerified ? 1 : 0) | (sighting.isGenuine ? 2 : 0) | (sighting.device != nil ? 4 : 0)
            | (sighting.presentedAt != nil ? 8 : 0) | (sighting.createdAt != nil ? 16 : 0)
            | (sighting.purchases.isEmpty ? 0 : 32)
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

    /// Whether there are purchases in it, without reading all of it.
    static func hasPurchases(_ record: Span<UInt8>) -> Bool {
        var fields = RecordReader(record)
        fields.skip(keyLength(of: record) + 8)
        return fields.byte() & 32 != 0
    }

    static func sighting(of record: Span<UInt8>) -> Sighting {
        var fields = RecordReader(record)
        fields.skip(keyLength(of: record))
        let claim = fields.sortable()
        let flags = fields.byte()
        var sighting = Sighting(claim: claim, source: fields.text())
        sighting.isVerified = flags & 1 != 0
        sighting.isGenuine = flags & 2 != 0
        if flags & 4 != 0 { sighting.device = fields.device() }
        sighting.accountID = fields.text()
        if flags & 8 != 0 { sighting.presentedAt = fields.instant() }
        guard sighting.isGenuine else { return sighting }
        sighting.bundleID = fields.text()
        if flags & 16 != 0 { sighting.createdAt = fields.instant() }
        let count = fields.count()
        sighting.purchases.reserveCapacity(count)
        for _ in 0..<count { sighting.purchases.append(fields.purchase()) }
        return sighting
    }
}

extension RecordWriter {
    mutating func device(_ device: Device) {
        var octets: [UInt8] = []
        device.append(to: &octets)
        self.octets(octets)
    }
}

extension RecordReader {
    mutating func device() -> Device? {
        let octets = octets()
        return Device(octets: octets.span)
    }
}
