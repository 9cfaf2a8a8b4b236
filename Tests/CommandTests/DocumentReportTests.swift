import Foundation
import SampleStore
import Testing

struct `A report that people read` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.write(TestExport.receipt(), to: "receipts/<b>a.der")
        try export.write("no receipt", to: "receipts/|`b`.der")
    }

    @Test(arguments: ["md", "html"])
    func `is the same, byte by byte, from the same run`(format: String) throws {
        let run = try export.audit(
            "--report", export.path("a.\(format)"), "--report", export.path("b.\(format)"), "--workers", "1")
        #expect(run.exitCode == 3)
        let again = try export.audit("--report", export.path("c.\(format)"), "--workers", "2")
        #expect(again.exitCode == 3)
        let text = try #require(export.text(of: "a.\(format)"))
        #expect(text.contains("Receipt audit as of 2026-06-30"))
        #expect(!text.contains("<b>") && (format == "html" || !text.contains("`b`")))
        #expect(export.text(of: "b.\(format)") == text)
        #expect(export.text(of: "c.\(format)") == text)
    }

    @Test func `may hold one part`() throws {
        let run = try export.audit(
            "--report", "fraud=" + export.path("f.md"), "--report", "summary=" + export.path("s.md"))
        #expect(run.exitCode == 3)
        #expect(export.text(of: "f.md")?.contains("## Findings") == true)
        #expect(export.text(of: "s.md")?.contains("## Findings") == false)
    }

    @Test(arguments: ["md", "html"])
    func `shows each claim, untrusted text as text`(format: String) throws {
        let run = try export.audit("--report", "receipts=" + export.path("a.\(format)"))
        #expect(run.exitCode == 3)
        let rows = pageRows(try #require(export.text(of: "a.\(format)")), format)
        #expect(rows.count == 2)
        #expect(rows.first?.contains("&#60;b&#62;a") == true && rows.first?.contains("valid") == true)
        #expect(rows.last?.contains("unknown-format") == true)
    }
}

/// More claims than a page shows unasked.
struct `A page about many claims` {
    private static let count = 1100

    private struct Reports {
        var csv: [[String: String]] = []
        var whole: [String: String] = [:]
        var first: [String: String] = [:]
    }

    private static let reports = Result { () throws -> Reports in
        let export = try TestExport()
        try export.writeSample(count: count, seed: 6, plantShare: 0.3)
        let files = ["md", "html"].flatMap { ["first.\($0)", "receipts=whole.\($0)"] } + ["receipts.csv"]
        let run = try AuditProcess(
            ["run", "sample/receipts", "--root", "sample/root.cer", "--as-of", "2026-06-30", "--workers", "2"]
                + files.flatMap { ["--report", $0] }, in: export.folder)
        try #require(run.exitCode == 0, "\(run.messages)")
        var reports = Reports(csv: table(export.text(of: "receipts.csv") ?? ""))
        for format in ["md", "html"] {
            reports.whole[format] = export.text(of: "whole.\(format)")
            reports.first[format] = export.text(of: "first.\(format)")
        }
        return reports
    }

    @Test(arguments: ["md", "html"])
    func `has all of them if it is asked for the table, in order, with what was found`(format: String) throws {
        let reports = try Self.reports.get()
        let rows = pageRows(reports.whole[format] ?? "", format)
        #expect(rows.count == Self.count && reports.csv.count == Self.count)
        for (row, claim) in zip(rows, reports.csv) {
            let cells = ["source", "verdict", "failed_checks", "risk", "rules", "receipt_sha256"].map {
                claim[$0] ?? ""
            }
            #expect(cells.allSatisfy { $0.isEmpty || row.contains($0) }, "\(row)")
        }
        #expect(reports.whole[format]?.contains("more: all are in") == false)
    }

    @Test func `has the worst if it is about everything, some of each rule, and no clean ones`() throws {
        let reports = try Self.reports.get()
        let bad = reports.csv.filter { $0["verdict"] != "valid" || $0["risk"] != "" }
        let rows = pageRows(reports.first["html"] ?? "", "html", "claims")
        #expect(rows.count == bad.count && bad.count < Self.count)
        for claim in bad { #expect(rows.contains { $0.contains(claim["claim_id"] ?? "none") }) }
        let risks = rows.map { row in
            ["critical", "high", "medium", "low", "info"].firstIndex { row.contains("\"badge \($0)\"") } ?? 5
        }
        #expect(risks == risks.sorted() && risks.first == 0)
    }

    @Test(arguments: ["md", "html"])
    func `counts four classes of claims`(format: String) throws {
        let reports = try Self.reports.get()
        let count = { (verdict: String, hasRisk: Bool?) in
            reports.csv.count {
                $0["verdict"] == verdict && (hasRisk == nil || hasRisk == ($0["risk"]?.isEmpty == false))
            }
        }
        let counts = [
            ("clean", count("valid", false)), ("valid with findings", count("valid", true)),
            ("invalid", count("invalid", nil)), ("unreadable", count("unreadable", nil)),
        ]
        let page = try #require(reports.first[format])
        for (name, count) in counts {
            let row =
                format == "md"
                ? "| \(name) | \(count) |" : "<th scope=\"row\">\(name)</th><td class=\"number\">\(count)<"
            #expect(page.contains(row), "\(row)")
        }
    }

    @Test func `is short in Markdown`() throws {
        let page = try #require(Self.reports.get().first["md"])
        #expect(page.utf8.count <= 60_000)
        for part in ["## At a glance", "## Entities", "## Rules and apps", "## How to repeat this run"] {
            #expect(page.contains("\n\(part)\n"))
        }
    }

    @Test func `has links between findings and entities that lead somewhere`() throws {
        let page = try #require(Self.reports.get().first["html"])
        let targets = page.matches(of: /href="#([^"]*)"/).map { String($0.1) }
        let ids = page.matches(of: /\sid="([^"]*)"/).map { String($0.1) }
        #expect(Set(ids).count == ids.count)
        #expect(Set(targets).isSubset(of: ids))
        #expect(targets.contains { $0.hasPrefix("finding-") } && targets.contains { $0.hasPrefix("account-") })
    }
}

/// The rows of the table `receipts` on a page.
private func pageRows(_ page: String, _ format: String, _ id: String = "receipts") -> [String] {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = lines.firstIndex { $0 == (format == "md" ? "## Receipts" : "<section id=\"\(id)\">") }
    guard let start else { return [] }
    return lines[start...].drop { !$0.hasPrefix(format == "md" ? "|---" : "<tbody") }.dropFirst()
        .prefix { $0.hasPrefix(format == "md" ? "|" : "<tr>") }.map { $0 }
}
