import Foundation
import SampleStore
import Testing

struct `audit run --job` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.write(TestExport.receipt(), to: "receipts/a.der")
        try export.write(TestExport.receipt(), to: "more/b.der")
    }

    private func run(_ arguments: String..., environment: [String: String] = [:]) throws -> AuditProcess {
        try AuditProcess(
            ["run", "--job", "j.yml", "--as-of", "2026-06-30"] + arguments, environment: environment, in: export.folder)
    }

    @Test func `does what the file says`() throws {
        try export.write("inputs: receipts\nroots: [root.cer]\nreports: ['out/{date}.csv']\n", to: "j.yml")
        #expect(try run().exitCode == 0)
        let rows = table(export.text(of: "out/2026-06-30.csv") ?? "")
        #expect(rows.map { $0["verdict"] } == ["valid"])
    }

    @Test func `gives the same bytes wherever it is started from`() throws {
        let reports = "['${OUT}.csv', 'summary=${OUT}-summary.csv']"
        try export.write(
            "inputs: [receipts, more]\nroots: [root.cer]\npolicy: p.yml\nreports: \(reports)\n", to: "j.yml")
        try export.write("version: 1\n", to: "p.yml")
        for (name, folder, job) in [
            ("x", export.folder, "j.yml"), ("y", URL(filePath: "/"), export.path("j.yml")),
            ("z", export.folder.appending(path: "more"), "../j.yml"),
        ] {
            let audit = try AuditProcess(
                ["run", "--job", job, "--as-of", "2026-06-30", "--quiet"],
                environment: ["OUT": export.path(name)], in: folder)
            #expect(audit.exitCode == 0, "\(audit.messages)")
        }
        for suffix in [".csv", "-summary.csv"] {
            let texts = ["x", "y", "z"].map { export.text(of: $0 + suffix) }
            #expect(texts[0] != nil && texts[0] == texts[1] && texts[1] == texts[2])
        }
        #expect(table(export.text(of: "x.csv") ?? "").map { $0["source"] } == ["receipts/a.der", "more/b.der"])
        #expect(export.text(of: "x-summary.csv")?.contains("j.yml") == true)
    }

    @Test func `is overruled by the command line`() throws {
        try export.write(
            "inputs: nowhere\ndevices: no.csv\nroots: [no.cer]\nreports: [no.csv]\nfail-on: info\n", to: "j.yml")
        let run = try run("more", "--root", "root.cer", "--report", "-", "--fail-on", "critical")
        #expect(run.exitCode == 0)
        #expect(run.rows.map { $0["source"] } == ["b.der"])
    }

    @Test func `ends with 2 and the line if the file is wrong`() throws {
        try export.write("inputs: receipts\nworker: 2\n", to: "j.yml")
        let run = try run()
        #expect(run.exitCode == 2)
        #expect(run.messages == "audit: error: j.yml:2:1: unknown key “worker”; did you mean “workers”?\n")
    }

    @Test func `ends with 2 if nobody names an input`() throws {
        try export.write("reports: [a.csv]\n", to: "j.yml")
        let run = try run()
        #expect(run.exitCode == 2)
        #expect(run.messages == "audit: error: j.yml: “inputs” is missing, and no INPUT was given\n")
    }
}

struct `The nightly job` {
    @Test func `audits an export`() throws {
        let export = try TestExport()
        try export.writeSample(count: 60, seed: 3)
        let job = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../jobs/nightly.yml")
        let run = try AuditProcess(
            "run", "--job", job.standardized.path(), "--root", export.path("sample/root.cer"), "--as-of", "2026-06-30",
            environment: ["EXPORT": export.path("sample/receipts"), "REPORTS": export.path("out")])
        #expect(run.exitCode == 1, "\(run.messages)")
        #expect(
            try export.names(in: "out") == [
                "fraud-2026-06-30-000000Z.csv", "ledger.db", "receipts-2026-06-30-000000Z.csv",
                "report-2026-06-30-000000Z.html",
            ]
        )
    }
}

struct `The hourly job` {
    @Test func `has what support asks for, and remembers the claims of hours before`() throws {
        let export = try TestExport()
        try export.writeSample(count: 400, seed: 3)
        let job = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../jobs/hourly.yml")
        func run(_ input: String) throws -> AuditProcess {
            try AuditProcess(
                "run", "--job", job.standardized.path(), "--root", export.path("sample/root.cer"), "--as-of",
                "2026-06-30",
                environment: [
                    "EXPORT": export.path(input), "NOTIFICATIONS": export.path("sample/evidence.ndjson"),
                    "REPORTS": export.path("out"),
                ])
        }
        #expect(try run("sample/receipts").exitCode == 0)
        let tables = ["refund-requests.csv", "unclaimed.csv"]
        #expect(try export.names(in: "out") == ["hourly.db"] + tables)
        let first = tables.map { export.text(of: "out/" + $0) ?? "" }
        #expect(first.allSatisfy { $0.split(separator: "\r\n").count > 1 })
        // Nothing was claimed in the next hour.
        try export.write("device_id,receipt_data\n", to: "none.csv")
        let hour = try run("none.csv")
        #expect(hour.exitCode == 0, "\(hour.messages)")
        #expect(tables.map { export.text(of: "out/" + $0) ?? "" } == first)
    }
}
