import Encodings
import Inputs

/// Reads the array of a line, one value after the other.
struct LineFields: ~Escapable {
    private let line: Span<UInt8>
    private var scanner: JSONScanner
    private var spelled = ByteArena()
    /// Whether no value of the array has been read yet.
    private var isAtStart = true

    /// Starts behind the version, which must be ours.
    @_lifetime(copy text)
    init(_ text: Span<UInt8>) throws(LineFault) {
        line = text
        scanner = JSONScanner(text)
        guard (try? UTF8Span(validating: text)) != nil else { throw .malformed("it is not UTF-8") }
        do throws(JSONError) {
            try scanner.expect("[")
        } catch {
            throw .malformed(error.description)
        }
        guard try int() == StreamVersion.number else { throw .otherVersion }
    }

    /// Goes past the comma before a value.
    private mutating func separate() throws(JSONError) {
        if !isAtStart { try scanner.expect(",") }
        isAtStart = false
    }

    mutating func int() throws(LineFault) -> Int { Int(truncatingIfNeeded: try number(decimals: 0)) }

    /// Seconds with thousandths, in thousandths.
    mutating func instant() throws(LineFault) -> Instant { Instant(milliseconds: try number(decimals: 3)) }

    mutating func instant(since other: Instant) throws(LineFault) -> Instant {
        Instant(milliseconds: try instant().milliseconds &+ other.milliseconds)
    }

    /// A number, times ten for each of so many decimals.
    private mutating func number(decimals: Int) throws(LineFault) -> Int64 {
        let word: Range<Int>
        do throws(JSONError) {
            try separate()
            word = try scanner.word()
        } catch {
            throw .malformed(error.description)
        }
        guard let number = Self.number(line.extracting(word), decimals: decimals) else {
            throw .malformed("a number is not one, or too large")
        }
        return number
    }

    private static func number(_ word: Span<UInt8>, decimals: Int) -> Int64? {
        let isNegative = word.count > 0 && word[0] == UInt8(ascii: "-")
        var number: Int64 = 0
        var missing = decimals
        var isFraction = false
        for index in (isNegative ? 1 : 0)..<word.count {
            let byte = word[index]
            if byte == UInt8(ascii: "."), !isFraction {
                isFraction = true
                continue
            }
            guard (0x30...0x39).contains(byte), !isFraction || missing > 0 else { return nil }
            if isFraction { missing -= 1 }
            guard let longer = number.appending(digit: Int64(byte - 0x30), isNegative: isNegative) else { return nil }
            number = longer
        }
        for _ in 0..<missing {
            guard let longer = number.appending(digit: 0, isNegative: isNegative) else { return nil }
            number = longer
        }
        return number
    }

    mutating func text() throws(LineFault) -> ExactText {
        let found: JSONText
        do throws(JSONError) {
            try separate()
            found = try scanner.string(spellingInto: &spelled)
        } catch {
            throw .malformed(error.description)
        }
        return switch found {
        case .plain(let range): try Self.string(line.extracting(range))
        case .spelled(let range): try Self.string(spelled.span(range))
        }
    }

    private static func string(_ bytes: Span<UInt8>) throws(LineFault) -> ExactText {
        guard let valid = try? UTF8Span(validating: bytes) else { throw .malformed("it is not UTF-8") }
        return ExactText(String(copying: valid))
    }

    mutating func octets() throws(LineFault) -> [UInt8] {
        let text = try text()
        return try Base64Text.octets(of: text.utf8.span)
    }

    /// Whether the next value is null, which is then passed.
    mutating func isNull() throws(LineFault) -> Bool {
        let start = scanner
        let wasAtStart = isAtStart
        do throws(JSONError) {
            try separate()
            if scanner.next() == UInt8(ascii: "n") {
                _ = try scanner.word()
                return true
            }
        } catch {
            throw .malformed(error.description)
        }
        scanner = start
        isAtStart = wasAtStart
        return false
    }

    /// Whether there is one more value in the array.
    mutating func hasMore() -> Bool { scanner.next() != UInt8(ascii: "]") }

    mutating func beginArray() throws(LineFault) {
        do throws(JSONError) {
            try separate()
            try scanner.expect("[")
        } catch {
            throw .malformed(error.description)
        }
        isAtStart = true
    }

    mutating func endArray() throws(LineFault) {
        do throws(JSONError) {
            try scanner.expect("]")
        } catch {
            throw .malformed(error.description)
        }
        isAtStart = false
    }

    /// Ends the array, behind which nothing may stand.
    mutating func end() throws(LineFault) {
        try endArray()
        guard scanner.next() == nil else { throw .malformed("something stands behind it") }
    }
}

extension Int64 {
    /// The number with one more decimal digit behind it; `nil` if it is too large then.
    fileprivate func appending(digit: Int64, isNegative: Bool) -> Int64? {
        let (product, overflow) = multipliedReportingOverflow(by: 10)
        let (sum, carry) =
            isNegative
            ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
        return overflow || carry ? nil : sum
    }
}
