import Foundation
import Testing

/// The table `entities`, compared with what the tables `links`, `fraud` and `receipts` of the same run say.
struct `The report entities` {
    private static let weights = ["critical": 1000, "high": 300, "medium": 100, "low": 30, "info": 10]
    private static let shares = ["likely": 10, "possible": 5, "doubtful": 2]

    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.writeSample(count: 400, seed: 17, forgeryShare: 0.1, plantShare: 0.4)
    }

    @discardableResult
    private func audit(_ folder: String, _ arguments: String...) throws -> [[String: String]] {
        let reports = ["receipts", "fraud", "links", "entities"].flatMap {
            ["--report", "\($0)=" + export.path("\(folder)/\($0).csv")]
        }
        let run = try AuditProcess(
            [
                "run", export.path("sample/receipts"), "--root", export.path("sample/root.cer"), "--policy",
                export.path("sample/policy.yml"), "--as-of", "2026-06-30", "--quiet",
            ] + reports + arguments)
        try #require(run.exitCode == 0, "\(run.messages)")
        return rows(folder, "entities")
    }

    private func rows(_ folder: String, _ name: String) -> [[String: String]] {
        table(export.text(of: "\(folder)/\(name).csv") ?? "")
    }

    @Test func `counts what links of its account say, the highest score first`() throws {
        let entities = try audit("a")
        let links = Dictionary(grouping: rows("a", "links").filter { $0["account_id"] != "" }, by: { $0["account_id"] })
        let accounts = entities.filter { $0["kind"] == "account" }
        #expect(accounts.count > 20 && accounts.count == links.count)
        let findings = Dictionary(uniqueKeysWithValues: rows("a", "fraud").map { ($0["finding_id"], $0) })
        let verdicts = Dictionary(
            rows("a", "receipts").map { ($0["claim_id"], $0["verdict"]) }, uniquingKeysWith: { first, _ in first })
        for entity in accounts {
            let own = try #require(links[entity["id"]])
            #expect(entity["findings"] == String(Set(own.map { $0["finding_id"] }).count))
            let claims = Set(own.map { $0["claim_id"] })
            #expect(entity["claims"] == String(claims.count))
            for verdict in ["valid", "invalid", "unreadable"] {
                #expect(entity[verdict] == String(claims.filter { verdicts[$0] == verdict }.count))
            }
            let devices = Set(own.compactMap { $0["device_id"] }.filter { !$0.isEmpty })
            #expect(entity["devices"] == String(devices.count))
            #expect(entity["first_presented"] == own.compactMap { $0["presented_at"] }.filter { $0 != "" }.min() ?? "")
            var points: [String: Int] = [:]
            for link in own {
                let confidence = findings[link["finding_id"]]?["confidence"] ?? ""
                let weight = (Self.weights[link["severity"] ?? ""] ?? 0) * (Self.shares[confidence] ?? 0) / 10
                points[link["rule"] ?? "", default: 0] = max(points[link["rule"] ?? ""] ?? 0, weight)
            }
            let score = points.values.reduce(0, +)
            #expect(entity["score"] == (score % 10 == 0 ? "\(score / 10)" : "\(score / 10).\(score % 10)"))
            // Whose marks are info is in the ring's findings, but no part of it.
            let rings = own.filter { $0["rule"] == "fraud-ring" && $0["severity"] != "info" }
            let ring = rings.compactMap { $0["finding_id"] }.min() ?? ""
            #expect(entity["ring"] == ring)
            #expect(entity["new"] == "" && entity["status"] == "open")
        }
        for (first, second) in zip(entities, entities.dropFirst()) {
            #expect((Double(first["score"] ?? "") ?? -1) >= (Double(second["score"] ?? "") ?? .infinity))
        }
        #expect(accounts.contains { $0["ring"] != "" })
    }

    @Test func `has every device that matches, every receipt and signer, and what findings are about`() throws {
        let entities = try audit("a")
        let ids = { (kind: String) in Set(entities.filter { $0["kind"] == kind }.compactMap { $0["id"] }) }
        let links = rows("a", "links")
        let genuine = Set(
            rows("a", "receipts").filter {
                let failed = Set(($0["failed_checks"] ?? "").split(separator: ";").map(String.init))
                let proof: Set = [
                    "signature-invalid", "signer-not-found", "chain-untrusted", "chain-expired",
                    "signer-not-app-store", "malformed-receipt", "malformed-in-app-purchase",
                ]
                return failed.isDisjoint(with: proof)
            }.map { $0["claim_id"] })
        let matching = links.filter { $0["guid"] == "match" && genuine.contains($0["claim_id"]) }
        #expect(ids("device") == Set(matching.compactMap { $0["device_id"] }))
        #expect(ids("receipt") == Set(links.compactMap { $0["receipt_sha256"] }.filter { !$0.isEmpty }))
        let subjects = rows("a", "fraud").compactMap { $0["subject"] }.filter { $0.hasPrefix("transaction:") }
        let found = Set(links.compactMap { $0["claim_id"] })
        let ofTokens = rows("a", "receipts").filter {
            found.contains($0["claim_id"] ?? "") && genuine.contains($0["claim_id"])
        }
        .compactMap { $0["original_transaction_id"] }.filter { !$0.isEmpty }
        #expect(ids("transaction") == Set(subjects.map { String($0.dropFirst(12)) } + ofTokens))
        #expect(ids("signer").allSatisfy { $0.count == 64 } && ids("signer").count > 0)
    }

    @Test func `is the same for any number of workers and any memory`() throws {
        try audit("a", "--workers", "1")
        try audit("b", "--workers", "7", "--memory", "64MB")
        #expect(export.text(of: "a/entities.csv") == export.text(of: "b/entities.csv"))
    }

    @Test func `says what is new since an earlier report`() throws {
        try audit("a")
        let same = try audit("b", "--baseline", export.path("a/fraud.csv"))
        #expect(same.allSatisfy { $0["new"] == "false" })
        // The earlier report lacks what is found about one account by several rules.
        let gone = try #require(rows("a", "fraud").first { $0["rule"] == "fraud-ring" })
        let lines = (export.text(of: "a/fraud.csv") ?? "").split(separator: "\r\n")
        let kept = lines.filter { !$0.contains(gone["finding_id"] ?? "") }
        #expect(kept.count == lines.count - 1)
        try export.write(kept.joined(separator: "\r\n") + "\r\n", to: "earlier.csv")
        let compared = try audit("c", "--baseline", export.path("earlier.csv"))
        let new = compared.filter { $0["new"] == "true" }
        #expect(!new.isEmpty && new.count < compared.count)
        #expect(new.allSatisfy { $0["ring"] == "" || $0["ring"] == gone["finding_id"] })
        #expect(new.contains { $0["ring"] == gone["finding_id"] })
    }

    @Test func `has the same rows with a ledger, and all old the night after`() throws {
        try audit("a")
        let first = try audit("b", "--state", export.path("ledger.db"))
        let plain = rows("a", "entities").map { row in row.filter { $0.key != "new" } }
        #expect(first.map { row in row.filter { $0.key != "new" } } == plain)
        #expect(first.allSatisfy { $0["new"] == "true" })
        let next = try audit("c", "--state", export.path("ledger.db"), "--as-of", "2026-07-01")
        #expect(next.count == first.count && next.allSatisfy { $0["new"] == "false" })
    }
}
