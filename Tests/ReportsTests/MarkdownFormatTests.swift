import Corpus
import Rules
import Testing

@testable import Reports

struct `A Markdown report` {
    @Test func `says what was audited, the verdict, what to do and how to do it again`() {
        let page = MarkdownFormat.text(of: DocumentSamples.document())
        for part in [
            "# Receipt audit as of 2026-06-30\n", "Audited: `x`, `b`.\n", "\n| valid | 900 | 90.0 % |\n",
            "\n## Findings\n", "- **What to do.** ",
            "| critical | new | 2026-06-30 | `x` | `x` | 2 | 2 | 0 | `x` `x` |\n",
            "\n### No longer found\n", "\n## Subscriptions\n", "\n## Figures\n", "\n## Skipped\n", "A \\| title",
            "\n    audit run x b --root x --policy x --as-of 2026-06-30T00:00:00Z --report report.md\n",
        ] { #expect(page.contains(part), "\(part)") }
    }

    @Test func `never treats untrusted text as markup`() {
        let plain = skeleton(MarkdownFormat.text(of: DocumentSamples.document("x")))
        for text in Exhaustive.cases(HostileText.known + HostileText.random(500), every: 4) where text != "" {
            let page = MarkdownFormat.text(of: DocumentSamples.document(text))
            #expect(skeleton(page) == plain, "\(text.debugDescription)")
        }
    }

    /// The page with a mark in place of each piece of code in the strict form of untrusted texts, without the command
    /// line, which is a line of indented code.
    private func skeleton(_ page: String) -> String {
        page.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.hasPrefix("    audit run ") { return "COMMAND" }
            return String(line)
                .replacing(
                    /`[-A-Za-z0-9 \/,;()+=%?_:.\u{a0}-\u{10ffff}]+`/.matchingSemantics(.unicodeScalar), with: "X"
                )
                .replacing(
                    /<code>([-A-Za-z0-9 \/,;()+=%?\u{a0}-\u{10ffff}]|&#[0-9]+;|<!-- -->&#64;)+<\/code>/
                        .matchingSemantics(.unicodeScalar), with: "X")
        }.joined(separator: "\n")
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

    @Test func `holds only the part that was asked for`() {
        let fraud = MarkdownFormat.text(of: DocumentSamples.document(table: .fraud))
        #expect(fraud.contains("## Findings") && !fraud.contains("## Figures"))
        let summary = MarkdownFormat.text(of: DocumentSamples.document(table: .summary))
        #expect(!summary.contains("## Findings") && summary.contains("## Figures"))
    }
}
