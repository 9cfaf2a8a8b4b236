import Encodings

/// Dates as spreadsheets have them: days since the end of 1899, as a number.
enum WorkbookDate {
    /// The first that all programs agree on: Excel has a 29th of February in 1900, others do not.
    static let first = Instant(seconds: -2_203_891_200)
    /// 9999-12-31T23:59:59Z.
    static let last = Instant(seconds: 253_402_300_799)

    /// The date to the second, in UTC; `nil` if a spreadsheet cannot hold it.
    static func number(of date: Instant) -> Double? {
        guard (first.seconds...last.seconds).contains(date.seconds) else { return nil }
        // 1970-01-01 is day 25,569.
        return 25_569 + Double(date.seconds) / 86_400
    }
}
