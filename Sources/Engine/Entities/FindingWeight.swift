package import Rules

/// The weight of a finding in the score of an entity and in the order of the review queue.
package enum FindingWeight {
    /// Returns the weight of a severity and a confidence, in tenths of a point.
    package static func of(_ severity: Severity, _ confidence: Confidence) -> Int {
        points(severity) * tenths(confidence)
    }

    private static func points(_ severity: Severity) -> Int {
        switch severity {
        case .critical: 100
        case .high: 30
        case .medium: 10
        case .low: 3
        case .info: 1
        }
    }

    private static func tenths(_ confidence: Confidence) -> Int {
        switch confidence {
        case .likely: 10
        case .possible: 5
        case .doubtful: 2
        }
    }
}
