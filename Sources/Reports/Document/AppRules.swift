import Encodings
import Rules

/// Counts the findings of each rule about each app, by severity.
struct AppRules {
    /// The maximum number of apps with their own counts. Findings come worst first, and the first apps are kept.
    private static let maxApps = 1000

    private var apps: [ExactText: App] = [:]
    /// Findings about other apps.
    private var others = App(name: nil)

    struct App {
        /// The app; empty if none is known; `nil` for all other apps.
        let name: ExactText?
        var total = 0
        /// The number of findings by rule.
        var counts: [ExactText: Int] = [:]
        var severities: [Severity: Int] = [:]

        fileprivate init(name: ExactText?) { self.name = name }

        fileprivate mutating func add(_ finding: FindingRow) {
            total += 1
            counts[finding.rule, default: 0] += 1
            severities[finding.severity, default: 0] += 1
        }

        fileprivate mutating func add(_ other: App) {
            total += other.total
            counts.merge(other.counts, uniquingKeysWith: +)
            severities.merge(other.severities, uniquingKeysWith: +)
        }
    }

    mutating func add(_ finding: FindingRow) {
        let app = finding.bundleID
        if apps[app] == nil, apps.count == Self.maxApps {
            others.add(finding)
        } else {
            apps[app, default: App(name: app)].add(finding)
        }
    }

    /// Returns the apps with the most findings, and the sum of the others.
    func top(_ max: Int) -> [App] {
        let sorted = apps.values.sorted { a, b in (b.total, a.name ?? "") < (a.total, b.name ?? "") }
        // One more app takes no more space than a row for the others.
        let count = sorted.count == max + 1 && others.total == 0 ? max + 1 : max
        var rest = others
        for app in sorted.dropFirst(count) { rest.add(app) }
        return sorted.prefix(count) + (rest.total > 0 ? [rest] : [])
    }
}
