/// Some of the checks, one bit each.
public struct CheckSet: Hashable, Sendable {
    private var bits: UInt32 = 0

    public init() {}

    public var isEmpty: Bool { bits == 0 }

    public func contains(_ check: Check) -> Bool { bits & Self.bit(check) != 0 }

    public mutating func insert(_ check: Check) { bits |= Self.bit(check) }

    /// In the order in which they are reported.
    public var sorted: [Check] { isEmpty ? [] : Check.allCases.filter(contains) }

    /// What failing these checks makes of a claim.
    public var verdict: Verdict {
        if bits & Self.unreadable != 0 { return .unreadable }
        return isEmpty ? .valid : .invalid
    }

    private static func bit(_ check: Check) -> UInt32 { 1 << UInt32(check.rawValue) }

    private static let unreadable = Check.allCases.filter { $0.verdictIfFailed == .unreadable }
        .reduce(UInt32(0)) { $0 | bit($1) }
}

extension CheckSet: ExpressibleByArrayLiteral {
    public init(arrayLiteral checks: Check...) {
        for check in checks { insert(check) }
    }
}

extension CheckSet: CustomStringConvertible {
    /// The codes, joined by `;` as in reports.
    public var description: String { sorted.map(\.code).joined(separator: ";") }
}
