public import Rules

/// How findings compare with an earlier report's.
public struct ChangeCounts: Sendable, Equatable {
    public private(set) var persisting = 0
    public private(set) var resolved = 0
    private var newBySeverity = Severity.allCases.map { _ in 0 }

    public init() {}

    /// How many findings are new, in all.
    public var new: Int { newBySeverity.reduce(0, +) }

    /// How many findings are new at one severity.
    public func new(_ severity: Severity) -> Int { newBySeverity[Int(severity.rawValue)] }

    mutating func count(_ compared: ComparedFinding) {
        switch compared.change {
        case .new: newBySeverity[Int(compared.finding.severity.rawValue)] += 1
        case .persisting: persisting += 1
        case .resolved: resolved += 1
        case nil: break
        }
    }
}
