public import Rules

/// What was read of a subscription in some of its sightings. What was read in others can be added.
public struct SubscriptionSum: Codable, Sendable {
    var evidence = SubscriptionEvidence()
    var collector: PeriodCollector

    public init(mostPeriods limit: Int = Subscription.mostPeriods) { collector = PeriodCollector(limit: limit) }

    public mutating func take(_ sighting: Sighting) {
        evidence.take(sighting)
        collector.take(sighting)
    }

    /// Adds what was read in other sightings of the same subscription.
    public mutating func add(_ other: SubscriptionSum) {
        evidence.add(other.evidence)
        collector.add(other.collector)
    }

    /// For going through all sightings once more, having gone through them all; `nil` if that is not needed.
    public var secondLook: SubscriptionSecondLook? {
        collector.hasForgotten ? SubscriptionSecondLook(collector: PeriodCollector(again: collector)) : nil
    }
}

/// What is read of a subscription with too many periods when it is known which of them to keep.
public struct SubscriptionSecondLook: Codable, Sendable {
    var collector: PeriodCollector

    public mutating func take(_ sighting: Sighting) { collector.take(sighting) }

    /// Adds what was read in other sightings.
    public mutating func add(_ other: SubscriptionSecondLook) { collector.add(other.collector) }
}
