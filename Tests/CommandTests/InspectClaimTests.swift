import Foundation
import Testing

/// Claims of exports, inspected under the names that reports have for them.
struct `A claim of an export that is inspected` {
    private let export: TestExport
    private let rows: [[String: String]]

    init() throws {
        export = try TestExport()
        try export.writeSample(count: 20, seed: 3)
        rows = try AuditProcess(
            "run", export.path("sample/receipts"), "--root", export.path("sample/root.cer"), "--as-of", "2026-06-30",
            "--report", "-", "--quiet"
        ).rows
    }

    private func inspect(_ arguments: String...) throws -> AuditProcess {
        try AuditProcess(
            ["inspect"] + arguments + ["--root", export.path("sample/root.cer"), "--as-of", "2026-06-30"])
    }

    private func object(_ run: AuditProcess) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }

    @Test func `is found by its row and by its id, and judged as in the run`() throws {
        for row in rows {
            let source = try #require(row["source"])
            guard source.hasPrefix("devices.csv:") else { continue }
            let id = try #require(row["claim_id"])
            let byRow = try inspect(export.path("sample/receipts/" + source), "--json")
            let byID = try inspect("claim:" + id, "--in", export.path("sample/receipts"), "--json")
            for run in [byRow, byID] {
                let shown = try object(run)
                #expect(
                    shown["claim_id"] as? String == id && shown["verdict"] as? String == row["verdict"], "\(source)")
                let codes = (shown["failed_checks"] as? [String])?.joined(separator: ";")
                #expect(codes == row["failed_checks"], "\(source)")
                let claim = try #require(shown["claim"] as? [String: Any])
                #expect(claim["account_id"] as? String ?? "" == row["account_id"], "\(source)")
            }
            #expect(byRow.exitCode == ["valid": 0, "invalid": 1, "unreadable": 2][row["verdict"] ?? ""], "\(source)")
        }
    }

    @Test func `names the other rows that say the same`() throws {
        try export.write("receipt_data\nTQ==\nTWk=\nTQ==\nTQ==\n", to: "table.csv")
        let id = try #require(
            try object(inspect(export.path("table.csv:2"), "--json"))["claim_id"] as? String)
        let shown = try object(inspect("claim:" + id, "--in", export.path("table.csv"), "--json"))
        #expect(shown["receipt"] as? String == "table.csv:2")
        #expect(shown["also"] as? [String] == ["table.csv:4", "table.csv:5"])
        let text = try inspect("claim:" + id, "--in", export.path("table.csv"))
        #expect(
            text.output.contains("also     table.csv:4, table.csv:5\n") && text.output.contains("  claim    \(id)\n"))
    }

    @Test func `is found under the pseudonyms of a run`() throws {
        try export.write("0123456789abcdef0123456789abcdef", to: "key")
        let run = try AuditProcess(
            "run", export.path("sample/receipts"), "--root", export.path("sample/root.cer"), "--as-of", "2026-06-30",
            "--report", "-", "--quiet", "--pseudonymise", export.path("key"))
        let row = try #require(run.rows.first { $0["account_id"]?.hasPrefix("p-") == true })
        let target = "claim:" + (row["claim_id"] ?? "")
        #expect(try inspect(target, "--in", export.path("sample/receipts")).exitCode == 66)
        let found = try inspect(
            target, "--in", export.path("sample/receipts"), "--pseudonymise", export.path("key"), "--json")
        #expect(try object(found)["receipt"] as? String == row["source"])
    }

    @Test func `is unreadable as in the run if it is a token in base64 or hexadecimal, or another text`() throws {
        let row = try #require(rows.first { $0["kind"] == "transaction" && $0["verdict"] == "valid" })
        let token = try #require(export.text(of: "sample/receipts/" + (row["file"] ?? "")))
        for text in [token, "a.b.c"] {
            let digits = text.utf8.map { String(UInt16(256) + UInt16($0), radix: 16).dropFirst() }.joined()
            for form in [Data(text.utf8).base64EncodedString(), "\\x" + digits] {
                try export.write(form, to: "form")
                try export.write("receipt_data\n\(form)\n", to: "form.csv")
                let run = try AuditProcess(
                    "run", export.path("form.csv"), "--root", export.path("sample/root.cer"), "--as-of", "2026-06-30",
                    "--report", "-", "--quiet")
                #expect(run.rows.map { $0["verdict"] } == ["unreadable"])
                #expect(try object(inspect(export.path("form"), "--json"))["verdict"] as? String == "unreadable")
            }
        }
    }

    @Test func `is shown with a warning of a key that everybody can read`() throws {
        try export.write("0123456789abcdef0123456789abcdef", to: "key")
        for (mode, isOpen) in [(0o600, false), (0o644, true)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: export.path("key"))
            let found = try inspect(
                export.path("sample/receipts/devices.csv:2"), "--pseudonymise", export.path("key"), "--json")
            #expect(found.messages.contains("audit: warning: ") == isOpen, "\(found.messages)")
            #expect(found.messages.contains("key can be read by others") == isOpen, "\(found.messages)")
        }
    }

    @Test func `that is not there is said so`() throws {
        let row = try inspect(export.path("sample/receipts/devices.csv:999"))
        #expect(row.exitCode == 66 && row.messages.contains("devices.csv:999: no claim starts on this line"))
        let id = "claim:0123456789abcdef01234567"
        let claim = try inspect(id, "--in", export.path("sample/receipts"))
        #expect(claim.exitCode == 66 && claim.messages.contains("\(id): no claim of "))
    }

    @Test func `of a table that is not there is answered with the way to name it`() throws {
        let row = try inspect("devices.csv:2")
        #expect(row.exitCode == 66 && row.messages.contains("devices.csv:2: there is no file devices.csv here"))
        #expect(row.messages.contains("FOLDER/devices.csv:2"), "\(row.messages)")
        let answer = try inspect("devices.csv:2", "--json")
        #expect(answer.exitCode == 66 && answer.output.contains("not-found"), "\(answer.output)")
    }

    @Test func `is not a folder`() throws {
        let folder = try inspect(export.folder.path)
        #expect(folder.exitCode == 66 && folder.messages.contains("is a folder; "), "\(folder.messages)")
    }

    @Test func `is named with its line, and not together with a device`() throws {
        let table = export.path("sample/receipts/devices.csv")
        let whole = try inspect(table)
        #expect(whole.exitCode == 66 && whole.messages.contains("is an export; "), "\(whole.messages)")
        try export.write(#"[{"receipt_data":"TQ"}]"#, to: "array.json")
        #expect(try inspect(export.path("array.json")).messages.contains("is an export; "))
        try export.write(#"{"signature":"TQ","purchase-info":"TQ"}"#, to: "sent.json")
        #expect(try inspect(export.path("sent.json")).output.contains("UNREADABLE"))
        #expect(try inspect("claim:12", "--in", table).exitCode == 64)
        #expect(try inspect("claim:0123456789abcdef01234567").exitCode == 64)
        #expect(try inspect(table + ":2", "--device", "00:17:f2:c4:bc:c1").exitCode == 64)
        #expect(try inspect(export.path("sample/root.cer"), "--in", table).exitCode == 64)
    }
}
