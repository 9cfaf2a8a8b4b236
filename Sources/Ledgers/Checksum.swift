private import Encodings

/// A hash over all columns of a row, stored with it in the column `seal`, so that damage is noticed when the row is
/// read.
///
/// Each step is a bijection: two rows that differ in one number never have the same checksum. It guards against failing
/// disks, not against people.
struct Checksum {
    private var state: UInt64 = 0x6c65_6467_6572_2031

    /// The number that is stored.
    var value: Int64 { Int64(bitPattern: state) }

    func adding(_ value: Int64) -> Checksum {
        var sum = self
        sum.state = stableMix((state ^ UInt64(bitPattern: value)) &* 0x9e37_79b9_7f4a_7c15)
        return sum
    }

    func adding(_ bytes: Span<UInt8>) -> Checksum {
        adding(Int64(bytes.count)).adding(Int64(bitPattern: bytes.stableHash))
    }

    func adding(_ text: String) -> Checksum { adding(text.utf8.span) }

    /// Adds many bytes, in four sums of which none waits for another.
    func adding(long bytes: Span<UInt8>) -> Checksum {
        var (first, second, third, fourth) = (UInt64(1), UInt64(2), UInt64(3), UInt64(4))
        var index = 0
        while index &+ 32 <= bytes.count {
            let words = bytes.extracting(index..<index &+ 32)
            first = Self.adding(words.littleEndian(at: 0), to: first)
            second = Self.adding(words.littleEndian(at: 8), to: second)
            third = Self.adding(words.littleEndian(at: 16), to: third)
            fourth = Self.adding(words.littleEndian(at: 24), to: fourth)
            index &+= 32
        }
        return [first, second, third, fourth].reduce(adding(bytes.extracting(index...))) {
            $0.adding(Int64(bitPattern: $1))
        }
    }

    private static func adding(_ word: UInt64, to sum: UInt64) -> UInt64 {
        let product = (sum ^ word) &* 0x9e37_79b9_7f4a_7c15
        return product ^ product >> 32
    }
}

extension Checksum {
    static func ofBlock(_ id: Int64, _ key: Span<UInt8>, _ output: Span<UInt8>) -> Int64 {
        Checksum().adding(id).adding(key).adding(Int64(output.count)).adding(long: output).value
    }

    static func ofSignature(_ digest: Span<UInt8>, _ run: Int64, _ verdict: Span<UInt8>) -> Int64 {
        Checksum().adding(digest).adding(run).adding(verdict).value
    }

    static func ofClaim(_ id: UInt64, _ run: Int64, _ record: Span<UInt8>) -> Int64 {
        Checksum().adding(Int64(bitPattern: id)).adding(run).adding(record).value
    }

    static func ofStatement(_ key: UInt64, _ record: Span<UInt8>, _ claim: UInt64, _ run: Int64) -> Int64 {
        let sum = Checksum().adding(Int64(bitPattern: key)).adding(record)
        return sum.adding(Int64(bitPattern: claim)).adding(run).value
    }

    /// In four octets, as these are the smallest rows, and the most numerous.
    static func ofObservation(_ key: UInt64, _ claim: UInt64) -> Int64 {
        let sum = Checksum().adding(Int64(bitPattern: key)).adding(Int64(bitPattern: claim))
        return Int64(Int32(truncatingIfNeeded: sum.value))
    }
}

/// Maps unsigned numbers to SQLite's signed ones in the same order.
enum Unsigned {
    static func stored(_ value: UInt64) -> Int64 { Int64(bitPattern: value ^ (1 << 63)) }
    static func read(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ (1 << 63) }
}
