import Encodings
import Files

/// Writes the fields of a record, short ones in few bytes.
struct RecordWriter {
    var bytes: [UInt8] = []

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func byte(_ byte: UInt8) { bytes.append(byte) }

    /// Seven bits a byte, the least first (LEB128).
    mutating func number(_ number: UInt64) {
        var rest = number
        while rest > 0x7f {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Small numbers of either sign are short.
    mutating func signed(_ number: Int64) { self.number(UInt64(bitPattern: number << 1 ^ number >> 63)) }

    /// In eight bytes, so that the order of records is that of numbers.
    mutating func sortable(_ number: UInt64) { bytes.append(bigEndian: number) }

    mutating func text(_ text: ExactText) {
        number(UInt64(text.utf8.count))
        bytes.append(copying: text.utf8.span)
    }

    mutating func copy(_ octets: Span<UInt8>) { bytes.append(copying: octets) }

    mutating func octets(_ octets: [UInt8]) {
        number(UInt64(octets.count))
        bytes.append(contentsOf: octets)
    }

    /// Text by which records are sorted, before anything else. Its length must stand at the end, or it would sort first.
    mutating func leading(_ text: ExactText) {
        bytes.append(contentsOf: text.utf8)
        bytes.append(0)
    }

    mutating func endLeading(_ text: ExactText) { sortable(UInt64(text.utf8.count)) }

    mutating func instant(_ instant: Instant) { signed(instant.milliseconds) }
}
