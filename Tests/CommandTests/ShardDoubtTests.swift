import Corpus
import Foundation
import Testing

/// Inputs of shards that are not what they should be.
struct `An audit in shards of doubtful inputs` {
    @Test(
        arguments: Exhaustive.cases(
            [["--min-claims", "21"], ["--min-claims=21"], ["--max-unreadable", "0.01"]], every: 2))
    func `writes all reports, says why, and ends with 3, as a run does`(limits: [String]) throws {
        let export = try ShardExport(count: 20, seed: 9)
        try export.write(export.lines)
        let run = try export.shards(["export.ndjson"], shards: 2, limits: limits)
        let reason = limits[0].hasPrefix("--min") ? "20 claims, fewer than --min-claims 21" : "claims are unreadable"
        #expect(run.exitCode == 3 && run.messages.contains("audit: warning: "), "\(run.messages)")
        #expect(run.messages.contains(reason), "\(run.messages)")
        #expect(table(export.sample.text(of: "got/receipts.csv") ?? "").count == 20)
        #expect(export.sample.text(of: "got/summary.csv")?.isEmpty == false)
        let same = try AuditProcess(
            ["run", "export.ndjson", "--as-of", "2026-06-30", "--root", "root.cer", "--report", "out.csv"] + limits,
            in: export.sample.folder)
        #expect(same.exitCode == 3 && same.messages.contains(reason), "\(same.messages)")
    }

    @Test(arguments: [("receipts", "is a folder"), ("none.ndjson", "no such file")])
    func `is not begun where one cannot be read`(name: String, reason: String) throws {
        let run = try ShardExport(count: 1, seed: 9).shards([name], shards: 2)
        #expect(run.exitCode == 2 && run.messages.contains("\(name): \(reason)"), "\(run.messages)")
    }

    @Test func `does not take the step that reads evidence for an input that is empty`() throws {
        let export = try ShardExport(count: 20, seed: 9)
        try export.write(export.lines)
        try export.sample.write("{\"signedPayload\":\"eyJ.e.c\"}\n", to: "told.ndjson")
        let run = try export.shards(["export.ndjson"], shards: 2, evidence: ["told.ndjson"])
        // None of that evidence counts.
        #expect(run.exitCode == 3 && run.messages.contains("no evidence counts"), "\(run.messages)")
        #expect(!run.messages.contains("is empty"), "\(run.messages)")
        #expect(
            run.messages.contains("1 of 1 token of evidence is invalid or unreadable, and does not count"),
            "\(run.messages)")
    }

    @Test func `ends with 0 where all is as it should be`() throws {
        let export = try ShardExport(count: 20, seed: 9)
        try export.write(export.lines)
        #expect(try export.shards(["export.ndjson"], shards: 2, limits: ["--min-claims", "20"]).exitCode == 0)
    }

    /// INPUTs as they should not be, and what is said of them.
    struct Doubtful: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The bytes of each INPUT by its name.
        let inputs: [String: [UInt8]]
        /// The INPUTs as they are named, if not each once.
        var names: [String]?
        var options = ["--max-unreadable", "1"]
        let reasons: [String]
        var exitCode: Int32 = 0

        /// Twelve rows.
        static func rows(_ row: (Int) -> String) -> [UInt8] { Array((0..<12).map(row).joined().utf8) }

        private static let good = rows { "{\"receipt_data\":\"TQ==\",\"account_id\":\"\($0)\"}\n" }
        /// The last character of each account is that of Windows-1252.
        private static let latin: [UInt8] = good.map { (0x30...0x39).contains($0) ? 0xfc : $0 }
        private static let nullDevices = Array("receipt_data\tdevice_id\n".utf8) + rows { _ in "TQ==\tNULL\n" }
        private static let odd = rows {
            "{\"receipt_data\":\"e30=\",\"account_id\":\"\(["NULL", "nil", "1E+15"][$0 % 3])\",\"device_id\":\"web\","
                + "\"presented_at\":\([46_143.5, 800_000_000, 4e9][$0 % 3])}\n"
        }
        /// Readable receipts, with no column for devices.
        private static let withoutDevices: [UInt8] = {
            guard let receipt = try? TestExport.receipt() else { return [] }
            let text = Data(receipt).base64EncodedString()
            return rows { _ in "{\"receipt_data\":\"\(text)\"}\n" }
        }()
        private static let list = Array("{\"receipt_data\":\"TQ==\",\"ip\":[1]}\n".utf8)

        static let all = [
            Doubtful(
                testDescription: "mostly unreadable, one of two",
                inputs: ["a.ndjson": good, "b.ndjson": rows { _ in "x\n" }], options: [],
                reasons: [
                    "b.ndjson: 12 of 12 claims are unreadable, 12 for row-malformed", "a.ndjson: 12 of 12 claims",
                ],
                exitCode: 3),
            Doubtful(
                testDescription: "empty, one of two", inputs: ["a.ndjson": good, "b.ndjson": []],
                reasons: ["b.ndjson has no claims"], exitCode: 3),
            Doubtful(
                testDescription: "not UTF-8", inputs: ["a b.ndjson": latin],
                reasons: ["12 rows cannot be read, not being UTF-8", "iconv -f WINDOWS-1252 -t UTF-8 'a b.ndjson'"]),
            Doubtful(
                testDescription: "NULL", inputs: ["a.tsv": nullDevices],
                reasons: ["device_id of 12 rows is a placeholder and names no device (“NULL”)", "--null NULL"],
                exitCode: 3),
            Doubtful(
                testDescription: "receipts without devices", inputs: ["a.ndjson": withoutDevices],
                reasons: ["no claim's device was compared with its proof: is there a column device_id"]),
            Doubtful(
                testDescription: "placeholders, impossible dates and JSON", inputs: ["a.ndjson": odd],
                reasons: [
                    "account_id of 8 rows is a placeholder and names no account (“NULL”, “nil”)",
                    "account_id of 4 rows is in E notation (1E+15), which may name no account, but counts as one",
                    "device_id of 12 rows is a kind of device, not an id (“web”)",
                    "presented_at of 4 rows is ignored because it is before 2008-07-10: as days since 1900",
                    "presented_at of 4 rows is ignored because it is before 2008-07-10: as seconds since 2001",
                    "presented_at of 4 rows is ignored because it is more than a day after the as-of date",
                ], exitCode: 3),
            Doubtful(
                testDescription: "twice", inputs: ["a.ndjson": good], names: ["a.ndjson", "a.ndjson"],
                reasons: ["a.ndjson is named twice among the INPUTs"]),
            Doubtful(
                testDescription: "a key without text", inputs: ["a.ndjson": list],
                reasons: ["the value of “ip” of"]),
            Doubtful(
                testDescription: "a name that no INPUT has", inputs: ["a.ndjson": good],
                options: ["--max-unreadable", "1", "--columns", "ip=adress"],
                reasons: ["--columns ip=adress: no INPUT has that column"]),
        ]
    }

    @Test(arguments: Exhaustive.cases(Doubtful.all, every: 3))
    func `says of them what a run says`(doubtful: Doubtful) throws {
        let export = try ShardExport(count: 1, seed: 9)
        for (name, bytes) in doubtful.inputs { try export.sample.write(bytes, to: name) }
        let names = doubtful.names ?? doubtful.inputs.keys.sorted()
        let run = try AuditProcess(
            ["run"] + names + ["--as-of", "2026-06-30", "--root", "root.cer", "--report", "out.csv"]
                + doubtful.options,
            in: export.sample.folder)
        let sharded = try export.shards(names, shards: 2, limits: doubtful.options)
        let warnings = { (process: AuditProcess) in
            Set(process.messages.split(separator: "\n").filter { $0.hasPrefix("audit: warning: ") })
        }
        #expect(warnings(sharded) == warnings(run))
        #expect(sharded.exitCode == doubtful.exitCode && run.exitCode == doubtful.exitCode)
        for reason in doubtful.reasons { #expect(run.messages.contains(reason), "\(run.messages)") }
    }
}
