import Corpus
import Foundation
import SampleStore
import Testing

/// Inputs that break off or have a rest: whoever runs the audit must hear of it, however quiet it is to be.
struct `An input that is damaged` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        let receipt = try Data(TestExport.receipt()).base64EncodedString()
        let object = "{\"receipt_data\":\"\(receipt)\"}"
        try export.write("receipt_data,account_id\n\(receipt),\"x\n\(receipt),y\n", to: "quote.csv")
        try export.write("[\(object),\(object)", to: "short.json")
        try export.write("\(object)\n\(object)\n", to: "claims.ndjson")
        try export.write("\(object)\n\(object.prefix(40))", to: "cut.ndjson")
        try export.write("receipt_data,account_id\n\(receipt),x\n\(receipt)", to: "cut.csv")
        try gzip("claims.ndjson")
    }

    /// Compresses a file, and cuts the end off.
    private func gzip(_ name: String) throws {
        _ = try AuditProcess(shell: #"gzip -c < "$1" | head -c -12 > "$1.gz""#, [export.path(name)])
    }

    static let names = ["claims.ndjson.gz", "quote.csv", "short.json", "cut.ndjson", "cut.csv"]

    @Test(arguments: names, ["text", "json"])
    func `is warned of, quiet or not`(name: String, format: String) throws {
        for quiet in [[], ["--quiet"]] {
            let run = try AuditProcess(
                ["run", export.path(name), "--root", export.root, "--as-of", "2026-06-30", "--log-format", format]
                    + quiet)
            #expect(run.exitCode == 3)
            #expect(run.messages.contains(name + ":"), "\(run.messages)")
            #expect(run.messages.contains("warning"), "\(run.messages)")
        }
    }

    @Test(arguments: Exhaustive.cases(names, every: 4))
    func `is warned of by the step that reads it, and by the one that counts`(name: String) throws {
        let map = #""$0" map --as-of 2026-06-30 --root "$1"/root.cer --name \#(name) < "$1"/\#(name)"#
        let mapped = try AuditProcess(shell: map, [export.folder.path()])
        #expect(mapped.exitCode == 0)
        #expect(mapped.messages.hasPrefix("audit: warning: \(name):"), "\(mapped.messages)")
        let sharded = try AuditProcess(
            script: ShardExport.script, ["-s", "2", name, "--", "--as-of", "2026-06-30", "--root", "root.cer"],
            environment: ["AUDIT": AuditProcess.path], in: export.folder)
        #expect(sharded.exitCode == 3)
        let warnings = sharded.messages.split(separator: "\n")
        #expect(warnings.contains { $0.hasPrefix("audit: warning: \(name):") }, "\(sharded.messages)")
        #expect(warnings.last?.contains("claims or evidence may be missing") == true, "\(sharded.messages)")
    }

    @Test(arguments: ["cut.ndjson", "cut.csv"])
    func `is none if its last row is whole, with or without a line end`(name: String) throws {
        let text = try #require(export.text(of: name))
        let whole = text.prefix { $0 != "\n" } + "\n"
        let row = name == "cut.csv" ? text.split(separator: "\n")[1] : whole.dropLast()
        for end in ["", "\n"] {
            try export.write((name == "cut.csv" ? String(whole) : "") + row + end, to: name)
            let run = try AuditProcess(
                "run", export.path(name), "--root", export.root, "--as-of", "2026-06-30", "--quiet")
            #expect(run.exitCode == 0 && run.messages.isEmpty, "\(run.messages)")
        }
    }

    @Test func `counts in the metrics, of evidence too`() throws {
        for evidence in [[], ["--evidence", export.path("claims.ndjson.gz")]] {
            let arguments = [
                "run", export.path("short.json"), "--root", export.root, "--as-of", "2026-06-30", "--quiet",
                "--metrics", export.path("audit.prom"),
            ]
            let run = try AuditProcess(arguments + evidence)
            let count = evidence.isEmpty ? 1 : 2
            #expect(run.exitCode == 3)
            #expect(export.text(of: "audit.prom")?.contains("\naudit_input_damages \(count)\n") == true)
            // Of the evidence also that what is in it are no tokens, and that none counts.
            let warnings = run.messages.split(separator: "\n").count { $0.hasPrefix("audit: warning: ") }
            #expect(warnings == (evidence.isEmpty ? 2 : 5), "\(run.messages)")
        }
    }

    @Test(arguments: ["text", "json"], [[], ["--quiet"]])
    func `is warned of if it is evidence without any`(format: String, quiet: [String]) throws {
        try FileManager.default.createDirectory(atPath: export.path("none"), withIntermediateDirectories: true)
        try export.write("\n", to: "none.ndjson")
        for name in ["none", "none.ndjson"] {
            let run = try AuditProcess(
                ["run", export.path("claims.ndjson"), "--root", export.root, "--as-of", "2026-06-30"]
                    + ["--evidence", export.path(name), "--log-format", format] + quiet)
            #expect(run.exitCode == 0)
            #expect(run.messages.contains("\(name): holds no evidence"), "\(run.messages)")
        }
    }

    @Test(arguments: ["text", "json"])
    func `is warned of if it is a folder that cannot be read or an entry that is no file`(format: String) throws {
        try export.write(TestExport.receipt(), to: "receipts/a.der")
        try export.write(TestExport.receipt(), to: "receipts/locked/b.der")
        try FileManager.default.createSymbolicLink(atPath: export.path("receipts/link"), withDestinationPath: "locked")
        let path = export.path("receipts/locked")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path) }
        let run = try export.audit("--quiet", "--log-format", format)
        #expect(run.exitCode == 0)
        #expect(run.messages.contains("skipped 1 symbolic links"), "\(run.messages)")
        // Nothing is locked for root.
        if geteuid() != 0 { #expect(run.messages.contains("skipped the folder locked, which cannot be read")) }
    }
}
