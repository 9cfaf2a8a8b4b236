import Encodings
import Foundation
import Policies
import Rules
import Testing

struct `The example of a policy` {
    static let url = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../jobs/policy.example.yml")
    private let text: String

    init() throws { text = try String(contentsOf: Self.url, encoding: .utf8) }

    @Test func `is a policy`() throws {
        let policy = try policy(text)
        #expect(policy.environments == ["Production", "ProductionVPP"])
        #expect(policy.apps.keys.sorted() == ["com.example.lite", "com.example.notes"])
        #expect(policy.apps["com.example.notes"]?.versions == ["1.0", "1.1", "1.10"])
        #expect(policy.apps["com.example.notes"]?.products?.count == 4)
        #expect(policy.rules.isEmpty)
        #expect(policy.allowances.count == 2)
    }

    @Test func `shows each rule with its standard severity and limits, in the order of the rule book`() {
        let settings = RuleBook.rules.map { rule in
            let documentation = rule.documentation
            let limits = documentation.limits.map { ", \($0.name): \($0.standard)" }.joined()
            return "  # \(documentation.id): {severity: \(documentation.severity.code)\(limits)}"
        }
        let lines = text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("  # ") && $0.hasSuffix("}") }
        #expect(lines == settings)
    }

    @Test(arguments: RuleBook.rules.indices)
    func `shows a rule so that taking away the mark is enough`(number: Int) throws {
        let documentation = RuleBook.rules[number].documentation
        let policy = try policy(text.replacing("  # \(documentation.id): {", with: "  \(documentation.id): {"))
        var settings = Policy.RuleSettings()
        settings.severity = documentation.severity
        for limit in documentation.limits { settings.limits[limit.name] = limit.standard }
        #expect(policy.rules == [documentation.id: settings])
    }
}
