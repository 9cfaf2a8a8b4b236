import Encodings
import Engine
import Rules
import SQLite

/// Writes a case file as one HTML page that needs no script and no network, and prints on two pages and an appendix.
///
/// It escapes every text; the only exception is our style sheet.
public struct CasePage {
    private let file: CaseFile
    private let cells: CaseCells

    public init(_ file: CaseFile) {
        self.file = file
        cells = CaseCells(shownAtMost: 400)
    }

    private var subject: ShownSubject { file.subject }
    private var name: String { "\(subject.kind.rawValue) \(TextLayout.safe(subject.id, limit: 200))" }

    /// The page. It ends with a line feed.
    public var html: String {
        let parts = [
            header, who, timeline, others, findings, money, decisions, appendix,
        ]
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \(Self.stylePolicy); base-uri 'none'; form-action 'none'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>Case file: \(HTMLText.escaped(name))</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <a class="skip" href="#findings">Skip to the findings</a>
            <main>
            \(parts.joined())</main>
            </body>
            </html>

            """
    }

    private static let style = "\n" + String(decoding: PackageResources.case_css, as: UTF8.self)
    private static let stylePolicy = InlinePolicy.source(of: style)

    // MARK: Who

    private var header: String {
        let asOf = file.run("as of").first ?? "an unknown date"
        var notes = ["From a receipt audit as of \(asOf)."]
        if file.isPseudonymised { notes.append("Ids of people and devices are pseudonyms.") }
        return "<header>\n<h1>Case file: <code>\(HTMLText.escaped(name))</code></h1>\n"
            + CaseMarkup.paragraph(notes.joined(separator: " ")) + CaseMarkup.paragraph(verdict, style: "verdict")
            + "</header>\n"
    }

    /// The summary for readers of a single sentence.
    private var verdict: String {
        guard subject.findings.total > 0 else { return "No finding concerns it." }
        let worst = subject.findings.rows.first.map { cells[$0, "mark"] } ?? ""
        var text = counted(subject.findings.total, "finding", grouped) + ", at worst \(worst)"
        if let amount = subject.facts.amount("at_stake") { text += "; at stake \(amount)" }
        let decided = subject.findings.rows.filter { !["open", "reopened"].contains(cells[$0, "status"]) }.count
        text += decided == 0 ? "; none of them is reviewed" : "; \(grouped(decided)) reviewed"
        return text + ". A finding is a reason to look, not proof: each says when it is wrong."
    }

    private var who: String {
        let facts = ShownFacts.all(of: subject.facts, cells.text).map { label, text in
            "<div><dt>\(HTMLText.escaped(label))</dt><dd>\(HTMLText.escaped(text))</dd></div>\n"
        }
        guard !facts.isEmpty else { return "" }
        return CaseMarkup.section("Who", "<dl>\n\(facts.joined())</dl>\n")
    }

    // MARK: What happened

    private var timeline: String {
        guard file.events > 0 else { return "" }
        var rows = file.timeline.map { event in
            [CaseMarkup.date(String(cells[event, "at"].prefix(10))), what(event)]
        }
        let omitted = file.events - rows.count
        if omitted > 0 {
            rows.insert(
                ["", CaseMarkup.text("… \(counted(omitted, "event", grouped)) between them left out …")],
                at: rows.count / 2)
        }
        return CaseMarkup.section("Timeline", CaseMarkup.table(["date", "what"], rows))
    }

    private func what(_ event: DatabaseReader.Row) -> String {
        let (a, b, c) = (cells[event, "a"], cells[event, "b"], cells[event, "c"])
        let count = Int(event.first { $0.column == "count" }?.value.number ?? 1)
        switch event.first(where: { $0.column == "place" })?.value.number {
        case 1: return said(by: c) + "purchase of " + CaseMarkup.code(a) + " in transaction " + CaseMarkup.code(b)
        case 2: return said(by: c) + "refund of " + CaseMarkup.code(a) + " in transaction " + CaseMarkup.code(b)
        case 3:
            let who = [(a, "account"), (b, "device")].filter { !$0.0.isEmpty }
                .map { "\($0.1) " + CaseMarkup.code($0.0) }
            let verdict = c.isEmpty ? "of an earlier run" : c
            return CaseMarkup.text("\(counted(count, "claim", grouped)) presented (\(verdict))")
                + (who.isEmpty ? "" : " by " + who.joined(separator: " on "))
        case 4:
            return "first found: " + CaseMarkup.badge(b) + " " + CaseMarkup.code(a)
                + (count > 1 ? CaseMarkup.text(" (\(counted(count, "finding", grouped)))") : "")
        default:
            let note = c.isEmpty ? "" : ": \(c)"
            return CaseMarkup.text("decided \(a) by \(b), \(counted(count, "finding", grouped))\(note)")
        }
    }

    /// Returns whose word it is, before what it says.
    private func said(by word: String) -> String {
        WordOf(rawValue: word).map { CaseMarkup.text($0.introduction + ": ") } ?? ""
    }

    private var others: String {
        guard subject.others.total > 0 else { return "" }
        let rows = subject.others.rows.map { row in
            [
                CaseMarkup.text(row.number("owner") > 0 ? "owner" : "presents it, too"),
                CaseMarkup.text(cells[row, "kind"]), CaseMarkup.code(cells[row, "id"]),
                CaseMarkup.text(cells[row, "claims"]), CaseMarkup.date(cells[row, "first_presented"]),
                CaseMarkup.date(cells[row, "last_presented"]),
            ]
        }
        return CaseMarkup.section(
            "With whom",
            CaseMarkup.paragraph(
                "Who else presents the receipts of these claims. An owner presents them from the device for which Apple made "
                    + "them.")
                + CaseMarkup.table(["as", "what", "id", "claims", "first presented", "last presented"], rows)
                + more(subject.others))
    }

    // MARK: Findings

    private var findings: String {
        guard subject.findings.total > 0 else {
            return CaseMarkup.section("Findings", CaseMarkup.paragraph("There are none."), id: "findings")
        }
        var byRule: [(rule: String, rows: [DatabaseReader.Row])] = []
        for row in subject.findings.rows {
            let rule = cells[row, "rule"]
            if let place = byRule.firstIndex(where: { $0.rule == rule }) {
                byRule[place].rows.append(row)
            } else {
                byRule.append((rule, [row]))
            }
        }
        let parts = byRule.map { rule, rows in
            let text = RuleBook.rule(ExactText(rule))?.documentation
            return "<h3>\(HTMLText.escaped(text?.title ?? rule)) \(CaseMarkup.code(rule))</h3>\n"
                + rows.map(finding).joined()
                + (text.map { CaseMarkup.prose("**When it is wrong.** ", $0.whenWrong, style: "wrong") } ?? "")
        }
        return CaseMarkup.section("Findings", parts.joined() + more(subject.findings), id: "findings")
    }

    private func finding(_ row: DatabaseReader.Row) -> String {
        let mark = cells[row, "mark"]
        let severity = cells[row, "severity"] == mark ? "" : "of a \(cells[row, "severity"]) finding"
        let money = row.amount("at_stake").map { "at stake \($0)" } ?? ""
        let seen = cells[row, "first_seen"].isEmpty ? "" : "first found \(cells[row, "first_seen"].prefix(10))"
        let words = [severity, cells[row, "confidence"], cells[row, "status"], money, seen].filter { !$0.isEmpty }
        return "<div class=\"finding\">" + CaseMarkup.badge(mark) + " "
            + CaseMarkup.text(words.joined(separator: ", ")) + "<br>" + CaseMarkup.code(cells[row, "subject"])
            + "<br>" + CaseMarkup.text(CaseCells(shownAtMost: 2000)[row, "evidence"]) + "</div>\n"
    }

    // MARK: Money and decisions

    private var money: String {
        guard subject.purchases.total > 0 else { return "" }
        let rows = subject.purchases.rows.map { row in
            [
                CaseMarkup.date(String(cells[row, "purchased_at"].prefix(10))),
                CaseMarkup.code(cells[row, "transaction_id"]), CaseMarkup.code(cells[row, "product_id"]),
                CaseMarkup.text(row.amount("price") ?? ""),
                CaseMarkup.date(String(cells[row, "refunded_at"].prefix(10))),
                CaseMarkup.text(WordOf(rawValue: cells[row, "word"])?.introduction ?? ""),
            ]
        }
        return CaseMarkup.section(
            "Money",
            CaseMarkup.paragraph(subject.money.sentence ?? "")
                + CaseMarkup.table(["bought", "transaction", "product", "price", "refunded", "whose word"], rows)
                + more(subject.purchases))
    }

    private var decisions: String {
        guard subject.findings.total > 0 else { return "" }
        guard subject.decisions.total > 0 else {
            return CaseMarkup.section("Decisions", CaseMarkup.paragraph("Nobody has reviewed these findings yet."))
        }
        // Decisions made together, such as about a ring, are one row.
        var decided: [(decision: [String], about: [String])] = []
        for row in subject.decisions.rows {
            let until = cells[row, "until"].isEmpty ? "" : " (until \(cells[row, "until"]))"
            let decision = [
                cells[row, "reviewed_at"], cells[row, "status"], cells[row, "reviewed_by"], cells[row, "note"] + until,
            ]
            let about = CaseMarkup.code(cells[row, "rule"]) + " " + CaseMarkup.code(cells[row, "subject"])
            if let last = decided.last, last.decision == decision {
                if !last.about.contains(about) { decided[decided.count - 1].about.append(about) }
            } else {
                decided.append((decision, [about]))
            }
        }
        let rows = decided.map { decision, about in
            [
                CaseMarkup.date(decision[0]), CaseMarkup.text(decision[1]), CaseMarkup.text(decision[2]),
                CaseMarkup.text(decision[3]), about.joined(separator: "<br>"),
            ]
        }
        return CaseMarkup.section(
            "Decisions",
            CaseMarkup.paragraph("The latest first; the last one about a finding applies.")
                + CaseMarkup.table(["when", "decision", "by", "note", "about"], rows) + more(subject.decisions))
    }

    private var appendix: String { CaseAppendix(file).html }

    private func more(_ list: ShownSubject.List) -> String { CaseMarkup.more(list, of: subject) }
}
