/// The two forms of a time in certificates (RFC 5280, section 4.1.2.5): with seconds, in UTC.
extension Instant {
    /// Reads a UTCTime, `YYMMDDHHMMSSZ`: years from 50 on belong to the twentieth century. Anything else is `nil`.
    public init?(utcTime text: Span<UInt8>) {
        var digits = DigitReader(text)
        guard let year = digits.number(of: 2) else { return nil }
        self.init(asn1: &digits, year: year < 50 ? 2000 + year : 1900 + year)
    }

    /// Reads a GeneralizedTime, `YYYYMMDDHHMMSSZ`. Anything else is `nil`.
    public init?(generalizedTime text: Span<UInt8>) {
        var digits = DigitReader(text)
        guard let year = digits.number(of: 4) else { return nil }
        self.init(asn1: &digits, year: year)
    }

    private init?(asn1 digits: inout DigitReader, year: Int64) {
        guard let month = digits.number(of: 2), let day = digits.number(of: 2), let hour = digits.number(of: 2),
            let minute = digits.number(of: 2), let second = digits.number(of: 2), digits.skip("Z"), digits.isAtEnd,
            hour < 24, minute < 60, second < 60
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard date.exists else { return nil }
        self.init(days: date.daysSinceEpoch, time: (hour * 3600 + minute * 60 + second) * 1000, offset: 0)
    }
}
