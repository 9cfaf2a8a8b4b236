/// A point in time, in milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Receipts carry whole seconds and, now and then, milliseconds. Every value that
/// ``init(rfc3339:)`` can read fits.
public struct Instant: Comparable, Hashable, Sendable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Seconds since the epoch. Values beyond the range of milliseconds are held at its ends.
    public init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        milliseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Whole seconds since the epoch, rounded down.
    public var seconds: Int64 {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    public static func < (a: Instant, b: Instant) -> Bool { a.milliseconds < b.milliseconds }

    /// This instant, later by a number of seconds; held at the ends of the range.
    public func adding(seconds: Int64) -> Instant {
        let (sum, overflow) = milliseconds.addingReportingOverflow(Instant(seconds: seconds).milliseconds)
        return Instant(milliseconds: overflow ? (seconds < 0 ? .min : .max) : sum)
    }
}

extension Instant: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension Instant: CustomStringConvertible {
    /// RFC 3339 in UTC with whole seconds, for example `2025-04-30T02:30:31Z`.
    public var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
