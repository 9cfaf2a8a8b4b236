import Foundation
import Testing

/// Exports as companies have them: one export in many forms, and exports that are not what they should be.
struct `An export of another form` {
    private let export: TestExport
    private let rows: [[String: String]]

    init() throws {
        let export = try TestExport()
        self.export = export
        try export.writeSample(count: 20, seed: 3)
        rows = try table(export.text(of: "sample/receipts/devices.csv") ?? "").map { row in
            var row = row
            let file = export.folder.appending(path: "sample/receipts/" + (row.removeValue(forKey: "file") ?? ""))
            let bytes = try Data(contentsOf: file)
            let text = String(decoding: bytes, as: UTF8.self)
            row["receipt_data"] = text.hasPrefix("eyJ") ? text : bytes.base64EncodedString()
            return row
        }
    }

    private func audit(_ input: String, _ more: String..., standardInput: Bool = false) throws -> AuditProcess {
        let options = ["--root", export.path("sample/root.cer"), "--as-of", "2026-06-30", "--quiet", "--report", "-"]
        let script = "cd \"$1\" && shift && exec \"$0\" \"$@\"" + (standardInput ? " < '\(input)'" : "")
        return try AuditProcess(
            shell: script, [export.folder.path(), "run", standardInput ? "-" : input] + options + more)
    }

    private func verdicts(_ run: AuditProcess) -> [[String?]] {
        run.rows.map { [$0["verdict"], $0["device_id"], $0["claim_id"]] }
    }

    private var lines: String {
        get throws {
            try rows.map { try String(decoding: JSONEncoder().encode($0), as: UTF8.self) + "\n" }.joined()
        }
    }

    private func cells(_ separator: String, _ names: [String: String] = [:]) -> String {
        let columns = (rows.first ?? [:]).keys.sorted()
        let all = [columns.map { names[$0] ?? $0 }] + rows.map { row in columns.map { row[$0] ?? "" } }
        let quoted = { (cell: String) in
            cell.contains { $0 == "\"" || separator.contains($0) } ? "\"\(cell.replacing("\"", with: "\"\""))\"" : cell
        }
        return all.map { $0.map(quoted).joined(separator: separator) + "\r\n" }.joined()
    }

    private func writeForms() throws -> [String] {
        let array = try "[" + lines.split(separator: "\n").joined(separator: ",\n") + "]"
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        let objects = try rows.map { try String(decoding: encoder.encode($0), as: UTF8.self) }.joined(separator: "\n")
        let forms = try [
            "lines.txt": lines, "lines": lines, "array.json": array, "objects.json": objects, "tabs.tsv": cells("\t"),
            "semicolons.csv": cells(";"), "table.txt": cells(","),
            "names.csv": cells(",", ["device_id": "IDFV", "receipt_data": "latestReceipt", "account_id": "User-ID"]),
        ]
        for (name, text) in forms { try export.write(text, to: name) }
        let packed = try AuditProcess(
            shell: "cd \"$1\" && gzip -c array.json > packed.json.gz && gzip -c table.txt > packed",
            [export.folder.path()])
        #expect(packed.exitCode == 0)
        return forms.keys.sorted() + ["packed.json.gz", "packed"]
    }

    @Test func `is read for what it is, as a file and on standard input`() throws {
        try export.write(lines, to: "export.ndjson")
        let expected = try audit("export.ndjson")
        #expect(expected.exitCode == 0 && expected.rows.count == 20)
        #expect(expected.rows.count { $0["verdict"] == "valid" } > 10)
        for name in try writeForms() {
            for standardInput in [false, true] {
                let run = try audit(name, standardInput: standardInput)
                #expect(run.exitCode == 0 && verdicts(run) == verdicts(expected), "\(name) \(run.messages)")
            }
        }
        let sources = try audit("array.json").rows.map { $0["source"] }
        #expect(sources == (1...20).map { "array.json:\($0)" })
    }

    @Test func `is read by the names that --columns gives, and then known by a ledger under these only`() throws {
        let names = ["device_id": "a", "receipt_data": "b", "device_verification_id": "c"]
        try export.write(cells(",", names), to: "other.csv")
        let refused = try audit("other.csv")
        #expect(refused.exitCode == 2 && refused.messages.contains("--columns receipt_data=NAME"))
        let state = ["--state", export.path("own/ledger.db")]
        let first = try audit("other.csv", "--columns", "receipt_data=b", state[0], state[1])
        #expect(first.exitCode == 0 && first.rows.allSatisfy { $0["guid"] == "not-checked" })
        let second = try audit("other.csv", "--columns", "receipt_data=b,device_id=a", state[0], state[1])
        #expect(second.rows.contains { $0["guid"] == "match" })
    }

    @Test(arguments: [
        ("UTF-16", "iconv -f UTF-8 -t UTF-16", "iconv -f UTF-16 -t UTF-8"), ("bzip2", "bzip2 -c", "bunzip2"),
        ("a tar archive", "tar -cf - lines", "tar -xf"),
    ])
    func `is refused with the command that converts it`(kind: String, command: String, remedy: String) throws {
        try export.write(lines, to: "lines")
        let made = try AuditProcess(
            shell:
                "cd \"$1\" && (command -v \(command.prefix { $0 != " " }) > /dev/null || exit 9) && \(command) < lines > packed",
            [export.folder.path()])
        guard made.exitCode == 0 else { return }
        for standardInput in [false, true] {
            let run = try audit("packed", standardInput: standardInput)
            #expect(run.exitCode == 2 && run.output == "")
            #expect(run.messages.contains(kind) && run.messages.contains(remedy), "\(run.messages)")
        }
    }

    @Test func `is refused as a folder of tables`() throws {
        try export.write(lines, to: "tables/a.ndjson")
        try export.write(cells(","), to: "tables/b.csv")
        let run = try audit("tables")
        #expect(run.exitCode == 2 && run.messages.contains("tables: contains tables instead of receipts"))
        try export.write("MIIB", to: "tables/c.b64")
        // None of the files is a proof.
        #expect(try audit("tables").exitCode == 3)
    }
}

/// A run's messages about inputs that are not as they should be. The reports are written all the same.
struct `Inputs that are not what they should be` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.writeSample(count: 12, seed: 4)
    }

    private func audit(_ arguments: String...) throws -> AuditProcess {
        try AuditProcess(
            [
                "run", "--root", export.path("sample/root.cer"), "--as-of", "2026-06-30", "--quiet", "--report",
                export.path("own/out.csv"),
            ] + arguments)
    }

    @Test func `are named with their cause, which no other hint contradicts`() throws {
        let receipts = try table(export.text(of: "sample/receipts/devices.csv") ?? "").compactMap { row -> Data? in
            let bytes = try Data(contentsOf: export.folder.appending(path: "sample/receipts/" + (row["file"] ?? "")))
            return bytes.first == 0x30 ? bytes : nil
        }
        let receipt = try #require(receipts.map { $0.base64EncodedString() }.first { $0.contains("+") })
        let rows = (0..<12).map { "\($0),\(receipt.replacing("+", with: " ")),4C4C4544-0051-3010-8052-B4C04F4E3432\n" }
        try export.write("id,receipt_data,device_id\n" + rows.joined(), to: "blanks.csv")
        let run = try audit(export.path("blanks.csv"))
        #expect(run.exitCode == 3 && run.messages.contains("blanks instead of +"), "\(run.messages)")
        for other in ["did you mean", "truncated", "is there a column device_id", "audit inspect"] {
            #expect(!run.messages.contains(other), "\(run.messages)")
        }
    }

    private var reported: Int? { export.text(of: "own/out.csv").map { table($0).count } }

    @Test func `are a failure of their own if one is empty, unless that is accepted`() throws {
        try export.write("", to: "empty.ndjson")
        try export.write("receipt_data,device_id\n", to: "header.csv")
        for name in ["empty.ndjson", "header.csv"] {
            let run = try audit(export.path("sample/receipts"), export.path(name))
            #expect(run.exitCode == 3 && run.messages.contains("\(name) has no claims (--allow-empty"))
            #expect(reported == 12)
            #expect(try audit(export.path(name), "--allow-empty").exitCode == 0)
        }
    }

    @Test func `are one if there are fewer claims than a night has`() throws {
        let run = try audit(export.path("sample/receipts"), "--min-claims", "13")
        #expect(run.exitCode == 3 && run.messages.contains("12 claims, fewer than --min-claims 13"))
        #expect(try audit(export.path("sample/receipts"), "--min-claims", "12").exitCode == 0)
    }

    @Test func `are one if most claims are unreadable, and the likely cause is named`() throws {
        let rows = { (count: Int) in "receipt_data\n" + String(repeating: "no receipt\n", count: count) }
        try export.write(rows(10), to: "ten.csv")
        try export.write(rows(1), to: "one.csv")
        let run = try audit(export.path("ten.csv"))
        #expect(run.exitCode == 3 && reported == 10)
        #expect(run.messages.contains("10 of 10 claims are unreadable, 10 for unknown-format: receipt_data"))
        #expect(try audit(export.path("one.csv")).exitCode == 3)
        #expect(try audit(export.path("ten.csv"), "--max-unreadable", "1").exitCode == 0)
        #expect(try audit(export.path("ten.csv"), "--max-unreadable", "1.5").exitCode == 64)
    }

    @Test func `are one if most claims of one INPUT are unreadable, however many others are readable`() throws {
        try export.write("receipt_data\n" + String(repeating: "no receipt\n", count: 10), to: "ten.csv")
        let run = try audit(export.path("sample/receipts"), export.path("ten.csv"), "--max-unreadable", "0.9")
        #expect(run.exitCode == 3 && reported == 22)
        #expect(run.messages.contains("ten.csv: 10 of 10 claims are unreadable"), "\(run.messages)")
        #expect(!run.messages.contains("receipts: "), "\(run.messages)")
    }

    @Test func `are warned of if most were created after the as-of date`() throws {
        let run = try audit(export.path("sample/receipts"), "--as-of", "2020-01-01")
        #expect(run.exitCode == 3)
        #expect(
            run.messages.contains("claims were created after the as-of date 2020-01-01T00:00:00Z"), "\(run.messages)")
        #expect(try !audit(export.path("sample/receipts")).messages.contains("as-of date"))
    }

    @Test func `are what --format says, also in a job, whatever their first bytes are`() throws {
        try export.write("{\"receipt_data\":1\nTQ\n", to: "odd.csv")
        for options in [["--format", "csv"], ["--format", "csv", "--columns", "receipt_data={\"receipt_data\":1"]] {
            let run = try AuditProcess(["run", export.path("odd.csv"), "--report", "-", "--quiet"] + options)
            // The one has no column that is known; the other names it.
            #expect(run.exitCode == (options.count == 2 ? 2 : 3) && run.rows.count == (options.count == 2 ? 0 : 1))
        }
        try export.write(#"{"receipt_data":"TQ"}"#, to: "object")
        #expect(
            try AuditProcess("run", export.path("object"), "--report", "-").rows.map { $0["source"] } == ["object:1"])
        let proof = try AuditProcess("run", export.path("object"), "--format", "proof", "--report", "-")
        #expect(proof.rows.map { $0["source"] } == ["object"])
        try export.write("version: 1\ninputs: object\nformat: proof\nreports: own/o.csv\n", to: "job.yml")
        #expect(try AuditProcess("run", "--job", export.path("job.yml"), "--quiet").exitCode == 3)
        #expect(export.text(of: "own/o.csv")?.contains("\nobject,object,") == true)
        #expect(try audit(export.path("object"), "--format", "xml").exitCode == 64)
    }

    @Test func `are refused if they wrap claims in an object, with the command that unwraps them`() throws {
        try export.write(#"{"next":null,"data":[{"receipt_data":"TQ"}]}"#, to: "page.json")
        let run = try audit(export.path("page.json"))
        #expect(run.exitCode == 2 && run.messages.contains(".. | arrays | .[] | objects"), "\(run.messages)")
    }

    @Test func `are refused with a command that does not write over them`() throws {
        try export.write("\u{1e}{\"receipt_data\":\"TQ\"}\n", to: "export.ndjson")
        let run = try AuditProcess(["run", "export.ndjson"], in: export.folder)
        #expect(run.messages.contains("< export.ndjson > converted.ndjson"), "\(run.messages)")
    }

    @Test func `are one whatever was found`() throws {
        let run = try audit(export.path("sample/receipts"), "--min-claims", "13", "--fail-on", "info")
        #expect(run.exitCode == 3)
    }

    @Test func `are warned of, with --quiet, too, if a column is nearly known, or an INPUT named twice`() throws {
        try export.write("recept_data,receipt_data,Device,nothing\n,TQ,,\n", to: "a.csv")
        let run = try audit(export.path("a.csv"), export.path("./a.csv"))
        #expect(run.exitCode == 3)
        #expect(run.messages.contains("the unknown column “recept_data” is ignored; did you mean “receipt_data”?"))
        #expect(!run.messages.contains("“nothing”"))
        #expect(run.messages.contains("a.csv is named twice among the INPUTs"))
    }

    @Test func `are warned of, with --quiet, too, if none has a column that --columns names`() throws {
        try export.write("receipt_data,customer\nTQ,x\n", to: "a.csv")
        let run = try audit(export.path("a.csv"), "--columns", "account_id=custmer")
        #expect(run.exitCode == 3)
        let doubt = "--columns account_id=custmer: no INPUT has that column; did you mean “customer”?"
        #expect(run.messages.contains(doubt), "\(run.messages)")
        #expect(run.messages.contains("“receipt_data”, “customer”"), "\(run.messages)")
        #expect(try audit(export.path("a.csv"), "--columns", "device_id=customer,account_id=customer").exitCode == 64)
    }

    @Test func `are not standard input twice`() throws {
        let run = try audit("-", "-")
        #expect(run.exitCode == 64 && run.messages.contains("standard input (-) is named twice"), "\(run.messages)")
    }

    @Test func `are refused if they are a single file that is none`() throws {
        try export.write("{\"error\":\"unauthorized\"}", to: "error.json")
        try export.write("<!doctype html><title>Sign in</title>", to: "page")
        for name in ["error.json", "page"] {
            let run = try audit(export.path(name))
            #expect(run.exitCode == 2 && run.messages.contains("\(name): is ") && reported == nil, "\(run.messages)")
            #expect(try audit(export.path(name), "--format", "proof").exitCode == 3)
            #expect(try AuditProcess(["inspect", export.path(name)]).exitCode == 2)
            try FileManager.default.removeItem(atPath: export.path("own/out.csv"))
        }
    }

    @Test func `are warned of if the manifest is not where it is read`() throws {
        let run = try audit(export.path("sample"))
        #expect(run.messages.contains("receipts/devices.csv is not read"))
        #expect(run.messages.contains("--devices"))
    }

    @Test func `are judged alike from a job file`() throws {
        try export.write(
            """
            version: 1
            inputs: sample/receipts
            min-claims: 13
            reports: own/out.csv
            """, to: "job.yml")
        #expect(try AuditProcess("run", "--job", export.path("job.yml"), "--quiet").exitCode == 3)
        try export.write("version: 1\ninputs: x\ncolumns: [device=x]\n", to: "job.yml")
        let run = try AuditProcess("run", "--job", export.path("job.yml"))
        #expect(run.exitCode == 2 && run.messages.contains("job.yml:3:11: there is no column “device”"))
    }
}
