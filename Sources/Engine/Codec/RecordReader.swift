package import Encodings

/// The reason why bytes are not a record of this version.
package enum RecordError: Error, CustomStringConvertible {
    case malformed

    package var description: String { "a record was not written by this version of audit" }
}

/// Reads the fields of a record, and throws if fields are missing or have values that no writer produces.
package struct RecordReader: FieldCoder, ~Escapable {
    package static var isReading: Bool { true }

    private let bytes: Span<UInt8>
    package private(set) var position = 0

    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    /// Reads a whole record into a value.
    package static func read<Value>(
        _ record: Span<UInt8>, _ placeholder: Value,
        _ code: (inout Value, inout RecordReader) throws(RecordError) -> Void
    ) throws(RecordError) -> Value {
        var (fields, value) = (RecordReader(record), placeholder)
        try code(&value, &fields)
        try fields.end()
        return value
    }

    package var isAtEnd: Bool { position == bytes.count }

    /// Throws unless the record ends here. Every reader of a record calls it after the last field.
    package func end() throws(RecordError) {
        guard isAtEnd else { throw .malformed }
    }

    package mutating func byte(_ value: inout UInt8) throws(RecordError) {
        guard position < bytes.count else { throw .malformed }
        value = bytes[position]
        position += 1
    }

    package mutating func number(_ value: inout UInt64) throws(RecordError) {
        // A number has one encoding: one that ends with 0 is not the shortest.
        let start = position
        guard let number = bytes.leb128(at: &position), position == start + 1 || bytes[position - 1] != 0 else {
            throw .malformed
        }
        value = number
    }

    package mutating func sortable(_ value: inout UInt64) throws(RecordError) {
        guard bytes.count - position >= 8 else { throw .malformed }
        value = 0
        for _ in 0..<8 {
            value = value << 8 | UInt64(bytes[position])
            position += 1
        }
    }

    package mutating func text(_ value: inout ExactText) throws(RecordError) {
        value = try Self.text(bytes.extracting(try next()))
    }

    package mutating func sortable(_ value: inout ExactText) throws(RecordError) {
        let rest = bytes.extracting(position...)
        guard let end = rest.firstIndex(of: 0) else { throw .malformed }
        if end + 1 < rest.count, rest[end + 1] == 0 {
            position += end + 2
            return value = try Self.text(rest.extracting(..<end))
        }
        var octets: [UInt8] = []
        while true {
            var octet: UInt8 = 0
            try byte(&octet)
            if octet == 0 {
                var escape: UInt8 = 0
                try byte(&escape)
                if escape == 0 { break }
                guard escape == 0xff else { throw .malformed }
            }
            octets.append(octet)
        }
        value = try Self.text(octets.span)
    }

    package mutating func octets(_ value: inout [UInt8]) throws(RecordError) {
        let range = try next()
        value.removeAll(keepingCapacity: true)
        value.append(copying: bytes.extracting(range))
    }

    /// Reads bytes without copying them.
    @_lifetime(copy self)
    package mutating func octets() throws(RecordError) -> Span<UInt8> { bytes.extracting(try next()) }

    package mutating func beginBits() throws(RecordError) -> PresenceBits {
        var (low, high): (UInt8, UInt8) = (0, 0)
        try byte(&low)
        try byte(&high)
        return PresenceBits(bits: UInt16(high) << 8 | UInt16(low), position: 0)
    }

    package func end(_ bits: PresenceBits) {}

    package func reject() throws(RecordError) { throw .malformed }

    /// Reads a length, and returns the range of the bytes after it.
    private mutating func next() throws(RecordError) -> Range<Int> {
        var count: UInt64 = 0
        try number(&count)
        guard count <= UInt64(bytes.count - position) else { throw .malformed }
        defer { position += Int(count) }
        return position..<position + Int(count)
    }

    private static func text(_ octets: Span<UInt8>) throws(RecordError) -> ExactText {
        guard let valid = try? UTF8Span(validating: octets) else { throw .malformed }
        return ExactText(String(copying: valid))
    }
}

extension RecordReader {
    /// Reads a value from canonical JSON.
    package mutating func json<Value: Codable>() throws(RecordError) -> Value {
        var text: ExactText = ""
        try self.text(&text)
        do { return try CanonicalJSON.value(of: text) } catch { throw .malformed }
    }
}
