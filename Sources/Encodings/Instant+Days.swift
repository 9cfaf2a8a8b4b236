/// The precision of a presentation time: exports have dates without times, so 00:00:00.000 UTC may mean any time on
/// that day.
extension Instant {
    /// The last millisecond that it may mean.
    package var latest: Instant {
        let day: Int64 = 86_400_000
        return milliseconds % day == 0 ? Instant(milliseconds: milliseconds.addingSaturating(day - 1)) : self
    }

    /// Whether it is certainly before another one, at any time of its day.
    package func isSurelyBefore(_ other: Instant) -> Bool { latest < other }
}
