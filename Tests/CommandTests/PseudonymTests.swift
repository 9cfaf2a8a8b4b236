import Foundation
import SampleStore
import Testing

/// A sample with fraud of every kind, audited with and without pseudonyms.
struct `A run with pseudonyms` {
    private let export: TestExport
    private static let reports = [
        "receipts.csv", "receipts.ndjson", "fraud.csv", "fraud.ndjson", "subscriptions.json", "summary.csv",
        "report.md",
        "report.html",
    ]

    init() throws {
        export = try TestExport()
        try export.writeSample(count: 200, seed: 5, plantShare: 0.3)
        try export.write("a key of sixteen bytes or more", to: "key")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: export.path("key"))
    }

    private func audit(_ folder: String, _ arguments: String...) throws -> AuditProcess {
        let reports = Self.reports.flatMap { name -> [String] in
            let table = name.hasPrefix("report.") ? "" : String(name.prefix { $0 != "." }) + "="
            return ["--report", table + export.path(folder + "/" + name)]
        }
        return try AuditProcess(
            ["run", export.path("sample/receipts"), "--root", export.path("sample/root.cer"), "--as-of", "2026-06-30"]
                + reports + ["--metrics", export.path(folder + "/audit.prom")] + arguments)
    }

    private func rows(_ name: String) -> [[String: String]] { table(export.text(of: name) ?? "") }

    @Test func `writes no true id anywhere`() throws {
        let run = try audit("out", "--pseudonymise", export.path("key"))
        #expect(run.exitCode == 0)
        let manifest = rows("sample/receipts/devices.csv")
        var ids = Set(manifest.flatMap { ($0["device_id"] ?? "").split(separator: "|").map(String.init) })
        ids.formUnion(manifest.compactMap { $0["account_id"] })
        ids = ids.filter { $0.count > 3 }
        #expect(ids.count > 300)
        var texts = Self.reports.map { export.text(of: "out/" + $0) ?? "" }
        #expect(texts.allSatisfy { !$0.isEmpty })
        texts += [export.text(of: "out/audit.prom") ?? "", run.messages, run.output]
        for (name, text) in zip(Self.reports + ["metrics", "messages", "output"], texts) {
            let bytes = Data(text.lowercased().utf8)
            let bare = bytes.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
            for id in ids {
                let id = id.lowercased()
                #expect(!bytes.holds(id), "\(id) in \(name)")
                // A UUID or MAC address, written otherwise.
                let digits = id.replacing("-", with: "").replacing(":", with: "")
                if [12, 32].contains(digits.count) { #expect(!bare.holds(digits), "\(id) in \(name)") }
            }
        }
    }

    @Test func `finds what it would find without them`() throws {
        _ = try audit("plain")
        _ = try audit("out", "--pseudonymise", export.path("key"))
        func shape(_ folder: String) -> [String] {
            rows(folder + "/fraud.csv").map { row in
                ["severity", "rule", "claims", "devices", "accounts", "sources"].map { row[$0] ?? "" }
                    .joined(separator: " ")
            }.sorted()
        }
        #expect(shape("plain") == shape("out"))
        #expect(shape("plain").count > 20)
        #expect(export.text(of: "plain/subscriptions.json") == export.text(of: "out/subscriptions.json"))
        let verdicts = { (folder: String) in rows(folder + "/receipts.csv").map { [$0["verdict"], $0["guid"]] } }
        #expect(verdicts("plain") == verdicts("out"))
    }

    @Test func `has the same pseudonyms every time, and others with another key`() throws {
        try export.write("another key of sixteen bytes", to: "key2")
        _ = try audit("a", "--pseudonymise", export.path("key"), "--workers", "1")
        _ = try audit("b", "--pseudonymise", export.path("key"), "--workers", "4")
        let other = try audit("c", "--pseudonymise", export.path("key2"))
        #expect(export.text(of: "a/receipts.csv") == export.text(of: "b/receipts.csv"))
        #expect(export.text(of: "a/fraud.csv") == export.text(of: "b/fraud.csv"))
        let accounts = { (folder: String) in Set(rows(folder + "/receipts.csv").compactMap { $0["account_id"] }) }
        #expect(accounts("a").intersection(accounts("c")) == [""])
        #expect(other.messages.contains("warning"))
    }

    @Test func `knows what the policy allows, and what was found before there were pseudonyms`() throws {
        _ = try audit("plain")
        let subjects = rows("plain/fraud.csv").compactMap { $0["subject"] }
        let account = try #require(subjects.first { $0.hasPrefix("account:") })
        try export.write("version: 1\nallow: [{subject: '\(account)', reason: known}]\n", to: "p.yml")
        _ = try audit(
            "out", "--pseudonymise", export.path("key"), "--policy", export.path("p.yml"), "--baseline",
            export.path("plain/fraud.csv"))
        let changes = rows("out/fraud.csv")
        // A claim's id is made of what it says, of pseudonyms too, so that it is another one with them.
        let new = changes.filter { $0["change"] == "new" && $0["subject"]?.hasPrefix("claim:") == false }
        // So is the account that is the least of a ring's, by which the ring is named.
        #expect(Set(new.map { $0["rule"] }).isSubset(of: ["fraud-ring"]))
        #expect(changes.contains { $0["change"] == "persisting" })
        let resolved = changes.filter { $0["change"] == "resolved" }.compactMap { $0["subject"] }
        #expect(!resolved.isEmpty && resolved.allSatisfy { $0.hasPrefix("account:p-") })
        // A report with pseudonyms can be compared with as it is.
        _ = try audit(
            "again", "--pseudonymise", export.path("key"), "--policy", export.path("p.yml"), "--baseline",
            export.path("out/fraud.csv"))
        #expect(Set(rows("again/fraud.csv").map { $0["change"] }) == ["persisting"])
    }

    @Test func `is warned of a key that everybody can read, quiet or not`() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: export.path("key"))
        let run = try audit("out", "--pseudonymise", export.path("key"), "--quiet")
        #expect(run.exitCode == 0 && run.messages.contains("key can be read by others"), "\(run.messages)")
    }

    @Test func `is refused a key that is too short`() throws {
        try export.write("fifteen bytes..", to: "short")
        let run = try audit("out", "--pseudonymise", export.path("short"))
        #expect(run.exitCode == 2)
        #expect(run.messages.contains("a key has at least 16 bytes, not 15"), "\(run.messages)")
    }
}
