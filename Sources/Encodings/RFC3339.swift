extension Instant {
    /// Reads an RFC 3339 date-time: `2025-04-30T02:30:31Z`, with or without a fraction
    /// (beyond milliseconds it is cut), `Z` or an offset with or without its colon.
    /// Xcode's local store writes `+0300`. Anything else is `nil`.
    public init?(rfc3339 text: Span<UInt8>) {
        var digits = DigitReader(text)
        guard let year = digits.number(of: 4), digits.skip("-"),
            let month = digits.number(of: 2), digits.skip("-"),
            let day = digits.number(of: 2), digits.skip("T"),
            let hour = digits.number(of: 2), digits.skip(":"),
            let minute = digits.number(of: 2), digits.skip(":"),
            let second = digits.number(of: 2), hour < 24, minute < 60, second < 60
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard date.exists else { return nil }
        var fraction: Int64 = 0
        if digits.skip(".") {
            guard let milliseconds = digits.fraction() else { return nil }
            fraction = milliseconds
        }
        guard let offset = digits.offset(), digits.isAtEnd else { return nil }
        let seconds = date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second - offset
        self.init(milliseconds: seconds * 1000 + fraction)
    }

    /// The same for a string.
    public init?(rfc3339 text: String) {
        self.init(rfc3339: text.utf8.span)
    }

    /// Appends RFC 3339 in UTC with whole seconds, as every report writes it.
    ///
    /// Years beyond four digits, which no receipt can carry in UTC, are held at 0000 and 9999.
    public func append(to text: inout [UInt8]) {
        let lowest: Int64 = -62_167_219_200  // 0000-01-01T00:00:00Z
        let highest: Int64 = 253_402_300_799  // 9999-12-31T23:59:59Z
        let held = min(max(seconds, lowest), highest)
        let day = held >= 0 ? held / 86_400 : (held - 86_399) / 86_400
        let date = CivilDate(daysSinceEpoch: day)
        let time = held - day * 86_400
        appendNumber(date.year / 100, to: &text)
        appendNumber(date.year % 100, "-", to: &text)
        appendNumber(date.month, "-", to: &text)
        appendNumber(date.day, "T", to: &text)
        appendNumber(time / 3600, ":", to: &text)
        appendNumber(time / 60 % 60, ":", to: &text)
        appendNumber(time % 60, "Z", to: &text)
    }

    private func appendNumber(_ number: Int64, _ separator: Unicode.Scalar? = nil, to text: inout [UInt8]) {
        text.append(UInt8(truncatingIfNeeded: 48 + number / 10))
        text.append(UInt8(truncatingIfNeeded: 48 + number % 10))
        if let separator { text.append(UInt8(truncatingIfNeeded: separator.value)) }
    }
}

/// Reads digits and marks from the front of ASCII text.
private struct DigitReader: ~Escapable {
    private let text: Span<UInt8>
    private var position = 0

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) { self.text = text }

    var isAtEnd: Bool { position == text.count }

    mutating func number(of count: Int) -> Int64? {
        guard count <= text.count - position else { return nil }
        var value: Int64 = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard position < text.count, UInt32(text[position]) == mark.value else { return false }
        position += 1
        return true
    }

    /// Milliseconds after the decimal point: at least one digit, at most nine.
    mutating func fraction() -> Int64? {
        var value: Int64 = 0
        var count = 0
        while count < 9, let digit = digit() {
            if count < 3 { value = value * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        for _ in count..<max(count, 3) { value *= 10 }
        return value
    }

    /// Seconds east of Greenwich.
    mutating func offset() -> Int64? {
        if skip("Z") { return 0 }
        let east = skip("+")
        guard east || skip("-"), let hours = number(of: 2) else { return nil }
        _ = skip(":")
        guard let minutes = number(of: 2), hours < 24, minutes < 60 else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return east ? seconds : -seconds
    }

    private mutating func digit() -> Int64? {
        guard position < text.count, case let digit = text[position] &- 48, digit < 10 else { return nil }
        position += 1
        return Int64(digit)
    }
}
