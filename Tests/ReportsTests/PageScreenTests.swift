import Encodings
import Engine
import Rules
import Testing

@testable import Reports

struct `The first screen of a page` {
    private let page = HTMLFormat.text(of: DocumentSamples.document())

    @Test func `has what is new, classes, entities, rules by app and months, in this order`() {
        let parts = page.split(separator: "<div class=\"part ").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(parts == ["g-new", "g-classes", "g-entities", "g-apps", "g-months", "g-more", "g-more"])
        #expect(page.contains("<h3>Worst accounts</h3>") && page.contains("<h3>Products with most findings</h3>"))
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

struct `What an analyst asks first` {
    @Test func `are the worst accounts and devices, however many others come before them`() {
        var entities = TopEntities()
        for number in 0..<(TopEntities.maxRows + 10) {
            var row = EntitySamples.entity("t\(number)")
            row.entity = Entity(.transaction, row.entity.id)
            entities.add(row)
        }
        for number in 0..<7 { entities.add(EntitySamples.entity("a\(number)")) }
        let first = entities.first(of: .account)
        #expect(first.map(\.row.entity.id.text) == ["a0", "a1", "a2", "a3", "a4"])
        #expect(first.first?.place == TopEntities.maxRows + 10)
        #expect(entities.first(of: .device).isEmpty && entities.first(of: .transaction).isEmpty)
    }

    @Test func `are the products with most findings, each with its app`() {
        var products = AffectedProducts()
        for (product, app) in [("gold", ""), ("silver", "b"), ("gold", "a"), ("", "a"), ("bronze", "")] {
            var finding = DocumentSamples.compared("x", rule: "foreign-app", .high).finding
            (finding.productID, finding.bundleID) = (ExactText(product), ExactText(app))
            products.add(finding)
        }
        #expect(
            products.top(2).map { [$0.id.text, $0.app.text, "\($0.findings)"] } == [
                ["gold", "a", "2"], ["bronze", "", "1"],
            ])
    }

    @Test func `are the findings of which rules are least sure, without closed ones`() {
        var queue = FindingQueue()
        for (name, confidence, status) in [
            ("sure", Confidence.likely, FindingStatus.open), ("perhaps", .possible, .open),
            ("hardly", .doubtful, .open),
            ("closed", .doubtful, .ok),
        ] {
            var found = DocumentSamples.compared(name, rule: "foreign-app", .high)
            (found.finding.confidence, found.status) = (confidence, status)
            queue.add(found)
        }
        #expect(queue.doubtful.map(\.subject) == ["hardly", "perhaps"])
    }

    @Test func `is what refunded purchases that are still used are worth`() {
        var document = DocumentSamples.document()
        document.summary.atStake = AmountAtStake(millionths: 9_990_000, currency: "USD")
        document.summary.usedRefundsAtStake = AmountAtStake(millionths: 4_990_000, currency: "USD")
        let sentence = "each transaction once; in refunded purchases that are still used: 4.99 USD."
        #expect(document.verdict.contains { $0.contains(sentence) })
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
