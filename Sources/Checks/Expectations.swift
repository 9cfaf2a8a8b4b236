public import Encodings

/// What a run holds every claim to, besides what the claim says of itself.
public struct Expectations: Sendable {
    /// The instant the audit is made for. Nothing else tells the time.
    public var asOf: Instant
    /// The bundle identifiers of the apps that are ours; `nil` allows any.
    public var bundleIDs: Set<ExactText>?
    /// The environments (attribute 0) that are allowed; `nil` allows any.
    public var environments: Set<ExactText>?

    public init(asOf: Instant) { self.asOf = asOf }

    /// How far a receipt's creation date may lie after as-of: a day, for clocks and time zones that are off.
    package static let creationTolerance: Int64 = 24 * 3600
}
