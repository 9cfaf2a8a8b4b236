import Rules

/// Under the hash of a key: which claim has it.
struct KeyRecord {
    var place: JudgedPlace
    var kind: KeyKind
    /// What the claim says, as ``ClaimIdentity`` has it; 0 if nobody asks.
    var identity: UInt64 = 0

    init(place: JudgedPlace, kind: KeyKind, identity: UInt64) {
        self.place = place
        self.kind = kind
        self.identity = identity
    }

    init(_ record: Span<UInt8>, withIdentity: Bool) {
        var fields = RecordReader(record)
        if withIdentity { identity = fields.sortable() }
        place = JudgedPlace(rawValue: fields.sortable())
        kind = KeyKind(rawValue: fields.byte()) ?? .receipt
    }

    /// With the identity first, so that records of one key are in its order.
    func write(to record: inout RecordWriter, withIdentity: Bool) {
        if withIdentity { record.sortable(identity) }
        record.sortable(place.rawValue)
        record.byte(kind.rawValue)
    }
}
