package import Encodings
import Files
import Sorting

/// Appends the fields of a record to its bytes.
package struct RecordWriter: FieldCoder {
    package static var isReading: Bool { false }

    package var bytes: [UInt8] = []

    package init() {}

    /// Clears the record, and keeps the memory for the next one.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    package mutating func byte(_ value: inout UInt8) { bytes.append(value) }

    package mutating func number(_ value: inout UInt64) { bytes.append(leb128: value) }

    package mutating func sortable(_ value: inout UInt64) { bytes.append(bigEndian: value) }

    package mutating func text(_ value: inout ExactText) {
        var count = UInt64(value.utf8.count)
        number(&count)
        bytes.append(copying: value.utf8.span)
    }

    package mutating func sortable(_ value: inout ExactText) {
        let octets = value.utf8.span
        // Nearly no text contains a 0.
        if octets.firstIndex(of: 0) == nil {
            bytes.append(copying: octets)
        } else {
            for index in octets.indices {
                bytes.append(octets[index])
                if octets[index] == 0 { bytes.append(0xff) }
            }
        }
        bytes.append(0)
        bytes.append(0)
    }

    package mutating func octets(_ value: inout [UInt8]) { octets(value.span) }

    /// Writes the length of bytes, and the bytes.
    package mutating func octets(_ octets: Span<UInt8>) {
        var count = UInt64(octets.count)
        number(&count)
        bytes.append(copying: octets)
    }

    package mutating func beginBits() -> PresenceBits {
        bytes.append(0)
        bytes.append(0)
        return PresenceBits(bits: 0, position: bytes.count - 2)
    }

    package mutating func end(_ bits: PresenceBits) {
        bytes[bits.position] = UInt8(truncatingIfNeeded: bits.bits)
        bytes[bits.position + 1] = UInt8(truncatingIfNeeded: bits.bits >> 8)
    }

    package func reject() {}
}

extension RecordWriter {
    /// Writes a value as canonical JSON.
    package mutating func json(_ value: some Encodable) throws {
        var text = try CanonicalJSON.text(of: value)
        self.text(&text)
    }
}

extension RecordSorter {
    func add(_ prefix: UInt64, _ record: RecordWriter) throws(FileError) {
        let bytes = record.bytes
        try add(prefix, bytes.span)
    }
}
