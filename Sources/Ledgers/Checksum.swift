private import Encodings

/// A hash over all that a row is made of, kept with it, so that damage is noticed when the row is read.
///
/// Each part goes in by a step that can be undone: two rows that differ in one part never have the same seal. It guards
/// against failing disks, not against people.
struct Checksum {
    private var state: UInt64 = 0x6c65_6467_6572_2031

    mutating func add(_ value: Int64) {
        state = stableMix((state ^ UInt64(bitPattern: value)) &* 0x9e37_79b9_7f4a_7c15)
    }

    mutating func add(_ bytes: Span<UInt8>) {
        add(Int64(bytes.count))
        add(Int64(bitPattern: bytes.stableHash))
    }

    mutating func add(_ text: String) { add(text.utf8.span) }

    /// What is stored.
    var value: Int64 { Int64(bitPattern: state) }
}

/// Numbers without a sign, stored so that SQLite, which knows only numbers with one, has them in their order.
enum Unsigned {
    static func stored(_ value: UInt64) -> Int64 { Int64(bitPattern: value ^ (1 << 63)) }
    static func read(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ (1 << 63) }
}

extension Checksum {
    static func ofBlock(_ id: Int64, _ key: Span<UInt8>, _ output: Span<UInt8>) -> Int64 {
        var seal = Checksum()
        seal.add(id)
        seal.add(key)
        seal.add(output)
        return seal.value
    }

    static func ofSignature(_ digest: Span<UInt8>, _ run: Int64, _ verdict: Span<UInt8>) -> Int64 {
        var seal = Checksum()
        seal.add(digest)
        seal.add(run)
        seal.add(verdict)
        return seal.value
    }

    static func ofClaim(_ id: UInt64, _ run: Int64, _ record: Span<UInt8>) -> Int64 {
        var seal = Checksum()
        seal.add(Int64(bitPattern: id))
        seal.add(run)
        seal.add(record)
        return seal.value
    }

    /// Of four octets: it stands in the smallest rows, of which there are the most.
    static func ofObservation(_ key: UInt64, _ claim: UInt64) -> Int64 {
        var seal = Checksum()
        seal.add(Int64(bitPattern: key))
        seal.add(Int64(bitPattern: claim))
        return Int64(Int32(truncatingIfNeeded: seal.value))
    }
}
