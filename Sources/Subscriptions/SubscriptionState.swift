/// What is known of a subscription at an instant.
public enum SubscriptionState: String, CaseIterable, Sendable, Codable {
    /// The latest period has a cancellation date.
    case refunded
    /// The latest period is a trial and has not ended.
    case trial
    /// The latest period is at an introductory offer and has not ended.
    case intro
    /// The latest period has not ended.
    case active
    /// A receipt that was made when the latest period had ended, or later, shows no other.
    case expired
    /// The latest period ended after the newest receipt was made. It may have been renewed since.
    case notRefreshed = "not-refreshed"

    /// Whether the latest period has not ended.
    public var isRunning: Bool { self == .trial || self == .intro || self == .active }
}
