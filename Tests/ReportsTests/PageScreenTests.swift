import Encodings
import Rules
import Testing

@testable import Reports

struct `The first screen of a page` {
    private let page = HTMLFormat.text(of: DocumentSamples.document())

    @Test func `has what is new, classes, entities, rules by app and months, in this order`() {
        let parts = page.split(separator: "<div class=\"part ").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(parts == ["g-new", "g-classes", "g-entities", "g-apps", "g-months"])
    }

    @Test func `is followed by chapters that fold, open at first`() throws {
        let sections = page.split(separator: "<section id=\"").dropFirst(2)
        #expect(sections.count > 5)
        for section in sections {
            #expect(section.contains("<details class=\"chapter\" open>\n<summary><h2>"), "\(section.prefix(80))")
        }
    }

    @Test func `names who presents a claim rather than its digits`() {
        var document = DocumentSamples.document()
        var found = DocumentSamples.compared("claim:0123", rule: "foreign-app", .critical, .new)
        (found.finding.accountID, found.finding.deviceID) = ("alice", "")
        var findings = FindingQueue()
        findings.add(found)
        let id = found.finding.id
        document = ReportDocument(table: nil, summary: document.summary, findings: findings, withChange: true)
        #expect(HTMLFormat.text(of: document).contains("<a href=\"#f-\(id)\">account alice</a>"))
    }

    @Test func `lets long names of apps end their lines at dots`() {
        let column = TableView.Column(text: "com.example.notes", isNumeric: true)
        #expect(column.pieces == ["com", ".example", ".notes"])
        var document = DocumentSamples.document()
        var findings = FindingQueue()
        var found = DocumentSamples.compared("x", rule: "foreign-app", .critical)
        found.finding.bundleID = "com.example.notes"
        findings.add(found)
        document = ReportDocument(table: nil, summary: document.summary, findings: findings, withChange: false)
        #expect(HTMLFormat.text(of: document).contains(">com<wbr>.example<wbr>.notes</th>"))
    }
}

struct `A text for copying` {
    @Test(arguments: [
        ("a\u{200b}b", "a%e2%80%8bb"), ("account:é\u{1b}", "account:%c3%a9%1b"), ("\"<&'>", "%22%3c%26%27%3e"),
    ])
    func `is the text itself, encoded`(text: String, encoded: String) {
        #expect(CopiedText.encoded(ExactText(text), shown: "") == encoded)
    }

    @Test func `is there only where the shown one differs`() {
        #expect(CopiedText.encoded("x", shown: "x") == nil)
        #expect(CopiedText.encoded(ExactText(String(repeating: "x", count: 4097)), shown: "x…") == nil)
        #expect(!HTMLFormat.text(of: DocumentSamples.document("x")).contains(" data-text="))
    }

    @Test func `stands beside the subject of a finding and the name of an entity`() {
        let page = HTMLFormat.text(of: DocumentSamples.document("a\u{200b}b"))
        let code = "<code data-text=\"a%e2%80%8bb\">a\\u{200b}b</code>"
        #expect(page.contains("<td>" + code) && page.contains(": " + code + "</h3>"))
    }
}
