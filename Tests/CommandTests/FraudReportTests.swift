import Foundation
import SampleStore
import Testing

/// One receipt that two devices use at the same time for months, and one that nobody shares.
struct `The table fraud` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.write(TestExport.receipt(), to: "receipts/a.der")
        try export.write(TestExport.receipt(for: TestExport.otherPhone), to: "receipts/b.der")
        let rows = [
            "file,device_id,account_id,presented_at", "a.der,\(TestExport.phone.text),anna,2026-03-01",
            "a.der,\(TestExport.otherPhone.text),bert,2026-03-02", "b.der,\(TestExport.otherPhone.text),bert,",
            "a.der,\(TestExport.phone.text),anna,2026-05-01",
        ]
        try export.write(rows.joined(separator: "\n") + "\n", to: "receipts/devices.csv")
    }

    @Test func `has a row for each finding, the worst first`() throws {
        let rows = try export.audit("--report", "fraud=-").rows
        #expect(rows.map { $0["rule"] } == ["shared-receipt", "device-mismatch"])
        #expect(rows.first?["severity"] == "critical")
        #expect(rows.first?["subject"]?.hasPrefix("receipt:") == true)
        #expect(rows.first?["claims"] == "3")
        #expect(rows.first?["devices"] == "2")
        #expect(rows.first?["accounts"] == "2")
        #expect(rows.first?["sources"] == "devices.csv:2;devices.csv:3;devices.csv:5")
        let claims = try export.audit("--report", "-").rows.map { $0["case_id"] ?? "" }
        #expect(rows.last?["subject"] == "claim:" + claims[1])
        #expect(rows.map { $0["change"] } == ["", ""], "there is nothing to compare with")
    }

    @Test func `is joined with the claims that it is about`() throws {
        let rows = try export.audit("--report", "-").rows
        // The claims of the device that the receipt was made for are not to blame for what others submit.
        #expect(rows.map { $0["risk"] } == ["info", "critical", "", "info"])
        #expect(
            rows.map { $0["rules"] } == [
                "shared-receipt", "device-mismatch;shared-receipt", "", "shared-receipt",
            ])
        #expect(rows.map { $0["verdict"] } == ["valid", "invalid", "valid", "valid"])
    }

    @Test func `says the same as JSON, as NDJSON and as CSV`() throws {
        let run = try export.audit(
            "--report", "fraud=" + export.path("f.json"), "--report", "fraud=" + export.path("f.ndjson"),
            "--report", "fraud=" + export.path("f.csv"), "--report", export.path("r.json"))
        #expect(run.exitCode == 0)
        let array = try #require(try json("f.json") as? [[String: Any]])
        let lines = try #require(export.text(of: "f.ndjson")).split(separator: "\n").map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary
        }
        #expect(lines == array.map { $0 as NSDictionary })
        let rows = table(try #require(export.text(of: "f.csv")))
        #expect(array.map { $0["subject"] as? String } == rows.map { $0["subject"] })
        #expect(array.map { $0["devices"] as? Int } == [2, 1])
        #expect(array.allSatisfy { $0["first_seen"] as? String == "2026-06-30T00:00:00Z" })
        let receipts = try #require(try json("r.json") as? [[String: Any]])
        #expect(receipts.map { $0["risk"] as? String } == ["info", "critical", nil, "info"])
        #expect(receipts.map { $0["purchases"] as? Int } == [0, 0, 0, 0])
    }

    @Test(arguments: [("critical", 1), ("low", 1)])
    func `ends the run with 1 if a finding is as bad as asked for`(severity: String, code: Int32) throws {
        let run = try export.audit("--fail-on", severity, "--report", export.path("f.csv"))
        #expect(run.exitCode == code)
        #expect(export.text(of: "f.csv") != nil)
    }

    @Test func `ends it with 0 if none is`() throws {
        try export.write("version: 1\nrules:\n  shared-receipt: off\n", to: "policy.yml")
        #expect(try export.audit("--policy", export.path("policy.yml"), "--fail-on", "high").exitCode == 0)
        #expect(try export.audit("--policy", export.path("policy.yml"), "--fail-on", "medium").exitCode == 1)
    }

    @Test(arguments: ["subject", "finding_id"])
    func `leaves out what the policy allows, and the summary counts it`(column: String) throws {
        let mismatch = try #require(try export.audit("--report", "fraud=-").rows.last?[column])
        let policy = """
            version: 1
            allow:
              - subject: \(column == "subject" ? "" : "finding:")\(mismatch)
                reason: a phone of ours
            """
        try export.write(policy, to: "policy.yml")
        let run = try export.audit("--policy", export.path("policy.yml"), "--report", "-")
        #expect(run.rows.map { $0["rules"] } == ["shared-receipt", "shared-receipt", "", "shared-receipt"])
        #expect(run.messages.contains("allowed by the policy: 1 finding"))
    }

    @Test func `is not begun with a policy that is wrong`() throws {
        try export.write("version: 1\nrules:\n  shared-receit: off\n", to: "policy.yml")
        let run = try export.audit("--policy", export.path("policy.yml"), "--report", export.path("f.csv"))
        #expect(run.exitCode == 2)
        #expect(run.messages.contains("policy.yml:3:3"))
        #expect(run.messages.contains("shared-receipt"))
        #expect(try export.names(in: ".") == ["policy.yml", "receipts", "root.cer"])
    }

    private func json(_ name: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(try #require(export.text(of: name)).utf8))
    }
}

/// Findings that have severity, rule and subject in common: six transactions have one original transaction.
struct `Rows of fraud that tie` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        var lines = ""
        for (number, product) in ["gold", "silver"].enumerated() {
            var content = ReceiptContent(
                bundleID: "com.example.notes", device: TestExport.phone, createdAt: .utc(2024, 3, 1 + number))
            content.purchases = ["101", "1002", "103", "10004", "105", "106"].enumerated().map { number, id in
                var purchase = PurchaseContent(
                    .nonConsumable, productID: product, transactionID: id, purchasedAt: .utc(2024, 1, 1 + number))
                purchase.originalTransactionID = "100"
                purchase.webOrderLineItemID = 70 + number
                if number > 2 { purchase.cancelledAt = .utc(2024, 2, number) }
                return purchase
            }
            // To sort(1), an account goes on with the quotation mark that ends it in JSON.
            for account in ["ana", "ana!", "ana\"", "ana\u{0}"] {
                let claim = [
                    "receipt_data": Data(try TestExport.receipt(content)).base64EncodedString(), "account_id": account,
                    "device_id": TestExport.phone.text,
                ]
                lines += String(decoding: try JSONSerialization.data(withJSONObject: claim), as: UTF8.self) + "\n"
            }
        }
        try export.write(lines, to: "export.ndjson")
    }

    private var options: [String] { ["--as-of", "2026-06-30", "--root", export.root] }

    private func audit(workers: Int, memory: String = "64M") throws -> String {
        let run = try AuditProcess(
            ["run", "export.ndjson", "--report", "fraud=-", "--workers", "\(workers)", "--memory", memory] + options,
            in: export.folder)
        try #require(run.exitCode == 0, "\(run.messages)")
        return run.output
    }

    @Test func `are one row if their subjects are the same, with all of their evidence and events`() throws {
        let conflicts = table(try audit(workers: 1)).filter { $0["rule"] == "transaction-conflict" }
        #expect(conflicts.map { $0["subject"] } == ["transaction:100"])
        #expect(conflicts.map { $0["events"] } == ["6"])
        let evidence = (conflicts.first?["evidence"] ?? "").split(separator: "; ")
        #expect(evidence.count == 6 && Set(evidence).count == 6, "\(evidence)")
        #expect(evidence == evidence.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    @Test(arguments: [1, 3])
    func `come in one order from a run and from shards`(shards: Int) throws {
        let want = try audit(workers: 2)
        let sharded = try AuditProcess(
            script: ShardExport.script, ["-s", "\(shards)", "-o", "got", "export.ndjson", "--"] + options,
            environment: ["AUDIT": AuditProcess.path], in: export.folder)
        try #require(sharded.exitCode == 0, "\(sharded.messages)")
        let accounts = table(want).filter { $0["rule"] == "repeat-refunds" }.compactMap { $0["subject"] }
        #expect(accounts.count == 4)
        #expect(export.text(of: "got/fraud.csv") == want)
    }

    @Test func `of a version to come are refused, and named by their line`() throws {
        let row = #"{"table":"fraud","severity":"high","rule":"tomorrow","subject":"account:a","csv":",,,,,,,,"}"#
        let run = try AuditProcess(shell: "printf '\n%s\n' '\(row)' | \"$0\" rows fraud", [])
        #expect(run.exitCode == 2)
        #expect(run.messages.contains("line 2"))
    }
}

struct `A report that is compared with an earlier one` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.write(TestExport.receipt(), to: "receipts/a.der")
        try export.write(TestExport.receipt(for: TestExport.otherPhone), to: "receipts/b.der")
    }

    /// Each file with the devices that claim it.
    private func claim(_ claims: [(file: String, device: SampleDevice)]) throws {
        let rows = claims.map { "\($0.file),\($0.device.text)\n" }
        try export.write("file,device_id\n" + rows.joined(), to: "receipts/devices.csv")
    }

    /// Each finding as its rule and its change, sorted.
    private func changes(_ rows: [[String: String]]) -> [String] {
        rows.map { "\($0["rule"] ?? "") \($0["change"] ?? "")" }.sorted()
    }

    @Test(arguments: ["csv", "ndjson"])
    func `tells what is new, what persists and what is resolved`(format: String) throws {
        let (phone, other) = (TestExport.phone, TestExport.otherPhone)
        try export.write(TestExport.receipt(for: Self.third), to: "receipts/c.der")
        try claim([("a.der", phone), ("a.der", other), ("c.der", phone)])
        _ = try export.audit("--report", "fraud=" + export.path("1." + format))
        // Rows move. One mismatch persists, one is new, and one is of a claim that is not there. The sharing is over.
        try claim([("c.der", phone), ("b.der", phone), ("a.der", phone)])
        let second = try export.audit(
            "--baseline", export.path("1." + format), "--report", "fraud=-", "--report",
            "fraud=" + export.path("2." + format))
        #expect(second.exitCode == 0)
        #expect(
            changes(second.rows) == [
                "device-mismatch new", "device-mismatch persisting", "shared-receipt resolved",
            ])
        #expect(second.rows.map { $0["first_seen"] } == [String](repeating: "2026-06-30T00:00:00Z", count: 3))
        // A report that was itself compared can be compared with; what was resolved is forgotten.
        let third = try export.audit(
            "--baseline", export.path("2." + format), "--report", "fraud=-", "--as-of", "2026-07-04")
        #expect(third.rows.map { $0["change"] } == ["persisting", "persisting"])
        #expect(third.rows.map { $0["first_seen"] } == ["2026-06-30T00:00:00Z", "2026-06-30T00:00:00Z"])
    }

    @Test func `tells the same of a ledger, in which earlier claims are known`() throws {
        let (phone, other) = (TestExport.phone, TestExport.otherPhone)
        let state = ["--state", export.path("ledger.db"), "--report", "fraud=-"]
        func night(_ date: String, _ more: String...) throws -> [String] {
            let run = try AuditProcess(
                ["run", export.path("receipts"), "--root", export.root, "--as-of", date] + state + more)
            #expect(run.exitCode != 2, "\(run.messages)")
            return changes(run.rows)
        }
        try export.write(TestExport.receipt(for: Self.third), to: "receipts/c.der")
        try claim([("a.der", phone), ("a.der", other), ("c.der", phone)])
        #expect(try night("2026-06-29") == ["device-mismatch new", "device-mismatch new", "shared-receipt new"])
        try claim([("c.der", phone), ("a.der", phone)])
        #expect(try night("2026-06-30") == ["device-mismatch persisting", "shared-receipt persisting"])
        // What no rule finds any more is resolved where a claim of the run has the subject.
        try export.write("version: 1\nrules: {shared-receipt: off, device-mismatch: off}\n", to: "policy.yml")
        try claim([("a.der", phone)])
        #expect(try night("2026-07-01", "--policy", export.path("policy.yml")) == ["shared-receipt resolved"])
    }

    @Test func `tells what is resolved again where a run has the claims of the one before`() throws {
        let (phone, other) = (TestExport.phone, TestExport.otherPhone)
        let (earlier, ledger) = (export.path("earlier.csv"), export.path("ledger.db"))
        try claim([("a.der", phone), ("a.der", other), ("b.der", phone)])
        try export.write("version: 1\nrules: {shared-receipt: off}\n", to: "policy.yml")
        func night(_ date: String, _ more: [String]) throws -> AuditProcess {
            try AuditProcess(
                ["run", export.path("receipts"), "--root", export.root, "--as-of", date, "--state", ledger] + more)
        }
        _ = try night("2026-06-29", ["--report", "fraud=" + earlier])
        let policy = ["--policy", export.path("policy.yml"), "--report", "fraud=-"]
        let expected = ["device-mismatch persisting", "device-mismatch persisting", "shared-receipt resolved"]
        #expect(changes(try night("2026-06-30", policy).rows) == expected)
        #expect(changes(try night("2026-06-30", policy).rows) == expected)
        let compared = try night("2026-07-01", policy + ["--baseline", earlier])
        #expect(changes(compared.rows) == expected)
    }

    @Test(arguments: [true, false])
    func `fails a run for what is new, or for all that is known`(hasLedger: Bool) throws {
        let (phone, other) = (TestExport.phone, TestExport.otherPhone)
        try claim([("a.der", phone), ("a.der", other)])
        let first = export.path("1.csv")
        func code(_ date: String, _ more: String...) throws -> Int32 {
            let compared = hasLedger ? ["--state", export.path("ledger.db")] : ["--baseline", first]
            return try AuditProcess(
                ["run", export.path("receipts"), "--root", export.root, "--as-of", date] + compared + more
            ).exitCode
        }
        if hasLedger {
            #expect(try code("2026-06-30", "--fail-on", "medium") == 1)
            #expect(try code("2026-06-30", "--fail-on", "medium") == 1, "a second run for the night says the same")
        } else {
            _ = try export.audit("--report", "fraud=" + first)
        }
        #expect(try code("2026-07-01", "--fail-on", "medium") == 0)
        #expect(try code("2026-07-01", "--fail-on", "medium", "--fail-on-known") == 1)
        #expect(try code("2026-07-01", "--fail-on", "high", "--fail-on-known") == 0)
        try claim([("a.der", phone), ("a.der", other), ("a.der", Self.third)])
        #expect(try code("2026-07-02", "--fail-on", "medium") == 1, "another claim does not match")
    }

    private static let third = SampleDevice.vendorIdentifier(Array(0x30...0x3f))

    @Test(arguments: [
        ("receipts.csv", "source,file\r\na,b\r\n", "no column “severity”"),
        (
            "torn.csv", "severity,rule,subject,first_seen,change,finding_id,confidence,events\r\nhigh,x\r\n",
            "row 2 has 2 cells, not 8"
        ),
        ("words.ndjson", "hello\n", "line 1 is no finding"),
        ("report.txt", "", "the extension must be .csv or .ndjson"),
    ])
    func `is refused where there is no such report`(name: String, text: String, reason: String) throws {
        try export.write(text, to: name)
        let run = try export.audit("--baseline", export.path(name), "--report", export.path("out.csv"))
        #expect(run.exitCode == 2)
        #expect(run.messages.contains(reason), "\(run.messages)")
        #expect(export.text(of: "out.csv") == nil)
    }
}
