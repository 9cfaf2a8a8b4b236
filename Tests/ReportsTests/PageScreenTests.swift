import Checks
import Encodings
import Engine
import Rules
import Testing

@testable import Reports

struct `The first screen of a page` {
    private let page: String

    init() throws { page = try DocumentSamples.report().html() }

    @Test func `has what is new, classes, entities, rules by app and months, in this order`() {
        let parts = page.split(separator: "<div class=\"part ").dropFirst().map { $0.prefix { $0 != "\"" } }
        let wanted = ["g-new", "g-classes", "g-entities", "g-apps", "g-months", "g-more", "g-totals", "g-products"]
        #expect(parts.map(String.init) == wanted)
        #expect(page.contains("<h3>Worst accounts</h3>") && page.contains("<h3>Products with most findings</h3>"))
    }

    @Test func `is followed by chapters that fold, open at first`() throws {
        let sections = page.split(separator: "<section id=\"").dropFirst(2).filter { !$0.hasPrefix("index\"") }
        #expect(sections.count > 5)
        for section in sections {
            #expect(section.contains("<details class=\"chapter\" open>\n<summary><h2>"), "\(section.prefix(80))")
        }
    }

    @Test func `names who presents a claim rather than its digits`() throws {
        var found = DocumentSamples.compared("claim:0123", rule: "foreign-app", .critical, .new)
        (found.finding.accountID, found.finding.deviceID) = ("alice", "")
        let page = try SampleReport(findings: [found], withChange: true).html()
        #expect(page.contains("<a href=\"#finding-\(found.finding.id)\">account alice</a>"))
    }

    @Test func `lets long names of apps end their lines at dots`() throws {
        let column = TableView.Column(text: "com.example.notes", isNumeric: true)
        #expect(column.pieces == ["com", ".example", ".notes"])
        var found = DocumentSamples.compared("x", rule: "foreign-app", .critical)
        found.finding.bundleID = "com.example.notes"
        #expect(try SampleReport(findings: [found]).html().contains(">com<wbr>.example<wbr>.notes</th>"))
    }
}

struct `What an analyst asks first` {
    private func entity(_ kind: Entity.Kind, _ id: String, ring: UInt64? = nil) -> EntityRow {
        var row = EntitySamples.entity(id)
        row.entity = Entity(kind, ExactText(id))
        row.ring = ring.map { FindingID(high: $0, low: 0) }
        return row
    }

    @Test func `are accounts, devices and persons before transactions, receipts and signers`() throws {
        let kinds: [Entity.Kind] = [.transaction, .receipt, .account, .signer, .device, .person]
        let top = try SampleReport(entities: kinds.map { entity($0, "x") }).stored().topEntities()
        #expect(
            top.cards.map(\.row.entity.kind.code) == [
                "account", "device", "person", "transaction", "receipt", "signer",
            ])
    }

    @Test func `are the worst of each kind, with their cards`() throws {
        let rows = (0..<TopEntities.maxRows + 10).map { entity(.device, "d\($0)") }
        let accounts = (0..<7).map { entity(.account, "a\($0)") }
        let top = try SampleReport(entities: rows + accounts).stored().topEntities()
        #expect(top.firstOfKind[.account]?.map(\.row.entity.id.text) == ["a0", "a1", "a2", "a3", "a4"])
        #expect(top.firstOfKind[.account]?.allSatisfy { $0.card == nil } == true)
        #expect(top.firstOfKind[.device]?.map(\.card) == [0, 1, 2, 3, 4])
        #expect(top.sectionsOfKinds.map(\.title) == ["Worst accounts", "Worst devices"])
    }

    @Test func `are not those that reviews cleared`() throws {
        var cleared = EntitySamples.entity("a")
        cleared.entity = Entity(.account, "a")
        cleared.score = 0
        let report = SampleReport(entities: [cleared])
        #expect(try report.stored().topEntities().sectionsOfKinds.isEmpty)
        #expect(try !report.html().contains("<h3>Top entities</h3>"))
    }

    @Test func `are the members of a ring, in one row with how many they are`() throws {
        let rows = [("a", 7), ("b", 7), ("c", nil), ("d", 7), ("e", 8)] as [(String, UInt64?)]
        let top = try SampleReport(entities: rows.map { entity(.account, $0, ring: $1) }).stored().topEntities()
        #expect(top.cards.map(\.row.entity.id.text) == ["a", "c", "e"] && top.count == 5)
        #expect(top.cards[0].ring?.named.map(\.entity.id.text) == ["b", "d"])
        #expect(top.cards[1].ring == nil && top.cards[2].ring == nil)
        #expect(top.firstOfKind[.account]?.map(\.card) == [0, 0, 1, 0, 2])
        #expect(top.section().rows.first?.first == .code("account and 2 more of a ring"))
    }

    @Test func `are the findings of an entity, the highest mark first`() throws {
        let findings = (0..<3).map { number in
            var found = DocumentSamples.compared("f\(number)", rule: "shared-receipt", .high)
            found.finding.id = FindingID(high: UInt64(number), low: 0)
            return found
        }
        let account = entity(.account, "a")
        let marks = zip(findings, [Severity.low, .critical, .critical]).map {
            EntityMark(account.entity, $0.finding.id, $1)
        }
        let top = try SampleReport(findings: findings, entities: [account], marks: marks).stored().topEntities()
        #expect(
            top.cards[0].notes.map { "\($0.mark) \($0.finding.subject)" } == ["critical f1", "critical f2", "low f0"])
    }

    @Test func `are the products with most findings, each with its app`() throws {
        let pairs = [("gold", ""), ("silver", "b"), ("gold", "a"), ("", "a"), ("bronze", "")]
        let findings = pairs.map { product, app in
            var found = DocumentSamples.compared("x", rule: "foreign-app", .high)
            (found.finding.productID, found.finding.bundleID) = (ExactText(product), ExactText(app))
            return found
        }
        let rows = try SampleReport(findings: findings).stored().affectedProducts(2)
        #expect(rows.map { $0.map(\.plainText) } == [["gold", "a", "2"], ["bronze", "", "1"]])
    }

    @Test func `are open findings that are doubtful, by rule, with links to known causes of false alarms`() throws {
        let findings = [
            ("forged-signature", Confidence.likely, FindingStatus.open), ("shared-receipt", .doubtful, .open),
            ("foreign-app", .possible, .open), ("foreign-app", .possible, .open), ("foreign-app", .likely, .open),
            ("foreign-app", .doubtful, .ok),
        ].map { rule, confidence, status in
            var found = DocumentSamples.compared("x", rule: rule, .high)
            (found.finding.confidence, found.status) = (confidence, status)
            return found
        }
        let report = SampleReport(findings: findings)
        #expect(try report.document().falseAlarms?.rows.map { $0.map(\.plainText) } == [["shared-receipt", "1", "1"]])
        let page = try report.html()
        #expect(page.contains("Open findings that are doubtful. Click a rule for its false alarms."))
        #expect(page.contains("<a href=\"#wrong-shared-receipt\">") && page.contains("<p id=\"wrong-shared-receipt\">"))
    }

    @Test func `are all apps with their claims, findings by severity and money, without "other" among a few`() throws {
        var report = SampleReport()
        report.findings = [("a", Severity.high), ("a", .low), ("b", .low)].map { app, severity in
            var found = DocumentSamples.compared("x", rule: "foreign-app", severity)
            found.finding.bundleID = ExactText(app)
            return found
        }
        report.claims = ["a", "b", "b", "c", "d", "e"].map {
            DocumentSamples.claim($0, $0 == "a" ? "invalid" : "valid")
        }
        var stakes = Summary.Section(
            Summary.appsAtStakeID, "", columns: ["app", "at_stake"],
            rows: [[.text("b"), .money(1_234_567_890_000, currency: "EUR")]])
        stakes.readers = .sentences
        report.summary.sections.append(stakes)
        let section = try #require(try report.document().appTotals())
        #expect(section.columns == ["app", "claims", "not_clean", "findings", "high", "low", "at_stake"])
        #expect(
            section.rows.map { $0.map(\.displayText) } == [
                ["a", "1", "100.0 %", "2", "1", "1", ""], ["b", "2", "0.0 %", "1", "", "1", "1,234,567.89 EUR"],
                ["c", "1", "0.0 %", "0", "", "", ""], ["d", "1", "0.0 %", "0", "", "", ""],
                ["e", "1", "0.0 %", "0", "", "", ""],
            ])
    }

    @Test func `says the whole of why a run is doubtful`() throws {
        let reason = String(repeating: "most claims come back without a device; ", count: 12) + "name the column"
        var report = SampleReport()
        let run = try #require(report.summary.sections.firstIndex { $0.id == "run" })
        report.summary.sections[run].rows.append([.code(Summary.doubtLabel), .text(ExactText(reason))])
        #expect(try report.document().verdict.first == "This run is doubtful: \(reason).")
    }

    @Test func `is money in every currency, with separators and the decimals of each`() throws {
        let stake = [
            AmountAtStake(millionths: 12_345_006_665_000, currency: "USD"),
            AmountAtStake(millionths: 6_665_000, currency: "KWD"), AmountAtStake(millionths: -500_000, currency: "EUR"),
        ]
        var report = SampleReport()
        report.summary.sections.append(Summary.atStake(urgent: (stake, 3), all: (stake + stake, 9)))
        let sentence =
            "At stake in critical and high, likely or possible findings: 12,345,006.67 USD, 6.665 KWD, -0.50 EUR and "
            + "3 transactions without a price, each transaction once."
        #expect(try report.document().verdict.contains { $0.contains(sentence) })
    }

    @Test func `is without what reviews cleared, and does not count that among it`() throws {
        var cleared = DocumentSamples.compared("closed", rule: "lent-app", .info)
        cleared.status = .ok
        var report = SampleReport(findings: [cleared])
        report.summary.sections.append(
            Summary.atStake(urgent: ([AmountAtStake(millionths: 1_000_000, currency: "USD")], 0), all: ([], 0)))
        #expect(
            try report.document().verdict.contains {
                $0.contains("likely or possible findings, without those that reviews cleared: 1.00 USD, each")
            })
    }

    @Test func `has purchases used after their refund, also where no finding is high`() throws {
        let used = [
            AmountAtStake(millionths: 7_000_000, currency: "USD"),
            AmountAtStake(millionths: 9_000_000, currency: "GBP"),
        ]
        var report = SampleReport()
        report.summary.sections.append(Summary.usedRefunds((used, 2)))
        let verdict = try report.document().verdict
        #expect(
            verdict.contains {
                $0.hasPrefix(
                    "In purchases used after their refund: 7.00 USD, 9.00 GBP and 2 transactions without a price, "
                        + "each once. Amounts come from ")
            }, "\(verdict)")
    }

    @Test func `says how many transactions have no price where none has one`() throws {
        var report = SampleReport()
        report.summary.sections.append(Summary.atStake(urgent: ([], 3), all: ([], 3)))
        #expect(
            try report.document().verdict.contains {
                $0.contains("possible findings: 3 transactions without a price, each transaction once.")
            })
    }

    @Test func `is no money of other findings, which a table has`() throws {
        var report = SampleReport()
        let all = [AmountAtStake(millionths: 5_000_000, currency: "USD")]
        report.summary.sections.append(Summary.atStake(urgent: ([], 0), all: (all, 0)))
        let document = try report.document()
        #expect(!document.verdict.contains { $0.contains("At stake") })
        #expect(
            document.summary[Summary.atStakeID]?.rows == [[.code("all"), .money(5_000_000, currency: "USD"), .none]])
    }
}

struct `A text for copying` {
    @Test(arguments: [
        ("a\u{200b}b", "a%e2%80%8bb"), ("account:é\u{1b}", "account:%c3%a9%1b"), ("\"<&'>", "%22%3c%26%27%3e"),
    ])
    func `is the text itself, encoded`(text: String, encoded: String) {
        #expect(CopiedText.encoded(ExactText(text), shown: "") == encoded)
    }

    @Test func `is there only where the shown one differs`() throws {
        #expect(CopiedText.encoded("x", shown: "x") == nil)
        #expect(CopiedText.encoded(ExactText(String(repeating: "x", count: 4097)), shown: "x…") == nil)
        #expect(try !DocumentSamples.report("x").html().contains(" data-text="))
    }

    @Test func `stands beside the subject of a finding and the name of an entity`() throws {
        let page = try DocumentSamples.report("a\u{200b}b").html()
        let code = "<code data-text=\"a%e2%80%8bb\">a\\u{200b}b</code>"
        #expect(page.contains("<td>" + code) && page.contains(": " + code + "</h3>"))
    }
}
