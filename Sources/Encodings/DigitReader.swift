/// Reads digits and marks from the front of ASCII text.
struct DigitReader: ~Escapable {
    private let text: Span<UInt8>
    private var position = 0

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) { self.text = text }

    var isAtEnd: Bool { position == text.count }

    @inline(__always)
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

    /// Returns the days since 1970 of a date, `2025-04-30`.
    mutating func date() -> Int64? {
        guard let year = number(of: 4), skip("-"), let month = number(of: 2), skip("-"), let day = number(of: 2)
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        return date.exists ? date.daysSinceEpoch : nil
    }

    /// Returns the milliseconds since midnight of a time, `02:30:31`, with or without a fraction.
    mutating func time() -> Int64? {
        guard let hour = number(of: 2), skip(":"), let minute = number(of: 2), skip(":"), let second = number(of: 2),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let milliseconds = (hour * 3600 + minute * 60 + second) * 1000
        guard skip(".") else { return milliseconds }
        return fraction().map { milliseconds + $0 }
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

    /// Returns a number of one digit or more, up to a limit.
    mutating func number(upTo limit: Int64) -> Int64? {
        guard var value = digit() else { return nil }
        while let digit = digit() {
            value = value * 10 + digit
            guard value <= limit else { return nil }
        }
        return value <= limit ? value : nil
    }

    /// Seconds east of Greenwich.
    ///
    /// - Parameter needsMinutes: whether `+02` alone is none.
    mutating func offset(needsMinutes: Bool = true) -> Int64? {
        if skip("Z") { return 0 }
        let east = skip("+")
        guard east || skip("-"), let hours = number(of: 2), hours < 24 else { return nil }
        var minutes: Int64 = 0
        if needsMinutes || !isAtEnd {
            _ = skip(":")
            guard let found = number(of: 2), found < 60 else { return nil }
            minutes = found
        }
        let seconds = hours * 3600 + minutes * 60
        return east ? seconds : -seconds
    }

    private mutating func digit() -> Int64? {
        guard position < text.count, case let digit = text[position] &- 48, digit < 10 else { return nil }
        position += 1
        return Int64(digit)
    }
}
