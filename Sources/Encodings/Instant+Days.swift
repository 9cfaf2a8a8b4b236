/// How exactly an instant of presentation is known: exports have dates without times, so one at 00:00:00.000 UTC stands
/// for that whole day.
extension Instant {
    /// The last millisecond that it can stand for.
    package var latest: Instant {
        let day: Int64 = 86_400_000
        return milliseconds % day == 0 ? Instant(milliseconds: milliseconds.addingSaturating(day - 1)) : self
    }

    /// Whether it is before another one, at whatever time of its day that was.
    package func isSurelyBefore(_ other: Instant) -> Bool { latest < other }
}
