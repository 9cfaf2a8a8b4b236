public import Encodings

/// How bad a finding is.
public enum Severity: UInt8, CaseIterable, Comparable, Sendable {
    case info
    case low
    case medium
    case high
    case critical

    /// The word in reports and policies.
    public var code: String {
        switch self {
        case .info: "info"
        case .low: "low"
        case .medium: "medium"
        case .high: "high"
        case .critical: "critical"
        }
    }

    /// Reads a word as it stands in reports and policies.
    public init?(code: ExactText) {
        guard let severity = Self.allCases.first(where: { ExactText($0.code) == code }) else { return nil }
        self = severity
    }

    public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
}
