import Encodings
import Rules
import YAML

extension PolicyReader {
    /// The ids of all rules.
    static let ruleIDs = RuleBook.ids

    /// `rules`: by id.
    mutating func rules(_ value: YAMLValue) -> [ExactText: Policy.RuleSettings] {
        var rules: [ExactText: Policy.RuleSettings] = [:]
        for entry in table(value, "“rules”") where isKnown(entry, "rule", among: Self.ruleIDs) {
            rules[entry.key] = settings(entry)
        }
        return rules
    }

    private mutating func settings(_ rule: YAMLEntry) -> Policy.RuleSettings {
        var settings = Policy.RuleSettings()
        if let word = rule.value.text {
            switch word.lowercasedASCII {
            case "off", "no", "false": settings.isOff = true
            case "on", "yes", "true": break
            default: refuse(rule.value, "\(rule.key.quoted) must be on, off, or a table of “severity” and limits")
            }
            return settings
        }
        let limits = RuleBook.rule(rule.key)?.documentation.limits ?? []
        for entry in table(rule.value, rule.key.quoted, keys: ["severity"] + limits.map(\.name)) {
            if let limit = limits.first(where: { $0.name == entry.key }) {
                settings.limits[limit.name] = number(entry.value, limit)
            } else {
                settings.severity = word(entry.value, "severity", among: Severity.allCases.map { ExactText($0.code) })
                    .flatMap(Severity.init(code:))
            }
        }
        return settings
    }

    private mutating func number(_ value: YAMLValue, _ limit: RuleLimit) -> Int? {
        if let text = value.text, text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text.text),
            limit.range.contains(number)
        {
            return number
        }
        let (low, high) = (limit.range.lowerBound, limit.range.upperBound)
        refuse(value, "“\(limit.name)” must be a whole number from \(low) to \(high)")
        return nil
    }
}
