import Engine
import Streams
import Testing

/// One line that a step writes, and what reads it.
struct WrittenLine {
    private let bytes: [UInt8]

    /// - Parameter write: writes one line.
    init(_ write: (inout LineWriter) throws -> Void) rethrows {
        var lines = LineWriter()
        try write(&lines)
        bytes = Array(lines.bytes.dropLast())
    }

    var key: String { String(decoding: bytes.prefix { $0 != 0x09 }, as: UTF8.self) }

    /// What is read of the line. Nothing is read of a line whose record is cut off anywhere, whatever its checksum.
    func read<Value>(_ body: (inout RecordReader) throws -> Value) throws -> Value {
        let octets = try Base64Text.octets(of: Array(bytes.drop { $0 != 0x09 }.dropFirst()).span)
        let record = Array(octets.dropLast(LineChecksum.size))
        for count in 2..<record.count {
            #expect(throws: LineFault.malformed("its record is damaged"), "the first \(count) of \(record.count) bytes")
            {
                try Self.read(Array(record.prefix(count)), body)
            }
        }
        return try Self.read(record, body)
    }

    private static func read<Value>(_ record: [UInt8], _ body: (inout RecordReader) throws -> Value) throws -> Value {
        var text = Array("x\t".utf8)
        let checksum = LineChecksum.of(Array("x".utf8).span, record.span)
        let sealed = record + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> $0) }
        Base64Text.append(sealed.span, to: &text)
        var value: Value?
        try Line(text.span).read { value = try body(&$0) }
        return try #require(value)
    }
}
