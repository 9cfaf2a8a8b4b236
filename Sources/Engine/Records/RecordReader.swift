import Encodings
import Files

/// Reads the fields of a record in the order in which they were written. What is not there reads as nothing.
struct RecordReader: ~Escapable {
    private let bytes: Span<UInt8>
    private(set) var position = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    mutating func byte() -> UInt8 {
        guard position < bytes.count else { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func number() -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count, shift < 64 {
            let byte = byte()
            number |= UInt64(byte & 0x7f) << shift
            guard byte & 0x80 != 0 else { break }
            shift += 7
        }
        return number
    }

    mutating func signed() -> Int64 {
        let number = number()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    mutating func sortable() -> UInt64 { (0..<8).reduce(0) { number, _ in number << 8 | UInt64(byte()) } }

    mutating func text() -> ExactText { text(count()) }

    mutating func texts() -> [ExactText] {
        var texts: [ExactText] = []
        for _ in 0..<count() { texts.append(text()) }
        return texts
    }

    /// So many bytes of text, if there are so many.
    mutating func text(_ count: Int) -> ExactText {
        let count = max(0, min(count, bytes.count - position))
        let text = bytes.extracting(position..<position + count)
        position += count
        guard let valid = try? UTF8Span(validating: text) else { return "" }
        return ExactText(String(copying: valid))
    }

    /// The next of the texts that the record is sorted by.
    ///
    /// - Parameter number: how many of them come before it. Their lengths stand at the end, the first one's last.
    mutating func leading(_ number: Int = 0) -> ExactText {
        let start = position
        position = max(0, bytes.count - 8 * (number + 1))
        let count = Int(min(sortable(), UInt64(bytes.count)))
        position = start
        defer { skip(1) }
        return text(count)
    }

    /// The text at the end of the record, written as a leading one.
    mutating func trailing() -> ExactText {
        position = max(0, bytes.count - 8)
        let count = Int(min(sortable(), UInt64(bytes.count)))
        position = max(0, bytes.count - 9 - count)
        return text(count)
    }

    mutating func int() -> Int { Int(truncatingIfNeeded: number()) }

    mutating func octets() -> [UInt8] {
        let count = count()
        defer { position += count }
        var octets: [UInt8] = []
        octets.append(copying: bytes.extracting(position..<position + count))
        return octets
    }

    mutating func skip(_ count: Int) { position = min(bytes.count, position + count) }

    mutating func instant() -> Instant { Instant(milliseconds: signed()) }

    /// A length, no longer than what is left.
    mutating func count() -> Int { Int(min(number(), UInt64(bytes.count - position))) }
}
