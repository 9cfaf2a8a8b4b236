import Checks
import Encodings
import Foundation
import Receipts
import Testing

@testable import Reports
@testable import Rules

struct `The text of a rule` {
    @Test func `says what it is, when it is raised and wrong, what to do, and shows examples`() {
        let lines = RuleText(isColored: false, width: 80).explanation(of: SampleRule.self)
        #expect(
            lines.joined(separator: "\n") == """
                A sample was found
                sample-rule, medium
                  - critical for two samples at once

                Raised when
                  there is a sample in the receipt, and it is not the first one that this very
                  device sent in.
                  - A sample `counts`.
                  - None other does.

                Subjects
                  claim:…

                Why it matters
                  It is `only` a sample.

                When it is wrong
                  Never.

                What to do
                  Nothing at all.

                Limits, which a policy can change
                  - samples: 2 (1 to 5000); the number of | samples

                Examples
                  - raised, critical: everything is set
                      - policy: allows `Production`, `Xcode`; has the app `com.example.lite`,
                        versions `1`, which sells `gold` (group `pro`); sets in `sample-rule`
                        the severity to high, `samples` to 3; has `account:ana` on its allow
                        list
                      - device B, account ana, claims a receipt of `com.example.notes`, asks for
                        `gold`, presented 2026-03-02, fails `environment-mismatch`; receipt 2,
                        made for another device, signed with SHA-1, of `com.example.lite`, from
                        `Xcode`, created 2026-03-03, expires 2027-03-03; purchase of `gold`
                        (auto-renewable subscription), transaction 17, original transaction 16,
                        a trial, at an introductory price, bought 2026-02-01, first bought
                        2026-01-01, expires 2026-03-01, refunded 2026-02-02
                      - no device; receipt 1
                  - clear: a purchase
                      - device A; a receipt; purchase of `gold`, bought 2026-02-01
                  - clear: no receipt
                      - device A, fails `unknown-format`; sent `'{
                        xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… (103
                        characters)`
                  - clear: many
                      - device 1; receipt 1
                      - device 2; receipt 2
                      - 6 more claims
                      - device 9; receipt 9
                """)
    }

    @Test func `is a line of a table`() {
        let lines = RuleText(isColored: false, width: 80).table([SampleRule.self, SharedReceipt.self])
        #expect(
            lines == [
                "sample-rule     medium    A sample was found",
                "shared-receipt  critical  One receipt was sent in by several devices",
            ])
    }

    @Test func `is coloured only where that was asked for`() {
        let colored = RuleText(isColored: true, width: 80)
        #expect(colored.table([SampleRule.self]).joined().contains("\u{1b}[33mmedium\u{1b}[0m    A sample"))
        #expect(colored.explanation(of: SampleRule.self).first == "\u{1b}[1mA sample was found\u{1b}[0m")
    }

    @Test(arguments: [40, 60, 80, 100])
    func `fits the width, of all rules there are`(width: Int) {
        for rule in RuleBook.rules {
            for line in RuleText(isColored: false, width: width).explanation(of: rule) where line.count > width {
                // A word that is longer than a line stays whole.
                #expect(line.drop { " -".contains($0) }.split(separator: " ").count == 1, "\(line)")
            }
        }
    }
}

struct `The JSON of a rule` {
    @Test func `has all keys, and what claims have in common`() throws {
        let object = try read(RuleTextJSON.text(of: SampleRule.self))
        #expect(
            object.keys == [
                "details", "exceptions", "id", "keys", "limits", "raised_when", "severity", "subjects", "title",
                "what_to_do", "when_wrong", "why",
            ])
        #expect(object["details"] == .array([.text("A sample `counts`."), .text("None other does.")]))
        #expect(object["id"] == .text("sample-rule"))
        #expect(object["keys"] == .array([]))
        #expect(object["subjects"] == .array([.text("claim")]))
        #expect(
            object["exceptions"]
                == .array([.object(["severity": .text("critical"), "condition": .text("for two samples at once")])]))
        #expect(
            object["limits"]
                == .array([
                    .object([
                        "name": .text("samples"), "standard": .number(2), "lowest": .number(1),
                        "highest": .number(5000),
                        "meaning": .text("the number of | samples"),
                    ])
                ]))
        #expect(try read(RuleTextJSON.text(of: SharedReceipt.self))["keys"] == .array([.text("receipt")]))
    }

    @Test func `stands in the array of all, in the order of the rule book`() throws {
        let rules = try read(RuleTextJSON.text()).elements
        #expect(rules.map { $0["id"]?.string } == RuleBook.ids.map(\.text))
    }

    private func read(_ text: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }
}

struct `The page docs/rules.md` {
    @Test func `is what the rule book says`() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/rules.md")
        let isSame = try String(contentsOf: url, encoding: .utf8) == RuleTextMarkdown.text()
        #expect(isSame, "docs/rules.md is not what the rule book says: run make docs")
    }
}

struct `The page docs/app-store-members.md` {
    @Test func `is what the tables of members say`() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/app-store-members.md")
        let isSame = try String(contentsOf: url, encoding: .utf8) == MemberTableMarkdown.text()
        #expect(isSame, "docs/app-store-members.md is not what the tables say: run make docs")
    }
}

struct `The definitions of tables in docs` {
    @Test func `are what the columns say`() throws {
        let docs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs")
        for (name, text) in [
            ("tables.schema.json", try TableDefinitions.jsonSchema()), ("tables.sql", TableDefinitions.sql()),
        ] {
            let isSame = try String(contentsOf: docs.appending(path: name), encoding: .utf8) == text
            #expect(isSame, "docs/\(name) is not what the columns say: run make docs")
        }
    }

    @Test func `are in reports/README.md, below the mark of each table`() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../reports/README.md")
        let page = try String(contentsOf: url, encoding: .utf8)
        #expect(page == TableDefinitions.markdown(in: page), "the columns are other ones: run make docs")
        for table in ReportRequest.Table.allCases {
            #expect(page.contains(TableDefinitions.mark(of: table)), "\(table.rawValue) has no mark")
        }
    }

    @Test func `are sentences without links for programs`() {
        let column = ReportRequest.Table.receipts.schema.columns.first { $0.name == "kind" }
        #expect(column?.plainMeaning == "app-receipt or the kind of a token")
    }
}

struct `The page of a rule` {
    @Test func `has its documentation and its limits, and leaves the examples to the command`() {
        let text = RuleTextMarkdown.text(of: [SampleRule.self])
        #expect(text.contains("\n| [`sample-rule`](#sample-rule) | medium | A sample was found |  |  |\n"))
        #expect(text.contains("\n**A sample was found.** Severity: medium; critical for two samples at once.\n"))
        #expect(text.contains("sent in.\n\n- A sample `counts`.\n- None other does.\n\nSubjects: `claim:…`.\n"))
        #expect(text.contains("\n**Why it matters.** It is `only` a sample.\n"))
        #expect(text.contains("\n| `samples` | 2 | 1 | 5000 | the number of \\| samples |\n"))
        #expect(!text.contains("clear: many"))
    }
}

/// A rule that says a little of everything, and finds nothing.
struct SampleRule: ClaimRule {
    static let documentation = RuleDocumentation(
        id: "sample-rule", title: "A sample was found", severity: .medium,
        exceptions: [RuleDocumentation.SeverityException(.critical, "for two samples at once")],
        raisedWhen: "there is a sample in the receipt, and it is not the first one that this very device sent in",
        details: """
            A sample `counts`.
            None other does.
            """,
        why: "It is `only` a sample.", whenWrong: "Never.", whatToDo: "Nothing at all.",
        limits: [RuleLimit("samples", standard: 2, in: 1...5000, "the number of | samples")])

    static let examples: [RuleExample] = [
        .raised("everything is set", .critical, policy: policy, claim, ExampleClaim(device: "")),
        .clear("a purchase", ExampleClaim(receipt: ExampleReceipt(1, ExamplePurchase()))),
        .clear(
            "no receipt",
            ExampleClaim(failed: [.unknownFormat], stored: "`{\n" + String(repeating: "x", count: 100))),
        .clear("many", claims: (1...9).map { ExampleClaim(device: "\($0)", receipt: ExampleReceipt($0)) }),
    ]

    private static var claim: ExampleClaim {
        ExampleClaim(
            device: "B", deviceHashMatches: false, account: "ana", bundle: "com.example.notes", product: "gold",
            presented: "2026-03-02",
            failed: [.environmentMismatch], isSHA1: true,
            receipt: ExampleReceipt(
                2, bundleID: "com.example.lite", environment: "Xcode", created: "2026-03-03",
                expires: "2027-03-03",
                ExamplePurchase(
                    "gold", "17", of: "16", bought: "2026-02-01", originallyBought: "2026-01-01", expires: "2026-03-01",
                    refunded: "2026-02-02", kind: .autoRenewable, isTrial: true, isIntro: true)))
    }

    private static var policy: Policy {
        var policy = Policy()
        policy.environments = ["Xcode", "Production"]
        var product = Product()
        product.group = "pro"
        policy.apps = ["com.example.lite": Policy.App(versions: ["1"], products: ["gold": product])]
        var settings = Policy.RuleSettings()
        settings.severity = .high
        settings.limits = ["samples": 3]
        policy.rules["sample-rule"] = settings
        policy.allowances = [Policy.Allowance(subject: "account:ana", reason: "test")]
        return policy
    }

    init(_ policy: Policy) {}

    func hit(in facts: Facts) -> Hit? { nil }
}
