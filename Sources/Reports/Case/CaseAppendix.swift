import Checks
import Encodings
import Engine
import Rules
import SQLite

/// The appendix of a case file: the claims with their proofs, the documentation of the rules, and how to repeat the
/// run.
struct CaseAppendix {
    private let file: CaseFile
    private let cells = CaseCells(shownAtMost: 300)

    init(_ file: CaseFile) { self.file = file }

    private var subject: ShownSubject { file.subject }

    var html: String {
        "<div class=\"appendix\">\n<h1>Appendix</h1>\n" + claims + words + rules + run + "</div>\n"
    }

    private var claims: String {
        let rows = subject.claims.rows.map { row in
            let failed = cells[row, "failed_checks"].replacing(";", with: ", ")
            let presenter = [("account", "account_id"), ("device", "device_id")]
                .filter { !cells[row, $0.1].isEmpty }
                .map { "\($0.0) " + CaseMarkup.code(cells[row, $0.1]) }
            let app = cells[row, "bundle_id"].isEmpty ? [] : [CaseMarkup.code(cells[row, "bundle_id"])]
            return [
                CaseMarkup.date(cells[row, "presented_at"].isEmpty ? "no date" : cells[row, "presented_at"]),
                CaseMarkup.text(cells[row, "verdict"].isEmpty ? "of an earlier run" : cells[row, "verdict"])
                    + (failed.isEmpty ? "" : CaseMarkup.text(": \(failed)")),
                (presenter + app).joined(separator: "<br>") + "<br>claim " + CaseMarkup.code(cells[row, "claim_id"])
                    + "<br>" + CaseMarkup.code(cells[row, "source"]),
                CaseMarkup.code(cells[row, "receipt_sha256"]),
            ]
        }
        guard !rows.isEmpty else { return "" }
        return CaseMarkup.section(
            "Claims",
            CaseMarkup.paragraph(
                "Latest first. The SHA-256 is that of the signed content: it names the proof, whatever container it came in."
            )
                + CaseMarkup.table(["presented", "verdict", "who and where", "SHA-256 of the proof"], rows)
                + CaseMarkup.more(subject.claims, of: subject))
    }

    /// What the words of the file mean.
    private var words: String {
        let points = Severity.allCases.reversed().map { "\($0.code) \(FindingWeight.of($0, .likely) / 10)" }
        let meanings = [
            ("claim", "a receipt or token that somebody presented, from a device and for an account"),
            ("finding", "one occurrence of a rule; a reason to look, no proof"),
            ("mark", "how bad a finding is for this subject, if it is true"),
            (
                "likely, possible, doubtful",
                "how surely a finding is true; doubtful ones have a known cause of false alarms"
            ),
            (
                "score",
                "the points of its marks, the highest of each rule, added up: \(points.joined(separator: ", ")); possible "
                    + "ones count half, doubtful ones a fifth"
            ),
            ("money at stake", "the price of the transactions that the findings concern, whoever bought them"),
            ("Apple signed", "a proof whose signature leads to Apple, for the device that presents it"),
            ("owner", "presents a receipt from the device for which Apple made it"),
        ]
        let items = meanings.map {
            "<div><dt>\(HTMLText.escaped($0.0))</dt><dd>\(HTMLText.escaped($0.1))</dd></div>\n"
        }
        return CaseMarkup.section("Words", "<dl class=\"words\">\n\(items.joined())</dl>\n")
    }

    private var rules: String {
        let texts = subject.rules.map { rule in
            CaseMarkup.prose("\(rule.id.text):", "raised when \(rule.raisedWhen).", style: "rule")
                + CaseMarkup.list(rule.details)
        }
        return texts.isEmpty ? "" : CaseMarkup.section("What the rules say", texts.joined())
    }

    private var run: String {
        let rows = file.run.filter { $0.item != Summary.repeatLabel }.map { item, value in
            [CaseMarkup.text(item), CaseMarkup.code(TextLayout.safe(value, limit: 400))]
        }
        let commands = file.run(Summary.repeatLabel).map { command in
            "<pre>\(HTMLText.escaped(TextLayout.safe(command, limit: 8000))) --report report.sqlite</pre>\n"
        }
        return CaseMarkup.section(
            "How to repeat it",
            CaseMarkup.paragraph(
                "The same inputs, policy, trust anchors and as-of give the same verdicts and findings. Decisions, and what "
                    + "earlier runs had found, are in the ledger of the run (--state).")
                + CaseMarkup.table(["what", "value"], rows) + commands.joined())
    }
}
