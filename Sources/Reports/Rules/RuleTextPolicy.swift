import Encodings
import Rules

extension RuleTextExample {
    /// What an example's policy says, if it says anything.
    static func policy(_ policy: Policy) -> String? {
        var parts: [String] = []
        if let environments = policy.environments { parts.append("allows " + listed(environments)) }
        for (id, app) in policy.apps.sorted(by: { $0.key < $1.key }) {
            var text = "has the app `\(id)`"
            if let versions = app.versions { text += ", versions " + listed(versions) }
            if let products = app.products {
                let names = products.sorted { $0.key < $1.key }.map { name, product in
                    "`\(name)`" + (product.group.map { " (group `\($0)`)" } ?? "")
                }
                text += ", which sells " + (names.isEmpty ? "nothing" : names.joined(separator: ", "))
            }
            parts.append(text)
        }
        for (id, settings) in policy.rules.sorted(by: { $0.key < $1.key }) {
            var texts = settings.limits.sorted { $0.key < $1.key }.map { "`\($0.key)` to \($0.value)" }
            if let severity = settings.severity { texts.insert("the severity to \(severity.code)", at: 0) }
            if settings.isOff { parts.append("switches `\(id)` off") }
            if !texts.isEmpty { parts.append("sets in `\(id)` " + texts.joined(separator: ", ")) }
        }
        for allowance in policy.allowances { parts.append("has `\(allowance.subject)` on its allow list") }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private static func listed(_ names: Set<ExactText>) -> String {
        names.sorted().map { "`\($0)`" }.joined(separator: ", ")
    }
}
