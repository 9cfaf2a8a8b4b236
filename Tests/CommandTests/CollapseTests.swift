import FoundationEssentials
import SampleStore
import Testing

/// Nights of a company that exports its claims again and again.
struct `A night` {
    private let export: TestExport
    private let receipts: [String]

    init() throws {
        export = try TestExport()
        receipts = try (0..<110).map { number in
            var content = ReceiptContent(
                bundleID: "com.example.notes", device: TestExport.phone, createdAt: .utc(2026, 3, 1))
            content.opaqueValue = [UInt8(number), 1, 2, 3]
            return Data(try TestExport.receipt(content)).base64EncodedString()
        }
    }

    /// An export's values for a device under each name of the column.
    private func write(
        _ count: Int = 110, device column: String = "device_id", presented: String = "2026-03-02",
        account: (Int) -> String? = { _ in nil }, to name: String = "claims.ndjson"
    ) throws {
        // One of the devices is another's.
        let lines = receipts.prefix(count).enumerated().map { number, receipt in
            let device = number == 0 ? TestExport.otherPhone : TestExport.phone
            let account = account(number).map { #","account_id":"\#($0)""# } ?? ""
            return
                #"{"receipt_data":"\#(receipt)","\#(column)":"\#(device.text)","presented_at":"\#(presented)"\#(account)}"#
                + "\n"
        }
        try export.write(lines.joined(), to: name)
    }

    private func writeAccounts(
        _ count: Int = 110, device column: String = "device_id", presented: String = "2026-03-02T10:00:00Z",
        prefix: String = "user-", to name: String = "claims.ndjson"
    ) throws {
        try write(count, device: column, presented: presented, account: { "\(prefix)\($0)" }, to: name)
    }

    private func audit(_ day: String, _ more: String..., name: String = "claims.ndjson") throws -> AuditProcess {
        try AuditProcess(
            ["run", export.path(name), "--root", export.root, "--as-of", day, "--report", "fraud=-", "--state"]
                + [export.path("ledger.db"), "--metrics", export.path("audit.prom"), "--quiet"] + more)
    }

    private func metric(_ name: String) -> String? {
        export.text(of: "audit.prom")?.split(separator: "\n").first { $0.hasPrefix(name + " ") }.map {
            String($0.dropFirst(name.count + 1))
        }
    }

    @Test(arguments: [90, 110])
    func `in which the devices have another column is doubtful, and says so everywhere`(count: Int) throws {
        try writeAccounts(count)
        #expect(try audit("2026-03-10").exitCode == 0)
        try writeAccounts(count, device: "vendor_uuid", to: "renamed.ndjson")
        let run = try audit("2026-03-11", "--report", export.path("page.html"), name: "renamed.ndjson")
        #expect(run.exitCode == 3)
        let reason = "\(count) of \(count) presentations of known proofs come without a device"
        #expect(run.messages.contains(reason), "\(run.messages)")
        #expect(metric(#"audit_complaints{reason="changed-claims"}"#) == "1")
        #expect(metric("audit_last_exit_code") == "3")
        #expect(metric(#"audit_new_findings{severity="critical"}"#) == "0")
        #expect(export.text(of: "page.html")?.contains("This run is doubtful") == true)
        let history = try AuditProcess("history", "--state", export.path("ledger.db"))
        #expect(history.output.contains("doubtful: nothing of com.example.notes in it counts"), "\(history.output)")
    }

    @Test(arguments: [
        ("device_id", "2026-03-02T10:00:00Z", "u_user-", "with another account id"),
        ("device_id", "2026-03-02T12:00:00Z", "user-", "with a date 2 h later"),
        ("device_id", "2026-03-02", "user-", "with a date cut to midnight"),
        ("vendor_uuid", "2026-03-02T10:00:00Z", "user-", "without a device"),
    ])
    func `that is doubtful counts for nothing, and the next one finds the same as before`(
        column: String, presented: String, prefix: String, reason: String
    ) throws {
        try writeAccounts()
        let first = try audit("2026-03-10")
        try writeAccounts(device: column, presented: presented, prefix: prefix)
        for day in ["2026-03-11", "2026-03-12"] {
            let run = try audit(day)
            #expect(run.exitCode == 3)
            #expect(run.messages.contains(reason), "\(run.messages)")
        }
        try writeAccounts()
        let next = try audit("2026-03-13")
        #expect(next.exitCode == 0, "\(next.messages)")
        let columns = ["finding_id", "rule", "severity", "claims", "evidence", "events", "first_seen"]
        func findings(_ run: AuditProcess) -> [[String?]] { run.rows.map { row in columns.map { row[$0] } } }
        #expect(findings(next) == findings(first))
        #expect(next.rows.allSatisfy { $0["change"] == "persisting" })
    }

    @Test func `that is doubtful counts once somebody accepts it`() throws {
        try writeAccounts()
        #expect(try audit("2026-03-10").exitCode == 0)
        try writeAccounts(prefix: "u_user-")
        #expect(try audit("2026-03-11").exitCode == 3)
        let accepted = try AuditProcess("history", "--state", export.path("ledger.db"), "--accept", "2")
        #expect(accepted.exitCode == 0, "\(accepted.messages)")
        #expect(try audit("2026-03-12").exitCode == 0)
        try writeAccounts(prefix: "account-")
        #expect(try audit("2026-03-13", "--accept").exitCode == 0)
        #expect(try audit("2026-03-14").exitCode == 0)
    }

    @Test func `in which ids were migrated sets apart an app with few accounts, or few known proofs, too`() throws {
        let few = try (0..<5).map { number in
            var content = ReceiptContent(
                bundleID: "com.example.small", device: TestExport.phone, createdAt: .utc(2026, 3, 1))
            content.opaqueValue = [UInt8(number), 1, 2, 3]
            return Data(try TestExport.receipt(content)).base64EncodedString()
        }
        func write(prefix: String) throws {
            try self.write(presented: "2026-03-02T10:00:00Z", account: { $0 < 40 ? "\(prefix)\($0)" : nil })
            let lines = few.enumerated().map { number, receipt in
                #"{"receipt_data":"\#(receipt)","presented_at":"2026-03-02","account_id":"\#(prefix)\#(number)"}"#
                    + "\n"
            }
            try export.write((export.text(of: "claims.ndjson") ?? "") + lines.joined(), to: "claims.ndjson")
        }
        try write(prefix: "user-")
        #expect(try audit("2026-03-10").exitCode == 0)
        try write(prefix: "u_user-")
        let run = try audit("2026-03-11")
        #expect(run.exitCode == 3)
        let change = "presentations of known proofs come with another account id"
        #expect(run.messages.contains("com.example.notes (receipts): 40 of 40 \(change)"), "\(run.messages)")
        #expect(run.messages.contains("com.example.small (receipts): 5 of 5 \(change)"), "\(run.messages)")
        try write(prefix: "user-")
        let next = try audit("2026-03-12")
        #expect(next.exitCode == 0 && !next.rows.contains { $0["change"] == "new" }, "\(next.rows)")
    }

    @Test func `in which one account presents most proofs, and in another way, is no doubt`() throws {
        func write(ofOne column: String, day: Int) throws {
            let lines = receipts.enumerated().map { number, receipt in
                let (account, name) = number < 30 ? ("user-\(number)", "device_id") : ("eve", column)
                let minute = 10 + (number < 30 ? number * day % 47 : 0)
                return
                    #"{"receipt_data":"\#(receipt)","\#(name)":"\#(TestExport.phone.text)","account_id":"\#(account)","presented_at":"2026-03-0\#(day)T10:\#(minute):00Z"}"#
                    + "\n"
            }
            try export.write(lines.joined(), to: "claims.ndjson")
        }
        try write(ofOne: "device_id", day: 2)
        #expect(try audit("2026-03-10").exitCode == 0)
        try write(ofOne: "vendor_uuid", day: 5)
        let run = try audit("2026-03-11")
        #expect(run.exitCode == 0, "\(run.messages)")
    }

    @Test func `in which claims are new, with devices or without, is no doubt`() throws {
        try writeAccounts(60)
        #expect(try audit("2026-03-10").exitCode == 0)
        let known = try #require(export.text(of: "claims.ndjson"))
        try writeAccounts(110, device: "vendor_uuid")
        let all = try #require(export.text(of: "claims.ndjson"))
        let new = all.split(separator: "\n").dropFirst(60).joined(separator: "\n")
        try export.write(known + new + "\n", to: "claims.ndjson")
        #expect(try audit("2026-03-11").exitCode == 0)
    }

    @Test func `without devices accuses nobody in the next one, though nothing tells that they are missing`() throws {
        func write(device column: String) throws {
            let lines = (1...4).map { day in
                #"{"receipt_data":"\#(receipts[0])","\#(column)":"\#(TestExport.phone.text)","presented_at":"2026-03-0\#(day)"}"#
                    + "\n"
            }
            try export.write(lines.joined(), to: "claims.ndjson")
        }
        try write(device: "vendor_uuid")
        #expect(try audit("2026-03-10").rows.map { $0["rule"] } == ["unattributed-replay"])
        try write(device: "device_id")
        let next = try audit("2026-03-11").rows
        #expect(next.filter { $0["change"] != "resolved" }.isEmpty, "\(next)")
    }

    @Test func `for a wrong day leaves nothing that hides what is new on the right one`() throws {
        try write(10)
        let expected = try audit("2026-03-11").rows.map { $0["change"] }
        #expect(expected == ["new"])
        _ = try AuditProcess(shell: #"rm "$1"/ledger.db* "$1"/audit.prom"#, [export.folder.path()])
        #expect(try audit("2020-03-11").exitCode == 3)
        #expect(try audit("2026-03-11").rows.map { $0["change"] } == expected)
    }

    @Test func `must have a share of devices, if somebody says so`() throws {
        try write(10, device: "vendor_uuid")
        let run = try audit("2026-03-10", "--min-devices", "0.5")
        #expect(run.exitCode == 3)
        #expect(
            run.messages.contains("the device of only 0 of 10 claims was compared, and --min-devices is 0.5"),
            "\(run.messages)")
        #expect(try audit("2026-03-10", "--min-devices", "0").exitCode == 0)
        #expect(try audit("2026-03-10", "--min-devices", "1.5").exitCode == 64)
    }

    @Test func `whose claims come after it is not the night that is meant`() throws {
        try write(presented: "2026-03-20")
        let run = try audit("2026-03-10")
        #expect(run.exitCode == 3)
        #expect(run.messages.contains("were presented more than a day after the as-of date"), "\(run.messages)")
        #expect(metric(#"audit_complaints{reason="after-as-of"}"#) == "1")
        #expect(try audit("2026-03-20").exitCode == 0)
    }

    @Test func `of which the ledger is gone is told so, once`() throws {
        try write(10)
        #expect(try audit("2026-03-10").exitCode == 0)
        #expect(try audit("2026-03-11").exitCode == 0)
        _ = try AuditProcess(shell: #"rm "$1/ledger.db"*"#, [export.folder.path()])
        let run = try audit("2026-03-12")
        #expect(run.exitCode == 3)
        #expect(run.messages.contains("this is run 1, and the metrics know run 2"), "\(run.messages)")
        #expect(metric(#"audit_complaints{reason="ledger"}"#) == "1")
        #expect(try audit("2026-03-13").exitCode == 0)
    }

    @Test func `for an earlier day makes no finding older, unless somebody says so`() throws {
        try write(10)
        let first = try audit("2026-03-10").rows
        #expect(!first.isEmpty)
        #expect(Set(try audit("2026-03-05").rows.map { $0["first_seen"] }) == ["2026-03-10T00:00:00Z"])
        let again = try audit("2026-03-05", "--rewrite-history").rows
        #expect(Set(again.map { $0["first_seen"] }) == ["2026-03-05T00:00:00Z"])
    }

    @Test func `that should not have been can be taken back`() throws {
        try write(10)
        #expect(try audit("2026-03-10").exitCode == 0)
        let before = try audit("2026-03-11").rows
        try write(10, presented: "2026-03-04")
        #expect(try audit("2026-03-12").exitCode == 0)
        let forgotten = try AuditProcess("forget", "--state", export.path("ledger.db"), "--run", "3")
        #expect(forgotten.exitCode == 0, "\(forgotten.messages)")
        let runs = try AuditProcess("history", "--state", export.path("ledger.db")).output
        #expect(!runs.contains("2026-03-12"), "\(runs)")
        try write(10)
        let after = try audit("2026-03-12").rows
        #expect(after.map { $0["claims"] } == before.map { $0["claims"] })
        #expect(after.map { $0["first_seen"] } == before.map { $0["first_seen"] })
        #expect(try AuditProcess("forget", "--state", export.path("ledger.db"), "--run", "3").exitCode == 2)
    }
}

struct `A folder among the inputs` {
    @Test func `must have a manifest, if somebody says so`() throws {
        let export = try TestExport()
        try export.write(TestExport.receipt(), to: "receipts/a.der")
        let options = ["run", export.path("receipts"), "--root", export.root, "--as-of", "2026-06-30", "--quiet"]
        let run = try AuditProcess(options + ["--require-manifest"])
        #expect(run.exitCode == 3)
        #expect(
            run.messages.contains("has no devices.csv with rows, but --require-manifest asks for it"),
            "\(run.messages)")
        #expect(try AuditProcess(options).exitCode == 0)
        try export.write("file,device_id\n", to: "receipts/devices.csv")
        #expect(try AuditProcess(options + ["--require-manifest"]).exitCode == 3)
        try export.write("file,device_id\na.der,\(TestExport.phone.text)\n", to: "receipts/devices.csv")
        #expect(try AuditProcess(options + ["--require-manifest"]).exitCode == 0)
    }
}
