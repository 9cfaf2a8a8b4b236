import Encodings
public import Rules

/// Writes rules for people: all rules in a table, or one explained.
public struct RuleText {
    private let paint: Paint
    private let width: Int

    /// - Parameters:
    ///   - isColored: whether to colour it, for a terminal.
    ///   - width: the width of that terminal.
    public init(isColored: Bool, width: Int) {
        paint = Paint(isColored: isColored)
        self.width = min(max(width, 40), TextLayout.width)
    }

    /// Returns one line per rule: id, severity, title.
    public func table(_ rules: [any Rule.Type] = RuleBook.rules) -> [String] {
        let rules = rules.map { $0.documentation }
        let idWidth = (rules.map(\.id.text.count).max() ?? 0) + 2
        return rules.map { rule in
            let severity = paint(rule.severity.code, Paint.Color(rule.severity), to: 10)
            return TextLayout.padded(rule.id.text, to: idWidth) + severity + rule.title
        }
    }

    /// Returns the whole documentation of a rule.
    public func explanation(of rule: any Rule.Type) -> [String] {
        let documentation = rule.documentation
        var lines = TextLayout.wrapped(documentation.title, indentation: 0, width: width).map { paint($0, .bold) }
        lines.append("\(documentation.id), " + paint(documentation.severity.code, Paint.Color(documentation.severity)))
        lines += documentation.exceptions.flatMap { bullet("\($0.severity.code) \($0.condition)") }
        let details = documentation.details.flatMap { bullet($0) }
        lines += section("Raised when", wrapped(documentation.raisedWhen + ".") + details)
        lines += section("Subjects", wrapped(rule.subjectText))
        lines += section("Why it matters", wrapped(documentation.why))
        lines += section("When it is wrong", wrapped(documentation.whenWrong))
        lines += section("What to do", wrapped(documentation.whatToDo))
        lines += section("Limits, which a policy can change", documentation.limits.flatMap { limit($0) })
        lines += section("Examples", rule.examples.flatMap { example($0) })
        return lines
    }

    private func limit(_ limit: RuleLimit) -> [String] {
        let range = "\(limit.range.lowerBound) to \(limit.range.upperBound)"
        return bullet("\(limit.name): \(limit.standard) (\(range)); \(limit.meaning)")
    }

    private func example(_ example: RuleExample) -> [String] {
        let text = RuleTextExample(example)
        return bullet("\(text.start): \(example.title)") + text.lines.flatMap { bullet($0, indentation: 6) }
    }

    private func section(_ title: String, _ body: [String]) -> [String] {
        body.isEmpty ? [] : ["", paint(title, .bold)] + body
    }

    private func wrapped(_ text: String) -> [String] {
        TextLayout.wrapped(text, indentation: 2, width: width).map { "  " + $0 }
    }

    private func bullet(_ text: String, indentation: Int = 2) -> [String] {
        let blank = String(repeating: " ", count: indentation)
        let lines = TextLayout.wrapped(text, indentation: indentation + 2, width: width)
        return lines.enumerated().map { index, line in blank + (index == 0 ? "- " : "  ") + line }
    }
}

extension Rule {
    /// `device:… or account:…`
    static var subjectText: String { subjects.map(\.pattern).joined(separator: " or ") }

    /// The same text in backticks.
    static var subjectMarkdown: String { subjects.map { "`\($0.pattern)`" }.joined(separator: " or ") }
}
