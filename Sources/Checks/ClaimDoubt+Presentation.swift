import Encodings

/// Finds impossible dates of presentation.
///
/// Such a `presented_at` is used only for the claim's identity. The likely cause depends on the date alone, so that the
/// warning is the same for any reference time.
extension ClaimDoubt {
    /// Returns what is wrong with a date of presentation; `nil` if it is possible. A date at midnight may mean the
    /// whole day.
    ///
    /// - Parameter creation: when a genuine proof was made; `nil` for other proofs, whose dates prove nothing.
    static func about(presentation date: Instant, of creation: Instant?, asOf: Instant) -> ClaimDoubt? {
        if date < appStoreOpening { return tooEarly(date) }
        if let creation, date.latest.adding(seconds: day) < creation { return .presentedBeforeProof }
        guard date > asOf.adding(seconds: day) else { return nil }
        return date < appStoreOpening.adding(seconds: since2001) ? .presentedAfterAsOf : .presentedFarAhead
    }

    /// Whether another reference time may make the presentation possible.
    package var dependsOnAsOf: Bool { self == .presentedAfterAsOf || self == .presentedFarAhead }

    private static func tooEarly(_ date: Instant) -> ClaimDoubt {
        let seconds = date.milliseconds / 1000
        if isPlausible(seconds.multipliedSaturating(by: day).addingSaturating(excelEpoch)) {
            return .presentedInExcelDays
        }
        if isPlausible(seconds.multipliedSaturating(by: 1000)) { return .presentedInThousands }
        return isPlausible(seconds.addingSaturating(since2001)) ? .presentedSince2001 : .presentedBeforeAppStore
    }

    /// Whether a number of seconds since 1970 is a date in the thirty years after the App Store opened.
    private static func isPlausible(_ seconds: Int64) -> Bool {
        (appStoreOpening.seconds..<appStoreOpening.seconds + 10_957 * day).contains(seconds)
    }

    /// 2008-07-10T00:00:00Z.
    static let appStoreOpening = Instant(seconds: 1_215_648_000)
    private static let day: Int64 = 86_400
    /// 1899-12-30, Excel's day 0, in seconds since 1970.
    private static let excelEpoch: Int64 = -2_209_161_600
    /// 2001-01-01T00:00:00Z, the epoch of Apple's systems, in seconds since 1970.
    private static let since2001: Int64 = 978_307_200
}

extension Int64 {
    fileprivate func multipliedSaturating(by factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? (self < 0 ? .min : .max) : product
    }
}
