import Encodings
import FoundationEssentials
public import Rules

/// Rules for programs: a JSON object each, whose keys never change their meaning.
///
/// | key | value |
/// |---|---|
/// | `id`, `title`, `severity` | as in reports |
/// | `exceptions` | other severities that the rule gives by itself: `severity` and `condition` |
/// | `raised_when`, `why`, `when_wrong`, `what_to_do` | its documentation |
/// | `limits` | what a policy may change: `name`, `standard`, `lowest`, `highest`, `meaning` |
/// | `subjects` | what its findings can be about: `source`, `receipt`, `transaction`, `device`, `account` |
/// | `keys` | what claims have in common that it looks at together; empty if it does not look at claims together |
public enum RuleTextJSON {
    /// An array of all these rules, keys sorted.
    public static func text(of rules: [any Rule.Type] = RuleBook.rules) throws -> String {
        try text(rules.map { RuleObject($0) })
    }

    /// The object of one rule.
    public static func text(of rule: any Rule.Type) throws -> String { try text(RuleObject(rule)) }

    private static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }
}

private struct RuleObject: Encodable {
    let id: ExactText
    let title: String
    let severity: String
    let exceptions: [ExceptionObject]
    let raisedWhen: String
    let why: String
    let whenWrong: String
    let whatToDo: String
    let limits: [LimitObject]
    let subjects: [String]
    let keys: [String]

    init(_ rule: any Rule.Type) {
        let documentation = rule.documentation
        id = documentation.id
        title = documentation.title
        severity = documentation.severity.code
        exceptions = documentation.exceptions.map { ExceptionObject($0) }
        raisedWhen = documentation.raisedWhen
        why = documentation.why
        whenWrong = documentation.whenWrong
        whatToDo = documentation.whatToDo
        limits = documentation.limits.map { LimitObject($0) }
        subjects = rule.subjects.map(\.rawValue)
        keys = (rule as? any GroupRule.Type).map { $0.keys.map { $0.code } } ?? []
    }
}

private struct ExceptionObject: Encodable {
    let severity: String
    let condition: String

    init(_ exception: RuleDocumentation.SeverityException) {
        severity = exception.severity.code
        condition = exception.condition
    }
}

private struct LimitObject: Encodable {
    let name: ExactText
    let standard: Int
    let lowest: Int
    let highest: Int
    let meaning: String

    init(_ limit: RuleLimit) {
        name = limit.name
        standard = limit.standard
        lowest = limit.range.lowerBound
        highest = limit.range.upperBound
        meaning = limit.meaning
    }
}
