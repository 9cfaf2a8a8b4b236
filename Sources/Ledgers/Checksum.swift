import Encodings

/// A checksum at the end of a row's record, over the record and the columns that identify it, so that damage is noticed
/// when the row is read.
///
/// Each step is a bijection: two rows that differ in one number never have the same checksum. It guards against failing
/// disks, not against people: anybody can compute it.
struct Checksum {
    private var state: UInt64 = 0x6c65_6467_6572_2032

    init(_ numbers: Int64...) { for number in numbers { add(UInt64(bitPattern: number)) } }

    init(_ texts: ExactText..., number: Int64 = 0) {
        for text in texts {
            add(UInt64(text.utf8.count))
            add(text.utf8.span.stableHash)
        }
        add(UInt64(bitPattern: number))
    }

    /// Returns a record with its checksum.
    func appended(to record: Span<UInt8>) -> [UInt8] {
        var stored: [UInt8] = []
        stored.reserveCapacity(record.count + 8)
        stored.append(copying: record)
        stored.append(bigEndian: value(of: record))
        return stored
    }

    /// Returns the record of a row; `nil` if its checksum does not match.
    func record(of stored: consuming [UInt8]) -> [UInt8]? {
        guard stored.count >= 8 else { return nil }
        let end = stored.count - 8
        let found = (end..<stored.count).reduce(0 as UInt64) { $0 << 8 | UInt64(stored[$1]) }
        guard found == value(of: stored.span.extracting(..<end)) else { return nil }
        stored.removeLast(8)
        return stored
    }

    /// The checksum in four bytes, for the smallest rows, which are the most frequent.
    var short: Int64 { Int64(Int32(truncatingIfNeeded: state)) }

    private mutating func add(_ value: UInt64) { state = stableMix((state ^ value) &* 0x9e37_79b9_7f4a_7c15) }

    /// Adds many bytes, in four independent sums that a processor computes in parallel.
    private func value(of record: Span<UInt8>) -> UInt64 {
        var sums: (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
        var index = 0
        while index &+ 32 <= record.count {
            let words = record.extracting(index..<index &+ 32)
            sums.0 = Self.adding(words.littleEndian(at: 0), to: sums.0)
            sums.1 = Self.adding(words.littleEndian(at: 8), to: sums.1)
            sums.2 = Self.adding(words.littleEndian(at: 16), to: sums.2)
            sums.3 = Self.adding(words.littleEndian(at: 24), to: sums.3)
            index &+= 32
        }
        var checksum = self
        for value in [
            UInt64(record.count), record.extracting(index...).stableHash, sums.0, sums.1, sums.2, sums.3,
        ] {
            checksum.add(value)
        }
        return checksum.state
    }

    private static func adding(_ word: UInt64, to sum: UInt64) -> UInt64 {
        let product = (sum ^ word) &* 0x9e37_79b9_7f4a_7c15
        return product ^ product >> 32
    }
}

/// Maps unsigned numbers to SQLite's signed ones in the same order.
enum Unsigned {
    static func stored(_ value: UInt64) -> Int64 { Int64(bitPattern: value ^ (1 << 63)) }
    static func read(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ (1 << 63) }
}
