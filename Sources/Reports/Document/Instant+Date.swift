package import Encodings

extension Instant {
    /// The date in UTC: `2026-06-30`.
    package var date: String { String(description.prefix(10)) }
}
