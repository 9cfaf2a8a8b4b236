import Encodings
package import Engine
import Files

/// The reason why a line between `audit map` and `audit reduce` is refused.
package enum LineFault: Error, Equatable {
    /// Another version of this program wrote it.
    case otherVersion
    /// It comes from a run with another policy, other roots or another reference time.
    case otherSettings
    /// The reason completes a sentence that begins with the number of the line.
    case malformed(String)
    /// Lines of the run are missing, duplicated or changed, as the reason says.
    case incomplete(String)
}

/// Writes lines: a key, a tab, and in base64 a record, which begins with the version and ends with the line's checksum.
package struct LineWriter {
    package var bytes: [UInt8] = []
    /// The counts of written lines.
    package private(set) var counts = LineCounts()
    private var record = RecordWriter()

    package init() {}

    package mutating func write(_ key: StreamKey, _ code: (inout RecordWriter) throws -> Void) rethrows {
        let start = bytes.count
        key.append(to: &bytes)
        try write(from: start, code)
    }

    package mutating func write(
        _ letter: StreamKey.KeyLetter, _ octets: Span<UInt8>, _ code: (inout RecordWriter) throws -> Void
    ) rethrows {
        let start = bytes.count
        StreamKey.append(letter, octets, to: &bytes)
        try write(from: start, code)
    }

    /// Copies a line from another process.
    package mutating func copy(_ line: Span<UInt8>) {
        bytes.append(copying: line)
        bytes.append(0x0a)
    }

    /// Counts the row of a table, from a position to the end of the bytes.
    package mutating func count(rowOf table: String, from start: Int) {
        counts.add(rowOf: table, LineChecksum.of(bytes.span.extracting(start..<max(start, bytes.count - 1))))
    }

    private mutating func write(from start: Int, _ code: (inout RecordWriter) throws -> Void) rethrows {
        record.removeAll()
        record.bytes.append(UInt8(truncatingIfNeeded: RecordVersion.number >> 8))
        record.bytes.append(UInt8(truncatingIfNeeded: RecordVersion.number))
        try code(&record)
        let checksum = LineChecksum.of(bytes.span.extracting(start...), record.bytes.span)
        for shift in [24, 16, 8, 0] { record.bytes.append(UInt8(truncatingIfNeeded: checksum >> UInt32(shift))) }
        counts.add(bytes[start], checksum)
        let octets = record.bytes
        bytes.append(0x09)
        Base64Text.append(octets.span, to: &bytes)
        bytes.append(0x0a)
    }
}

/// The key and the record of a line.
package struct Line: ~Escapable {
    package let key: Span<UInt8>
    private let data: Span<UInt8>

    @_lifetime(copy text)
    package init(_ text: Span<UInt8>) throws(LineFault) {
        var tab = 0
        while tab < text.count, text[tab] != 0x09 { tab += 1 }
        guard tab < text.count else { throw .malformed("it has no key") }
        key = text.extracting(first: tab)
        data = text.extracting((tab + 1)...)
    }

    /// Calls a body with a reader of the record after its version. The body must read all of it.
    ///
    /// - Returns: the line's checksum.
    @discardableResult
    package func read(_ body: (inout RecordReader) throws -> Void) throws -> UInt32 {
        let record = try Base64Text.octets(of: data)
        guard record.count >= 2, UInt16(record[0]) << 8 | UInt16(record[1]) == RecordVersion.number else {
            throw LineFault.otherVersion
        }
        let end = record.count - LineChecksum.size
        guard end >= 2 else { throw LineFault.malformed("it was cut") }
        let checksum = record[end...].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        guard checksum == LineChecksum.of(key, record.span.extracting(..<end)) else {
            throw LineFault.malformed("it was changed or cut: its checksum differs")
        }
        var fields = RecordReader(record.span.extracting(2..<end))
        do {
            try body(&fields)
            try fields.end()
        } catch is RecordError {
            throw LineFault.malformed("its record is damaged")
        }
        return checksum
    }
}

/// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5), for bytes in lines.
package enum Base64Text {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    package static func append(_ octets: Span<UInt8>, to bytes: inout [UInt8]) {
        let digits = digits
        bytes.append(addingCapacity: (octets.count * 4 + 2) / 3) { text in
            var index = 0
            while octets.count - index >= 3 {
                let bits =
                    UInt32(octets[index]) << 16 | UInt32(octets[index + 1]) << 8 | UInt32(octets[index + 2])
                text.append(digits[Int(bits >> 18)])
                text.append(digits[Int(bits >> 12 & 0x3f)])
                text.append(digits[Int(bits >> 6 & 0x3f)])
                text.append(digits[Int(bits & 0x3f)])
                index += 3
            }
            guard index < octets.count else { return }
            // One remaining byte takes two digits, two bytes take three.
            let isOne = octets.count - index == 1
            let bits = UInt32(octets[index]) << 16 | (isOne ? 0 : UInt32(octets[index + 1]) << 8)
            text.append(digits[Int(bits >> 18)])
            text.append(digits[Int(bits >> 12 & 0x3f)])
            if !isOne { text.append(digits[Int(bits >> 6 & 0x3f)]) }
        }
    }

    package static func octets(of text: Span<UInt8>) throws(LineFault) -> [UInt8] {
        var octets: [UInt8] = []
        guard Base64.decode(text, into: &octets) else { throw .malformed("it is not valid base64") }
        return octets
    }
}
