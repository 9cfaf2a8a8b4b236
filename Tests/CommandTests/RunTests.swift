import Foundation
import SampleStore
import Testing

struct `audit run` {
    private let export: TestExport

    init() throws { export = try TestExport() }

    @Test func `writes a row for each claim, in the manifest's order, then for files without a row`() throws {
        for name in ["b", "a", "c/d"] { try export.write(TestExport.receipt(), to: "receipts/\(name).der") }
        try export.write(
            "file,device_id\r\nc/d.der,\(TestExport.phone.text)\r\nb.der,\(TestExport.otherPhone.text)\r\n",
            to: "receipts/devices.csv")
        let run = try export.audit("--report", "-")
        #expect(run.exitCode == 0)
        #expect(run.rows.map { $0["source"] } == ["devices.csv:2", "devices.csv:3", "a.der"])
        #expect(run.rows.map { $0["verdict"] } == ["valid", "invalid", "valid"])
        #expect(run.rows.map { $0["guid"] } == ["match", "mismatch", "not-checked"])
        #expect(run.rows.map { $0["failed_checks"] } == ["", "guid-mismatch", ""])
    }

    @Test func `has the columns that scripts rely on`() throws {
        let run = try export.audit("--report", "-", "--allow-empty")
        #expect(
            run.output
                == "source,file,device_id,account_id,verdict,failed_checks,risk,rules,guid,environment,bundle_id,"
                + "app_version,original_app_version,created_at,expires_at,purchases,signer,digest,receipt_sha256,claim_id,"
                + "kind,claimed_bundle_id,claimed_app_version,claimed_product_id,presented_at,transaction_id,"
                + "original_transaction_id,app_transaction_id,case_id\r\n")
        #expect(run.exitCode == 0)
    }

    @Test(arguments: [
        ("receipt-empty", ""), ("unknown-format", "<html><body>502</body></html>"),
        ("unknown-format", "MIIB*AYJKoZIhvcNAQcC"),
        ("receipt-empty", " \n\r\n"),
    ])
    func `gives a file that holds no receipt one row with its code`(code: String, text: String) throws {
        try export.write(text, to: "receipts/bad.der")
        let run = try export.audit("--report", "-")
        #expect(run.rows.map { $0["failed_checks"] } == [code])
        #expect(run.rows.first?["verdict"] == "unreadable")
        // It is the only claim.
        #expect(run.exitCode == 3)
    }

    @Test func `gives a receipt cut short one row with its code`() throws {
        try export.write(Array(TestExport.receipt().dropLast(100)), to: "receipts/cut.der")
        #expect(try export.audit("--report", "-").rows.map { $0["failed_checks"] } == ["malformed-container"])
    }

    @Test func `refuses one byte over eight megabytes`() throws {
        try export.write([UInt8](repeating: 0x30, count: 8 << 20 | 1), to: "receipts/large.der")
        #expect(try export.audit("--report", "-").rows.map { $0["failed_checks"] } == ["receipt-unreadable"])
    }

    @Test(arguments: [
        ("missing.der", "receipt-not-found"), ("../../etc/passwd", "receipt-not-found"),
        ("/etc/passwd", "receipt-not-found"), ("out.der", "receipt-not-found"), ("../root.cer", "receipt-not-found"),
        ("inside.der", ""), ("folder", "receipt-unreadable"), ("fifo", "receipt-unreadable"),
    ])
    func `reads nothing outside the folder, and only regular files`(file: String, code: String) throws {
        let receipts = export.receipts
        try export.write(TestExport.receipt(), to: "outside.der")
        try export.write(TestExport.receipt(), to: "receipts/folder/real.der")
        let manager = FileManager.default
        try manager.createSymbolicLink(
            atPath: receipts.appending(path: "out.der").path(), withDestinationPath: "../outside.der")
        try manager.createSymbolicLink(
            atPath: receipts.appending(path: "inside.der").path(), withDestinationPath: "folder/real.der")
        #expect(unsafe mkfifo(receipts.appending(path: "fifo").path(), 0o600) == 0)
        try export.write("file,device_id\n\(file),\n", to: "receipts/devices.csv")
        let run = try export.audit("--report", "-")
        #expect(code.isEmpty || run.exitCode == 3, "of no use in most of its rows")
        #expect(run.rows.first?["source"] == "devices.csv:2")
        #expect(run.rows.first?["failed_checks"] == code)
        #expect(run.messages.contains("FIFO"))
    }

    @Test func `gives a malformed row its code, and goes on`() throws {
        try export.write(TestExport.receipt(), to: "receipts/a.der")
        try export.write(
            "file,device_id\na.der\na.der,\(TestExport.phone.text)\n", to: "receipts/devices.csv")
        let run = try export.audit("--report", "-")
        #expect(run.rows.map { $0["failed_checks"] } == ["row-malformed", ""])
        #expect(run.rows.map { $0["source"] } == ["devices.csv:2", "devices.csv:3"])
    }

    @Test func `names the input in each source when there are two`() throws {
        try export.write(TestExport.receipt(), to: "receipts/a.der")
        try export.write(TestExport.receipt(), to: "b.der")
        let run = try export.audit(export.path("b.der"), "--report", "-")
        #expect(run.rows.map { $0["source"] } == [export.path("receipts") + "/a.der", export.path("b.der")])
    }

    @Test func `disarms a formula in a device id`() throws {
        try export.write(TestExport.receipt(), to: "receipts/a.der")
        try export.write("file,device_id,account_id\na.der,=1+1,@x\n", to: "receipts/devices.csv")
        let row = try #require(try export.audit("--report", "-").rows.first)
        #expect(row["device_id"] == "'=1+1")
        #expect(row["account_id"] == "'@x")
        #expect(row["failed_checks"] == "device-id-malformed")
    }

    @Test func `gives the same bytes with any number of workers, in any locale and time zone`() throws {
        try export.writeSample(count: 200, seed: 9, forgeryShare: 0.3)
        var reports: Set<String> = []
        for (workers, environment) in [
            ("1", [:]), ("2", ["TZ": "Pacific/Auckland", "LC_ALL": "de_DE.UTF-8"]), ("16", ["LANG": "tr_TR.UTF-8"]),
        ] {
            let arguments = ["run", export.path("sample/receipts"), "--root", export.path("sample/root.cer")]
            let run = try AuditProcess(
                arguments + ["--as-of", "2026-06-30", "--workers", workers, "--report", "-"], environment: environment)
            #expect(run.rows.count == 200)
            reports.insert(run.output)
        }
        #expect(reports.count == 1)
    }
}

struct `A file whose name is not UTF-8` {
    @Test func `is audited, and named with a mark for what cannot be written`() throws {
        let export = try TestExport()
        let receipt = try TestExport.receipt()
        var name = Array(export.receipts.path().utf8.map { CChar(bitPattern: $0) })
        name += [0x2f, 0x61, CChar(bitPattern: 0xff), 0x62, 0]
        let file = unsafe open(name, O_CREAT | O_WRONLY, 0o600)
        #expect(unsafe write(file, receipt, receipt.count) == receipt.count)
        close(file)
        let run = try export.audit("--report", "-")
        #expect(run.rows.map { $0["file"] } == ["a\u{fffd}b"])
        #expect(run.rows.map { $0["verdict"] } == ["valid"])
    }
}
