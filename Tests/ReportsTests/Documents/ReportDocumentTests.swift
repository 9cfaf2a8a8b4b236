import Encodings
import Inputs
import Rules
import Testing

@testable import Reports

struct `A report for people` {
    @Test func `keeps a hundred findings of a rule and a thousand in all, and counts the rest`() {
        var findings = FindingGroups()
        for rule in RuleBook.ids.prefix(12) {
            for _ in 0..<150 { findings.take(DocumentSamples.compared("x", rule: rule.text, .high)) }
        }
        #expect(findings.groups.map(\.count) == Array(repeating: 150, count: 12))
        #expect(findings.groups.map(\.rows.count) == Array(repeating: 100, count: 10) + [0, 0])
        let document = ReportDocument(
            table: nil, summary: DocumentSamples.summary("x"), findings: findings, withChange: false)
        for page in [MarkdownWriter.text(of: document), HTMLWriter.text(of: document)] {
            #expect(page.contains("… and 50 more of 150: all are in "))
            #expect(page.contains("… and 150 more of 150: all are in "))
        }
    }

    @Test(arguments: [nil, ReportRequest.Table.fraud])
    func `says before the first finding how many are not on the page, and where they are`(
        table: ReportRequest.Table?
    ) throws {
        var findings = FindingGroups()
        for _ in 0..<60_004 { findings.take(DocumentSamples.compared("x", rule: "shared-receipt", .high)) }
        let document = ReportDocument(
            table: table, summary: DocumentSamples.summary("x"), findings: findings, withChange: false)
        for page in [MarkdownWriter.text(of: document), HTMLWriter.text(of: document)] {
            let note = try #require(
                page.firstRange(of: "This page shows 100 of 60,004 findings, at most 100 of a rule."))
            #expect(page[note.upperBound...].prefix(80).contains("--report fraud"))
            let first = try #require(page.firstRange(of: "Raised when") ?? page.firstRange(of: "raised when"))
            #expect(note.lowerBound < first.lowerBound)
            #expect(page.contains("… and 59,904 more of 60,004: all are in "))
        }
    }

    @Test func `says nothing of findings that are not there if all are`() {
        #expect(DocumentSamples.document().findingsNote == nil)
    }

    @Test func `has the rules with the worst findings first, then in the order of the rule book`() {
        var findings = FindingGroups()
        findings.take(DocumentSamples.compared("x", rule: "shared-receipt", .critical))
        findings.take(DocumentSamples.compared("x", rule: "untrusted-signer", .critical))
        findings.take(DocumentSamples.compared("x", rule: "forged-signature", .low))
        #expect(findings.groups.map(\.rule) == ["untrusted-signer", "shared-receipt", "forged-signature"])
    }

    @Test func `shows the first products and the last months of many`() {
        let rows = (1...500).map { [Summary.Cell.code("\($0)"), .number($0)] }
        let products = Summary.Section("products", "", columns: ["product", "claims"], rows: rows)
        #expect(products.shownRows.first == rows.first)
        #expect(products.omissionNote == "and 380 more: see a summary report in CSV or JSON")
        let months = Summary.Section("months", "", columns: ["month", "valid"], rows: rows)
        #expect(months.shownRows.last == rows.last)
        #expect(months.omissionNote == "and 476 earlier: see a summary report in CSV or JSON")
    }

    @Test func `says so if there was nothing`() {
        let document = ReportDocument(
            table: nil, summary: Summary(sections: []), findings: FindingGroups(), withChange: false)
        #expect(document.verdict == ["There were no claims to audit.", "No rule found anything."])
        #expect(MarkdownWriter.text(of: document).contains("None.\n"))
        #expect(HTMLWriter.text(of: document).contains("<p>None.</p>"))
    }

    @Test(arguments: [
        ("a/b-1.csv", "a/b-1.csv"), ("", "''"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("$(rm)`x`", "'$(rm)`x`'"),
        ("a\nb'", "$'a\\u000ab\\''"), ("*.csv", "'*.csv'"), ("~", "'~'"), ("\u{202e}", "$'\\u202e'"),
        ("'\u{301}", "''\\''\u{301}'"),
    ])
    func `quotes words of the command line for a shell`(word: String, quoted: String) {
        #expect(ShellText.word(word) == quoted)
    }

    @Test func `repeats a run with a name that looks like an option`() {
        var run = RunDescription(
            version: "1", openSSL: "3", asOf: DocumentSamples.asOf, inputs: ["-x", "-"], roots: [])
        run.manifest = "my devices.csv"
        run.baseline = "old.csv"
        #expect(
            run.command
                == "audit run ./-x - --devices 'my devices.csv' --baseline old.csv --as-of 2026-06-30T00:00:00Z")
    }
}
