import Encodings
public import Rules

/// Writes rules for programs: one JSON object each, with keys that never change their meaning.
///
/// | key | value |
/// |---|---|
/// | `id`, `title`, `severity` | as in reports |
/// | `exceptions` | other severities in some cases: `severity` and `condition` |
/// | `details` | what `raised_when` means in detail, a sentence or more each |
/// | `raised_when`, `why`, `when_wrong`, `what_to_do` | its documentation |
/// | `limits` | settings that a policy may change: `name`, `standard`, `lowest`, `highest`, `meaning` |
/// | `subjects` | the possible subjects of its findings: `source`, `receipt`, `transaction`, `device`, `account` |
/// | `keys` | the keys by which it groups claims; empty if it checks each claim by itself |
public enum RuleTextJSON {
    /// Returns an array of rules, keys sorted.
    public static func text(of rules: [any Rule.Type] = RuleBook.rules) throws -> String {
        try JSONTree.array(rules.map { object($0) }).prettyText()
    }

    /// Returns the object of one rule.
    public static func text(of rule: any Rule.Type) throws -> String { try object(rule).prettyText() }

    private static func object(_ rule: any Rule.Type) -> JSONTree {
        let documentation = rule.documentation
        return [
            "id": .text(documentation.id.text),
            "title": .text(documentation.title),
            "severity": .text(documentation.severity.code),
            "exceptions": .array(
                documentation.exceptions.map {
                    ["severity": .text($0.severity.code), "condition": .text($0.condition)]
                }),
            "raised_when": .text(documentation.raisedWhen),
            "details": .texts(documentation.details),
            "why": .text(documentation.why),
            "when_wrong": .text(documentation.whenWrong),
            "what_to_do": .text(documentation.whatToDo),
            "limits": .array(documentation.limits.map { object($0) }),
            "subjects": .texts(rule.subjects.map(\.rawValue)),
            "keys": .texts((rule as? any GroupRule.Type).map { $0.keys.map { $0.code } } ?? []),
        ]
    }

    private static func object(_ limit: RuleLimit) -> JSONTree {
        [
            "name": .text(limit.name.text), "standard": .number(limit.standard),
            "lowest": .number(limit.range.lowerBound), "highest": .number(limit.range.upperBound),
            "meaning": .text(limit.meaning),
        ]
    }
}
