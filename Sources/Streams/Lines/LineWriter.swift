import Encodings
import Files

/// Writes lines: a key, a tab, and an array of JSON that starts with the version.
struct LineWriter {
    var bytes: [UInt8] = []

    mutating func begin(_ key: StreamKey) {
        key.append(to: &bytes)
        beginFields()
    }

    mutating func begin(_ letter: StreamKey.KeyLetter, _ octets: Span<UInt8>) {
        StreamKey.append(letter, octets, to: &bytes)
        beginFields()
    }

    private mutating func beginFields() {
        bytes.append(0x09)
        bytes.append(UInt8(ascii: "["))
        append(decimal: Int64(StreamVersion.number))
    }

    mutating func end() {
        bytes.append(UInt8(ascii: "]"))
        bytes.append(0x0a)
    }

    mutating func number(_ number: Int) { self.number(Int64(number)) }

    mutating func number(_ number: Int64) {
        bytes.append(UInt8(ascii: ","))
        append(decimal: number)
    }

    mutating func text(_ text: String) {
        bytes.append(UInt8(ascii: ","))
        JSONString.append(text, to: &bytes)
    }

    /// Octets that are told from a text by what the reader expects.
    mutating func text(_ text: ExactText) { self.text(text.text) }

    mutating func octets(_ octets: Span<UInt8>) {
        bytes.append(UInt8(ascii: ","))
        bytes.append(UInt8(ascii: "\""))
        Base64Text.append(octets, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func null() { bytes.append(contentsOf: ",null".utf8) }

    /// Seconds since 1970, with thousandths if there are any.
    mutating func instant(_ instant: Instant) {
        let milliseconds = instant.milliseconds
        guard milliseconds % 1000 != 0 else { return number(milliseconds / 1000) }
        bytes.append(UInt8(ascii: ","))
        if milliseconds < 0 { bytes.append(UInt8(ascii: "-")) }
        let (seconds, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        bytes.append(contentsOf: "\(seconds).".utf8)
        bytes.append(contentsOf: String(rest + 1000).utf8.dropFirst())
    }

    /// A date, told from another: most are near, or as far apart as many others.
    mutating func instant(_ instant: Instant, since other: Instant) {
        // Around the ends of the range it wraps, and back when it is read.
        self.instant(Instant(milliseconds: instant.milliseconds &- other.milliseconds))
    }

    /// An array within the array. Its first element is a number.
    mutating func beginArray(_ first: Int) {
        bytes.append(contentsOf: ",[".utf8)
        append(decimal: Int64(first))
    }

    mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

    private mutating func append(decimal number: Int64) { bytes.append(contentsOf: String(number).utf8) }
}
