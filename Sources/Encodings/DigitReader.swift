/// Reads digits and separators from the front of ASCII text.
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
    ///
    /// - Parameter needsSeconds: whether to refuse `02:30`.
    mutating func time(needsSeconds: Bool = true) -> Int64? {
        guard let hour = number(of: 2), skip(":"), let minute = number(of: 2), hour < 24, minute < 60 else {
            return nil
        }
        guard skip(":") else { return needsSeconds ? nil : (hour * 3600 + minute * 60) * 1000 }
        guard let second = number(of: 2), second < 60 else { return nil }
        let milliseconds = (hour * 3600 + minute * 60 + second) * 1000
        guard skip(".") else { return milliseconds }
        return fraction().map { milliseconds + $0 }
    }

    /// Returns the milliseconds after the decimal point: at least one digit, at most nine.
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

    /// Reads the name of a zone after a blank, ` UTC` or ` CEST`, if the text ends with it.
    mutating func skipZoneName() {
        guard (4...6).contains(text.count - position), text[position] == 0x20 else { return }
        guard (position + 1..<text.count).allSatisfy({ (0x41...0x5a).contains(text[$0]) }) else { return }
        position = text.count
    }

    /// Reads ` UTC`, if the text ends with it.
    mutating func skipUTC() -> Bool {
        guard text.count - position == 4, text.starts(with: Array(" UTC".utf8), at: position) else { return false }
        position = text.count
        return true
    }

    /// Returns an offset in seconds east of Greenwich.
    ///
    /// - Parameter needsMinutes: whether to refuse `+02` alone.
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
