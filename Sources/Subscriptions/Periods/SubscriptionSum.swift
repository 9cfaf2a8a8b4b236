public import Rules

/// What was read of a subscription in some of its observations. What was read in others can be added.
public struct SubscriptionSum: Codable, Sendable {
    var evidence = SubscriptionEvidence()
    var collector: PeriodCollector

    public init(maxPeriods limit: Int = Subscription.maxPeriods) { collector = PeriodCollector(limit: limit) }

    public mutating func take(_ observation: Observation) {
        evidence.take(observation)
        collector.take(observation)
    }

    /// Adds what was read in other observations of the same subscription.
    public mutating func add(_ other: SubscriptionSum) {
        evidence.add(other.evidence)
        collector.add(other.collector)
    }

    /// For going through all observations once more, having gone through them all; `nil` if that is not needed.
    public var secondLook: SubscriptionSecondLook? {
        collector.hasForgotten ? SubscriptionSecondLook(collector: PeriodCollector(again: collector)) : nil
    }
}

/// What is read of a subscription with too many periods when it is known which of them to keep.
public struct SubscriptionSecondLook: Codable, Sendable {
    var collector: PeriodCollector

    public mutating func take(_ observation: Observation) { collector.take(observation) }

    /// Adds what was read in other observations.
    public mutating func add(_ other: SubscriptionSecondLook) { collector.add(other.collector) }
}
