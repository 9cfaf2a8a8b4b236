import Checks
import Encodings

/// Counts claims in four classes, in total, by month of presentation and by app.
struct ClaimCounts {
    struct Classes: Equatable {
        /// Valid claims without findings.
        var clean = 0
        var suspect = 0
        var invalid = 0
        var unreadable = 0

        var total: Int { clean + suspect + invalid + unreadable }
        /// The number of claims with findings or failures.
        var notClean: Int { suspect + invalid + unreadable }

        mutating func add(_ other: Self) {
            clean += other.clean
            suspect += other.suspect
            invalid += other.invalid
            unreadable += other.unreadable
        }
    }

    /// The totals. Every claim is in one class.
    private(set) var classes = Classes()
    /// The counts by month of presentation, `2026-05`; empty for claims without a usable date.
    private(set) var months: [String: Classes] = [:]
    /// The counts by the app in the proof, or by the app that the claim names.
    private(set) var apps: [String: Classes] = [:]
    /// Claims of other apps.
    private(set) var otherApps = Classes()
    /// The maximum number of apps with their own counts, the first ones. Names in claims are untrusted.
    private static let maxApps = 1000
    private let lastMonth: String
    private let firstMonth: String

    /// - Parameter asOf: the last month counted is the one of this time, the first is two years earlier.
    init(asOf: Instant) {
        lastMonth = String(asOf.description.prefix(7))
        let parts = lastMonth.split(separator: "-").compactMap { Int($0) }
        let (year, month) = parts.count == 2 ? (parts[0], parts[1]) : (0, 1)
        let first = max(year * 12 + month - 1 - 23, 0)
        firstMonth = Self.digits(first / 12, 4) + "-" + Self.digits(first % 12 + 1, 2)
    }

    /// - Parameters:
    ///   - date: the presentation date, as in reports; empty if there is none.
    ///   - app: the app as shown to people; empty if neither proof nor claim names it.
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
