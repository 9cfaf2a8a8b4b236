import Corpus
import Encodings
import Rules
import Testing

@testable import Reports

struct `A Markdown report` {
    @Test func `says what was audited, the verdict, what to do and how to do it again`() throws {
        let page = try DocumentSamples.report().markdown()
        for part in [
            "# Receipt audit as of 2026-06-30\n", "Audited: `x`, `b`.\n", "\n| clean | 1 | 25.0 % |\n",
            "\n| valid with findings | 1 | 25.0 % |\n", "\n## New\n", "\n## Findings\n", "\n## Entities\n",
            "| critical | `forged-signature` | new | 2026-06-30 | `x` (`account x, device x`) | `x` | 2 | 2 | 0 | 4.99 of no ISO currency | 2026-06-03 | likely | open |\n",
            "\n### No longer found\n", "\n## Subscriptions\n", "\n## Figures\n", "\n## Skipped\n",
            "\n    audit run x b --root x --policy x --as-of 2026-06-30T00:00:00Z --report report.md\n",
        ] { #expect(page.contains(part), "\(part)") }
    }

    @Test func `never treats untrusted text as markup`() throws {
        let plain = try skeleton(DocumentSamples.report("x").markdown())
        for text in Exhaustive.cases(HostileText.known + HostileText.random(500), every: 4) where text != "" {
            let page = try DocumentSamples.report(text).markdown()
            let lines = skeleton(page)
            // Long texts leave less room for rows, which is said.
            let isCut = lines.contains { !plain.contains($0) && $0.wholeMatch(of: /… and \d+ more\./) != nil }
            guard isCut else {
                #expect(lines == plain, "\(text.debugDescription)")
                continue
            }
            let others = lines.filter { !plain.contains($0) && $0.wholeMatch(of: /… and \d+ more\./) == nil }
            #expect(others.isEmpty && page.utf8.count > 30_000, "\(text.debugDescription)")
        }
    }

    /// The page with a mark instead of each piece of code in the strict form of untrusted texts, without the command
    /// line, which is a line of indented code.
    private func skeleton(_ page: String) -> [String] {
        // Made once: an expression is compiled each time that it is written.
        let code = /`[-A-Za-z0-9 \/,;()+=%?_:.\u{a0}-\u{10ffff}]+`/.matchingSemantics(.unicodeScalar)
        let escaped = /<code>([-A-Za-z0-9 \/,;()+=%?\u{a0}-\u{10ffff}]|&#[0-9]+;|<!-- -->&#64;)+<\/code>/
            .matchingSemantics(.unicodeScalar)
        return page.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("    audit run ")
                ? "COMMAND" : String(line).replacing(code, with: "X").replacing(escaped, with: "X")
        }
    }

    @Test(arguments: [
        ("a|b", "<code>a&#124;b</code>"), ("a`b", "<code>a&#96;b</code>"), ("a_b-1.der", "`a_b-1.der`"),
        ("00:17:f2", "`00:17:f2`"), ("www.a", "<code>www&#46;a</code>"), ("me@a", "<code>me<!-- -->&#64;a</code>"),
        ("http://a", "<code>http&#58;//a</code>"), ("a\nb", "<code>a&#92;u&#123;a&#125;b</code>"), ("", ""),
        ("\u{202e}", "<code>&#92;u&#123;202e&#125;</code>"), (" a", "<code> a</code>"),
    ])
    func `shows untrusted text as code`(text: String, markdown: String) {
        #expect(MarkdownText.code(text) == markdown)
    }

    @Test func `escapes what is markup in words of ours, and keeps names that stand between backticks`() {
        #expect(MarkdownText.prose("a*b_c|d<e>[f]#1 `x`") == "a\\*b\\_c\\|d&#60;e&#62;\\[f\\]\\#1 \\`x\\`")
        #expect(MarkdownText.sentences("see `a_b` and `c|d`") == "see `a_b` and <code>c&#124;d</code>")
    }

    @Test func `holds only the part that was asked for`() throws {
        let fraud = try DocumentSamples.report().markdown(.fraud)
        #expect(fraud.contains("## Findings") && fraud.contains("- **What to do.** ") && !fraud.contains("## Figures"))
        let summary = try DocumentSamples.report().markdown(.summary)
        #expect(!summary.contains("## Findings") && summary.contains("## Figures"))
    }
}

/// GitHub takes no comment of more than 65,536 characters.
struct `A Markdown page about everything` {
    /// Long texts with each character written as a number.
    private static let hostile = String(repeating: "<|>`\u{202e}*_", count: 500)

    private func report(_ text: String, findings count: Int) -> SampleReport {
        var report = DocumentSamples.report(text)
        report.findings = (0..<count).map { number in
            let rule = RuleBook.ids[number % RuleBook.ids.count].text
            return DocumentSamples.compared("\(number)" + text, rule: rule, .critical, .new)
        }
        report.findings += (0..<50).map { DocumentSamples.compared("\($0)" + text, rule: text, .critical, .resolved) }
        report.entities = (0..<300).map { EntitySamples.entity("\($0)" + text) }
        report.marks = []
        report.claims += (0..<2000).map {
            DocumentSamples.claim("\($0)" + text, "invalid", "signature-invalid", "critical")
        }
        return report
    }

    @Test(arguments: [0, 10, Exhaustive.count(5000, sampled: 200)])
    func `has at most 60,000 bytes, whatever was audited`(count: Int) throws {
        for text in ["x", Self.hostile, String(repeating: "&", count: 199), String(repeating: "\u{1f600}", count: 300)]
        {
            let page = try report(text, findings: count).markdown()
            #expect(page.utf8.count <= 60_000)
            #expect(page.contains("\n## At a glance\n") && page.contains("\n## Entities\n"))
            #expect(page.contains("\n## How to repeat this run\n"))
            let folds = { (tag: String) in page.split(separator: "\n").count { $0 == tag } }
            #expect(folds("<details>") == folds("</details>"))
        }
    }

    @Test func `says where the command is if that is too long`() throws {
        var report = DocumentSamples.report()
        var run = RunDescription(
            version: "1", openSSL: "3", asOf: DocumentSamples.asOf, inputs: (0..<4000).map { "input \($0)" }, roots: [])
        run.rootFiles = ["a"]
        report.summary.sections[0] = Summary.description(run, claims: 1)
        let page = try report.markdown()
        #expect(page.utf8.count <= 60_000)
        #expect(page.hasSuffix("the section `run` of `--report summary=FILE.csv` has them.\n"))
    }
}
