import Foundation
import SampleStore
import Testing

/// Claims inside of what queues, streams and databases put around them: the run ends with 2 and the command that unwraps the
/// file, which is tried here.
struct `Claims in an envelope` {
    private static let hasJQ = ["/usr/bin/jq", "/usr/local/bin/jq", "/bin/jq"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private let export: TestExport
    private let claims: [[String: String]]

    init() throws {
        let export = try TestExport()
        self.export = export
        try export.writeSample(count: 6, seed: 5, forgeryShare: 0)
        claims = try table(export.text(of: "sample/receipts/devices.csv") ?? "").map { row in
            let bytes = try Data(contentsOf: export.folder.appending(path: "sample/receipts/" + (row["file"] ?? "")))
            let text = String(decoding: bytes, as: UTF8.self)
            return [
                "receipt_data": text.hasPrefix("eyJ") ? text : bytes.base64EncodedString(),
                "device_id": row["device_id"] ?? "",
            ]
        }
    }

    private static func json(_ value: Any) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: value), as: UTF8.self)
    }

    private static func lines(_ values: [Any]) throws -> String { try values.map { try json($0) + "\n" }.joined() }

    private static let shapes: [(String, @Sendable ([[String: String]]) throws -> String)] = [
        ("SQS", { try lines($0.map { ["MessageId": "1", "Body": try json($0)] }) }),
        ("SNS", { try lines($0.map { ["Type": "Notification", "Message": try json($0)] }) }),
        ("Lambda", { try json(["Records": $0.map { ["body": try json(["Message": try json($0)])] }]) }),
        (
            "Pub/Sub",
            { try lines($0.map { ["message": ["data": Data(try json($0).utf8).base64EncodedString(), "id": "1"]] }) }
        ),
        ("DynamoDB", { try lines($0.map { ["Item": $0.mapValues { ["S": $0] }] }) }),
        ("DynamoDB without Item", { try lines($0.map { $0.mapValues { ["S": $0] } }) }),
        ("a scan of DynamoDB", { try json(["Items": $0.map { $0.mapValues { ["S": $0] } }, "Count": 6]) }),
        ("Firestore", { try json(["documents": $0.map { ["fields": $0.mapValues { ["stringValue": $0] }] }]) }),
        ("Kafka", { try lines($0.map { ["topic": "t", "offset": 1, "value": try json($0)] as [String: Any] }) }),
        ("Segment", { try lines($0.map { ["userId": "u", "type": "track", "properties": $0] as [String: Any] }) }),
        (
            "another name",
            { try lines($0.map { ["proof-1": $0["receipt_data"] ?? "", "device_id": $0["device_id"] ?? ""] }) }
        ),
        (
            "an object with another name",
            {
                try lines(
                    $0.map {
                        ["v": ["local": $0["receipt_data"] ?? ""], "device_id": $0["device_id"] ?? ""] as [String: Any]
                    })
            }
        ),
        ("changes", { try lines($0.map { ["before": $0, "after": $0] }) }),
    ]

    @Test(.enabled(if: hasJQ, "jq is not installed"), arguments: shapes.indices)
    func `are unwrapped by the command in the message`(index: Int) throws {
        let (shape, make) = Self.shapes[index]
        try export.write(try make(claims), to: "in.json")
        try export.write(try Self.lines(claims), to: "plain.ndjson")
        let options = ["--root", export.path("sample/root.cer"), "--as-of", "2026-06-30", "--report", "-"]
        let refused = try AuditProcess(["run", "in.json"] + options, in: export.folder)
        #expect(refused.exitCode == 2 && refused.output == "", "\(shape) \(refused.messages)")
        let start = try #require(refused.messages.range(of: "jq -c "), "\(shape) \(refused.messages)")
        let command = String(refused.messages[start.lowerBound...])
        let unwrapped = try AuditProcess(
            script: "-c", [command], environment: ProcessInfo.processInfo.environment, in: export.folder)
        #expect(unwrapped.exitCode == 0, "\(shape) \(unwrapped.messages)")
        let run = try AuditProcess(["run", "export.ndjson"] + options, in: export.folder)
        let plain = try AuditProcess(["run", "plain.ndjson"] + options, in: export.folder)
        #expect(run.rows.map { $0["verdict"] } == plain.rows.map { $0["verdict"] }, "\(shape) \(command)")
        #expect(run.rows.map { $0["device_id"] } == claims.map { $0["device_id"] }, "\(shape) \(command)")
    }

    @Test func `that are evidence are named so`() throws {
        try export.write("{\"Body\":\"{\\\"signedPayload\\\":\\\"eyJh.eyJi.c2ln\\\"}\"}\n", to: "sqs.ndjson")
        let run = try AuditProcess("run", export.path("sqs.ndjson"), "--report", "-")
        #expect(run.exitCode == 2 && run.messages.contains("--evidence"))
    }
}

/// Evidence that says nothing, though it holds something.
struct `Evidence of which nothing counts` {
    private static func run(_ evidence: String, _ more: String...) throws -> AuditProcess {
        var story = try RefundStory()
        try story.claim(RefundStory.purchase(), ["account_id": "ana"])
        try story.write()
        try story.export.write(evidence, to: "e.ndjson")
        return try AuditProcess(
            [
                "run", story.export.path("claims.ndjson"), "--evidence", story.export.path("e.ndjson"), "--as-of",
                "2026-04-20",
            ]
                + story.options + more)
    }

    @Test(arguments: [
        ("{\"error\":\"unauthorized\"}\n", "row-malformed"),
        ("{\"signedPayload\":\"eyJhbGciOiJFUzI1NiJ9.e30\"}\n", "unknown-format"),
        ("eyJhbGciOiJub25lIn0.eyJhIjoxfQ.c2ln\n", "not-signed"),
    ])
    func `ends the run with 3 and says what it looks like, with --quiet too`(evidence: String, code: String) throws {
        for more in [[], ["--quiet"]] {
            let run = try more.isEmpty ? Self.run(evidence) : Self.run(evidence, "--quiet")
            #expect(run.exitCode == 3, "\(run.messages)")
            #expect(run.messages.contains("no evidence counts") && run.messages.contains(code), "\(run.messages)")
        }
    }

    @Test(arguments: ["[]\n", "", "{\"signedTransactions\":[],\"hasMore\":false}\n"])
    func `is a note if it says that there is nothing`(evidence: String) throws {
        #expect(try Self.run(evidence).exitCode == 0)
    }

    @Test func `does not end it if a token counts, a second time too`() throws {
        var story = try RefundStory()
        try story.claim(RefundStory.purchase(), ["account_id": "ana"])
        try story.tellRefund(on: 9)
        try story.write()
        let told = try #require(story.export.text(of: "told.jws"))
        try story.export.write(
            "{\"error\":\"x\"}\n{\"Body\":\"{\\\"p\\\":\\\"\(told.split(separator: "\n")[0])\\\"}\"}\n", to: "e.ndjson")
        for _ in 0..<2 {
            let run = try AuditProcess(
                [
                    "run", story.export.path("claims.ndjson"), "--evidence", story.export.path("e.ndjson"), "--as-of",
                    "2026-04-20", "--state", story.export.path("own/ledger.db"),
                ] + story.options)
            #expect(run.exitCode == 0, "\(run.messages)")
        }
    }
}
