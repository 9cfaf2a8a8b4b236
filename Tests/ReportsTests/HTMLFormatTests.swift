import Corpus
import Engine
import Rules
import Testing

@testable import Reports

struct `An HTML report` {
    private let page: String

    init() throws { page = try DocumentSamples.report().html() }

    @Test func `says what was audited, the verdict, what to do and how to do it again`() throws {
        let text = try MarkupTokens(page).readableText
        for part in [
            "Receipt audit as of 2026-06-30",
            "1,000 claims audited: 900 valid (90.0\u{a0}%) and 100 invalid (10.0\u{a0}%).",
            "3 findings are new (2 critical, 1 low); 1 no longer found.",
            "At stake in critical and high, likely or possible findings: 4.99 of no ISO currency, each transaction once.",
            "3 findings: 2 critical and 1 low.", "What to do", "No longer found", "Retention",
            "audit run x b --root x --policy x --as-of 2026-06-30T00:00:00Z --report report.html",
        ] { #expect(text.contains(part), "\(part)") }
    }

    @Test func `needs nothing else: no address, no file, and a policy that says so`() throws {
        let tokens = try MarkupTokens(page)
        let names = Set(tokens.tags.map(\.name))
        #expect(
            names.isDisjoint(with: [
                "link", "img", "iframe", "object", "embed", "base", "form", "use", "image",
            ]))
        #expect(page.contains("content=\"default-src 'none'; style-src &#39;sha256-"))
        let policy = try #require(page.firstMatch(of: /script-src &#39;(sha256-[^ ]*)&#39;; base-uri/))
        #expect(policy.output.1.count == "sha256-".count + 44)
        #expect(page.matches(of: /<script>/).count == 1)
        #expect(!page.contains("http:") && !page.contains("https:") && !page.contains("@import"))
        let attributes = Set(tokens.tags.flatMap(\.attributes))
        #expect(attributes.isDisjoint(with: ["src=", "style=", "srcset=", "xlink:href="]))
        #expect(!attributes.contains { $0.hasPrefix("on") })
        #expect(tokens.values.filter { $0.hasPrefix("url(") || $0.hasPrefix("#") }.allSatisfy { $0.contains("#") })
    }

    @Test func `has one script, the same on every page, which makes no markup of texts`() throws {
        let script = HTMLTemplates.script
        #expect(page.contains("<script>" + script + "</script>\n</body>"))
        #expect(try DocumentSamples.report("</script>").html().contains("<script>" + script + "</script>"))
        for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "fetch(", "</", ".style"] {
            #expect(!script.contains(word), "\(word)")
        }
    }

    @Test func `closes what it opens, and its headings are in order`() throws {
        var open: [String] = []
        var level = 0
        let void: Set = ["!doctype", "meta", "rect", "line", "path", "circle", "wbr"]
        for tag in try MarkupTokens(page).tags {
            if tag.name.hasPrefix("/") {
                if !void.contains(String(tag.name.dropFirst())) {
                    #expect(open.popLast() == String(tag.name.dropFirst()))
                }
            } else if !void.contains(tag.name) {
                open.append(tag.name)
            }
            if tag.name.count == 2, tag.name.hasPrefix("h"), let next = Int(tag.name.dropFirst()) {
                #expect(next <= level + 1)
                level = next
            }
        }
        #expect(open.isEmpty)
    }

    @Test func `names every chart, captions every table and says what every header is of`() throws {
        let tags = try MarkupTokens(page).tags
        let count = { (name: String) in tags.count { $0.name == name } }
        #expect(count("svg") == 6)  // classes, months of presentation, receipts and subscriptions
        #expect(
            tags.filter { $0.name == "svg" }.allSatisfy {
                $0.attributes.contains("role=") && $0.attributes.contains("aria-label=")
            })
        #expect(count("table") == count("caption"))
        #expect(tags.filter { $0.name == "th" }.allSatisfy { $0.attributes.contains("scope=") })
    }

    /// Returns an attribute's value without the digits of a run's id, or the name in an anchor, which is of letters, digits
    /// and few signs.
    private static func kind(of value: String) -> String {
        guard value.wholeMatch(of: /[0-9a-f]{16}/) == nil else { return "run" }
        guard let anchor = value.wholeMatch(of: /(#?(?:account|finding)-)[0-9A-Za-z.:_~-]+/) else { return value }
        return String(anchor.1)
    }

    @Test func `never treats untrusted text as markup`() throws {
        let plain = try MarkupTokens(page)
        for text in Exhaustive.cases(HostileText.known + HostileText.random(60), every: 16) {
            let tokens = try MarkupTokens(DocumentSamples.report(text).html())
            #expect(tokens.tags == plain.tags, "\(text.debugDescription)")
            #expect(tokens.values.map(Self.kind(of:)) == plain.values.map(Self.kind(of:)), "\(text.debugDescription)")
            #expect(
                tokens.copied.allSatisfy { $0.utf8.allSatisfy { $0 == 0x25 || $0 > 0x2c && $0 < 0x7f && $0 != 0x3c } },
                "\(text.debugDescription)")
            #expect(tokens.readableText.contains(TextLayout.safe(text, limit: 200)), "\(text.debugDescription)")
        }
    }

    @Test func `is the same, byte by byte, whenever it is made`() throws {
        #expect(try DocumentSamples.report().html() == page)
    }

    @Test func `has a link past its contents to the findings, or to the summary of a page without findings`() throws {
        #expect(
            page.contains("<body>\n<a class=\"skip\" href=\"#queue\">")
                && page.contains("<section id=\"queue\" tabindex"))
        let summary = try DocumentSamples.report().html(.summary)
        #expect(
            summary.contains("<a class=\"skip\" href=\"#glance\">")
                && summary.contains("<section id=\"glance\" tabindex"))
    }

    @Test func `shows in the queue what was decided, by whom and why, and tells the script when`() throws {
        var found = DocumentSamples.compared("x", rule: "foreign-app", .high)
        found.status = .reopened
        found.decision = ReviewDecision(.ok, at: DocumentSamples.asOf, by: "anna <b>")
        found.decision?.note = "a \u{200b}test & phone"
        let page = try SampleReport(findings: [found]).html()
        #expect(page.contains("id=\"finding-\(found.finding.id)\" data-recorded=\"reopened 2026-06-30T00:00:00Z\""))
        #expect(page.contains("decided ok by anna &#60;b&#62; on 2026-06-30: a \\u{200b}test &#38; phone</span>"))
    }

    @Test func `keeps decisions under the id of its run`() throws {
        let id = { (page: String) in page.firstMatch(of: /data-run="([0-9a-f]{16})"/).map { String($0.output.1) } }
        let other = try DocumentSamples.report("y").html()
        #expect(try id(page) != nil && id(page) == id(DocumentSamples.report().html(.fraud)) && id(page) != id(other))
    }

    @Test func `holds only the part that was asked for`() throws {
        let fraud = try DocumentSamples.report().html(.fraud)
        #expect(fraud.contains("id=\"queue\"") && !fraud.contains("id=\"figures\""))
        let summary = try DocumentSamples.report().html(.summary)
        #expect(!summary.contains("id=\"queue\"") && summary.contains("id=\"figures\""))
    }
}
