import Encodings
import Receipts
public import Rules
public import YAML

/// A policy as a company writes it: YAML, explained in `jobs/policy.example.yml`.
public enum PolicyFile {
    /// The maximum length of a policy in bytes: 8 MiB.
    public static let limit = 8 << 20

    /// Reads a policy, and throws all problems with it. Without settings it is the standard policy: every rule, any
    /// app, any environment. But a version is required: an empty file was probably truncated.
    ///
    /// - Parameter name: the file's name as written by the person who reads errors.
    public static func read(bytes: [UInt8], name: String) throws(YAMLFileError) -> Policy {
        try PolicyReader.read(bytes: bytes, name: name, limit: limit) { reader, root in reader.policy(root) }
    }
}

/// Makes a policy from a document. It continues after each problem, so that all are reported at once.
struct PolicyReader: YAMLReader {
    var problems: [YAMLFileError.Problem] = []

    mutating func policy(_ root: YAMLValue) -> Policy {
        var policy = Policy()
        let keys: [ExactText] = ["version", "environments", "apps", "rules", "allow"]
        let entries = table(root, "a policy", keys: keys)
        if !entries.contains(where: { $0.key == "version" }) {
            report(root.place, "“version: 1” is missing: is this file a policy?")
        }
        for entry in entries {
            switch entry.key {
            case "version": checkVersion(entry.value)
            case "environments": policy.environments = environments(entry.value)
            case "apps": policy.apps = apps(entry.value)
            case "rules": policy.rules = rules(entry.value)
            default: policy.allowances = allowances(entry.value)
            }
        }
        return policy
    }

    private mutating func environments(_ value: YAMLValue) -> Set<ExactText> {
        // No receipt contains “Sandbox”, but the App Store Server API does.
        let known = KnownEnvironment.names + ["Sandbox"]
        let texts = texts(value, "environments", of: "environments", allowsEmpty: true)
        for (text, place) in texts where !known.contains(text) {
            // Others may be added; the known ones are compared byte by byte, so their case matters.
            guard let name = known.first(where: { $0.lowercasedASCII == text.lowercasedASCII }) else { continue }
            report(place, "the environment \(text.quoted) is written \(name.quoted)")
        }
        return Set(texts.map(\.text))
    }

    /// `rules`: by id.
    mutating func rules(_ value: YAMLValue) -> [ExactText: Policy.RuleSettings] {
        var rules: [ExactText: Policy.RuleSettings] = [:]
        for entry in table(value, "“rules”") where isKnown(entry, "rule", among: RuleBook.ids) {
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
