import Checks
import Encodings

/// Counts claims in four classes, in all and by month of presentation.
struct ClaimCounts {
    struct Classes: Equatable {
        /// Valid ones without findings, and with some.
        var clean = 0
        var suspect = 0
        var invalid = 0
        var unreadable = 0

        var total: Int { clean + suspect + invalid + unreadable }
        /// Those with findings or failures.
        var notClean: Int { suspect + invalid + unreadable }

        mutating func add(_ other: Self) {
            clean += other.clean
            suspect += other.suspect
            invalid += other.invalid
            unreadable += other.unreadable
        }
    }

    /// Every claim is in one class.
    private(set) var classes = Classes()
    /// By month of presentation, `2026-05`; empty if a claim does not say when it was presented, or not well.
    private(set) var months: [String: Classes] = [:]
    /// By the app that the proof says, else that the claim names.
    private(set) var apps: [String: Classes] = [:]
    /// Claims of other apps.
    private(set) var otherApps = Classes()
    /// How many apps are counted by themselves, the first ones: what claims name is untrusted.
    private static let maxApps = 1000
    private let lastMonth: String
    private let firstMonth: String

    /// - Parameter asOf: months are counted up to it, and two years back.
    init(asOf: Instant) {
        lastMonth = String(asOf.description.prefix(7))
        let parts = lastMonth.split(separator: "-").compactMap { Int($0) }
        let (year, month) = parts.count == 2 ? (parts[0], parts[1]) : (0, 1)
        let first = max(year * 12 + month - 1 - 23, 0)
        firstMonth = Self.digits(first / 12, 4) + "-" + Self.digits(first % 12 + 1, 2)
    }

    /// - Parameters:
    ///   - date: when the claim was presented, as in reports; empty if it does not say.
    ///   - app: as people see it; empty if neither proof nor claim says it.
    mutating func add(_ verdict: Verdict, hasFindings: Bool, presentedAt date: String, app: String) {
        let field: WritableKeyPath<Classes, Int> =
            switch verdict {
            case .valid: hasFindings ? \.suspect : \.clean
            case .invalid: \.invalid
            case .unreadable: \.unreadable
            }
        classes[keyPath: field] += 1
        months[month(date), default: Classes()][keyPath: field] += 1
        if apps[app] == nil, apps.count == Self.maxApps {
            otherApps[keyPath: field] += 1
        } else {
            apps[app, default: Classes()][keyPath: field] += 1
        }
    }

    private func month(_ date: String) -> String {
        let month = String(date.prefix(7))
        return month.isEmpty ? "" : month < firstMonth ? "earlier" : month > lastMonth ? "later" : month
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
