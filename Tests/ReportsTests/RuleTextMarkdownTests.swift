import Reports
import Testing

struct `The page of a rule` {
    @Test func `has its documentation, its limits and its examples`() {
        let text = RuleTextMarkdown.text(of: [SampleRule.self])
        #expect(text.contains("\n| [`sample-rule`](#sample-rule) | medium | A sample was found |\n"))
        #expect(text.contains("\n**A sample was found.** Severity: medium; critical for two samples at once.\n"))
        #expect(text.contains("\nWhat findings are about: `source:…`.\n"))
        #expect(text.contains("\n**Why it matters.** It is `only` a sample.\n"))
        #expect(text.contains("\n| `samples` | 2 | 1 | 5000 | there are so many \\| samples |\n"))
        #expect(
            text.hasSuffix(
                """

                - clear: many
                  - device 1; receipt 1
                  - device 2; receipt 2
                  - 6 more claims
                  - device 9; receipt 9

                """))
    }
}
