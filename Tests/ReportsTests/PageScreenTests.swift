import Checks
import Encodings
import Engine
import Rules
import Testing

@testable import Reports

struct `The first screen of a page` {
    private let page = HTMLFormat.text(of: DocumentSamples.document())

    @Test func `has what is new, classes, entities, rules by app and months, in this order`() {
        let parts = page.split(separator: "<div class=\"part ").dropFirst().map { $0.prefix { $0 != "\"" } }
        let wanted = ["g-new", "g-classes", "g-entities", "g-apps", "g-months", "g-more", "g-totals", "g-products"]
        #expect(parts.map(String.init) == wanted)
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
            row.ring = nil
            entities.add(row)
        }
        for number in 0..<7 {
            var row = EntitySamples.entity("a\(number)")
            row.ring = nil
            entities.add(row)
        }
        let first = entities.first(of: .account)
        #expect(first.map(\.row.entity.id.text) == ["a0", "a1", "a2", "a3", "a4"])
        #expect(first.allSatisfy { $0.card == nil })
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

    @Test func `are findings of which rules are not sure, by rule, without closed ones, doubtful ones last`() throws {
        var queue = FindingQueue()
        for (rule, confidence, status) in [
            ("forged-signature", Confidence.likely, FindingStatus.open), ("shared-receipt", .doubtful, .open),
            ("foreign-app", .possible, .open), ("foreign-app", .possible, .open), ("foreign-app", .likely, .open),
            ("foreign-app", .doubtful, .ok),
        ] {
            var found = DocumentSamples.compared("x", rule: rule, .high)
            (found.finding.confidence, found.status) = (confidence, status)
            queue.add(found)
        }
        let document = ReportDocument(
            table: nil, summary: DocumentSamples.summary("x"), findings: queue, withChange: false)
        let section = try #require(document.falseAlarms)
        #expect(
            section.rows.map { $0.map(\.plainText) } == [
                ["foreign-app", "2", "0", "4"], ["shared-receipt", "0", "1", "1"],
            ])
    }

    @Test func `are the members of a ring, in one row with how many they are`() {
        var entities = TopEntities()
        for (name, ring) in [("a", 7), ("b", 7), ("c", nil), ("d", 7), ("e", 8)] as [(String, UInt64?)] {
            var row = EntitySamples.entity(name)
            row.ring = ring.map { FindingID(high: $0, low: 0) }
            entities.add(row)
        }
        #expect(entities.rows.map(\.entity.id.text) == ["a", "c", "e"] && entities.count == 5)
        #expect(entities.ring(of: 0)?.named.map(\.entity.id.text) == ["b", "d"])
        #expect(entities.ring(of: 1) == nil && entities.ring(of: 2) == nil)
        #expect(entities.first(of: .account).map(\.card) == [0, 0, 1, 0, 2])
        #expect(entities.section().rows.first?.first == .code("account and 2 more of a ring"))
    }

    @Test func `are all apps with their claims, findings by severity and money, without "other" among a few`() throws {
        var document = DocumentSamples.document()
        var findings = FindingQueue()
        for (app, severity) in [("a", Severity.high), ("a", .low), ("b", .low)] {
            var found = DocumentSamples.compared("x", rule: "foreign-app", severity)
            found.finding.bundleID = ExactText(app)
            findings.add(found)
        }
        var claims = ClaimCounts(asOf: DocumentSamples.asOf)
        for app in ["a", "b", "b", "c", "d", "e"] {
            claims.add(app == "a" ? .invalid : .valid, hasFindings: false, presentedAt: "", app: app)
        }
        document = ReportDocument(table: nil, summary: document.summary, findings: findings, withChange: false)
        document.claimCounts = claims
        document.summary.appsAtStake = ["b": AmountAtStake(millionths: 1_234_567_890_000, currency: "EUR")]
        let section = try #require(document.appTotals)
        #expect(section.columns == ["app", "claims", "not_clean", "findings", "high", "low", "at_stake"])
        #expect(
            section.rows.map { $0.map(\.displayText) } == [
                ["a", "1", "100.0 %", "2", "1", "1", ""], ["b", "2", "0.0 %", "1", "", "1", "1,234,567.89 EUR"],
                ["c", "1", "0.0 %", "0", "", "", ""], ["d", "1", "0.0 %", "0", "", "", ""],
                ["e", "1", "0.0 %", "0", "", "", ""],
            ])
    }

    @Test func `is money in every currency, with separators and all of its digits`() {
        var document = DocumentSamples.document()
        document.summary.atStake = [
            AmountAtStake(millionths: 12_345_006_665_000, currency: "USD"),
            AmountAtStake(millionths: 6_665_000, currency: "KWD"), AmountAtStake(millionths: -500_000, currency: "EUR"),
        ]
        document.summary.unpriced = 3
        let sentence =
            "At stake in all findings: 12,345,006.665 USD, 6.665 KWD and -0.50 EUR, each transaction once; 3 "
            + "transactions without a price."
        #expect(document.verdict.contains { $0.contains(sentence) })
    }

    @Test func `is what refunded purchases that are still used are worth`() {
        var document = DocumentSamples.document()
        document.summary.atStake = [AmountAtStake(millionths: 9_990_000, currency: "USD")]
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
