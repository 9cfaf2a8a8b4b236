import Corpus
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
                "receipt_data": text.hasPrefix("eyJ") || text.hasPrefix("MII") ? text : bytes.base64EncodedString(),
                "device_id": row["device_id"] ?? "", "account_id": "user-\(row["device_id"]?.suffix(4) ?? "")",
                "presented_at": "2026-05-21T10:00:00Z",
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
        ("another name", { try lines($0.map { renamed($0, "proof-1") }) }),
        ("an object with another name", { try lines($0.map { nested($0, "v", "local") }) }),
        ("changes", { try lines($0.map { ["before": $0, "after": $0] }) }),
        ("a request beside its sender", { try lines($0.map { nested($0, "request", "receipt-data") }) }),
        (
            "hits",
            {
                try json(
                    ["took": 1, "hits": ["hits": $0.map { ["_id": "1", "_source": $0] as [String: Any] }]]
                        as [String: Any])
            }
        ),
        (
            "rows with the answer's date",
            {
                try json(
                    ["received_at": "2026-05-21T10:00:00Z", "rows": $0.map { without($0, "presented_at") }]
                        as [String: Any])
            }
        ),
        ("objects under keys", { try json(Dictionary(uniqueKeysWithValues: $0.enumerated().map { ("-N\($0)", $1) })) }),
        ("Google Sheets", { try json(["range": "A1:D13", "values": [names] + cells($0)] as [String: Any]) }),
        ("an array of rows", { try json([names] + cells($0)) }),
        ("pandas, split", { #"{"columns":\#(try json(names)),"index":[0,1,2,3,4,5],"data":\#(try json(cells($0)))}"# }),
        (
            "pandas, columns",
            { claims in
                try json(Dictionary(uniqueKeysWithValues: names.map { name in (name, claims.map { $0[name] ?? "" }) }))
            }
        ),
        (
            "BigQuery",
            { claims in
                #"{"schema":{"fields":\#(try json(names.map { ["name": $0, "type": "STRING"] }))},"rows":\#(try json(cells(claims).map { ["f": $0.map { ["v": $0] }] }))}"#
            }
        ),
        (
            "key and value",
            {
                try lines(
                    $0.map {
                        [
                            "event": "verify",
                            "event_params": $0.map {
                                ["key": $0.key, "value": ["string_value": $0.value]] as [String: Any]
                            },
                        ] as [String: Any]
                    })
            }
        ),
        ("Avro", { try lines($0.map { $0.mapValues { ["string": $0] } }) }),
        (
            "a date beside the claim",
            {
                try lines(
                    $0.map {
                        ["presented_at": $0["presented_at"] ?? "", "detail": without($0, "presented_at")]
                            as [String: Any]
                    })
            }
        ),
        (
            "an account beside a list, inside of a page",
            { claims in
                try lines(
                    claims.map {
                        [
                            "page": ["account_id": $0["account_id"] ?? "", "items": [without($0, "account_id")]]
                                as [String: Any]
                        ]
                    })
            }
        ),
        ("strings of JSON", { try json($0.map { try json($0) }) }),
        (
            "an account and a date under keys that only look like them",
            {
                try lines(
                    $0.map { claim -> [String: Any] in
                        [
                            "@timestamp": claim["presented_at"] ?? "", "level": "info",
                            "customer": claim["account_id"] ?? "",
                            "payload": without(without(claim, "account_id"), "presented_at"),
                        ]
                    })
            }
        ),
        (
            "a device and an account under one key",
            {
                try lines(
                    $0.map { claim -> [String: Any] in
                        [
                            "at": claim["presented_at"] ?? "", "v": ["receipt_data": claim["receipt_data"] ?? ""],
                            "device": ["id": claim["device_id"] ?? ""], "user": ["id": claim["account_id"] ?? ""],
                        ]
                    })
            }
        ),
    ]

    private static let names = ["receipt_data", "device_id", "account_id", "presented_at"]

    private static func cells(_ claims: [[String: String]]) -> [[String]] {
        claims.map { claim in names.map { claim[$0] ?? "" } }
    }

    private static func without(_ claim: [String: String], _ name: String) -> [String: String] {
        claim.filter { $0.key != name }
    }

    private static func renamed(_ claim: [String: String], _ name: String) -> [String: String] {
        without(claim, "receipt_data").merging([name: claim["receipt_data"] ?? ""]) { $1 }
    }

    private static func nested(_ claim: [String: String], _ name: String, _ key: String) -> [String: Any] {
        var outer: [String: Any] = without(claim, "receipt_data")
        outer[name] = [key: claim["receipt_data"] ?? ""]
        return outer
    }

    @Test(.enabled(if: hasJQ, "jq is not installed"), arguments: Exhaustive.cases(Array(shapes.indices), every: 4))
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
        for column in ["verdict", "device_id", "account_id", "presented_at", "receipt_sha256"] {
            #expect(
                Set(run.rows.map { $0[column] }) == Set(plain.rows.map { $0[column] })
                    && run.rows.count == plain.rows.count,
                "\(shape) \(column) \(command)")
        }
    }

    @Test(.enabled(if: hasJQ, "jq is not installed"))
    func `keep what is without an envelope after them, and the ids that are their keys`() throws {
        let options = ["--root", export.path("sample/root.cer"), "--as-of", "2026-06-30", "--report", "-"]
        func unwrapped(_ text: String) throws -> AuditProcess {
            try export.write(text, to: "in.json")
            let refused = try AuditProcess(["run", "in.json"] + options, in: export.folder)
            let start = try #require(refused.messages.range(of: "jq -c "), "\(refused.messages)")
            _ = try AuditProcess(
                script: "-c", [String(refused.messages[start.lowerBound...])],
                environment: ProcessInfo.processInfo.environment, in: export.folder)
            return try AuditProcess(["run", "export.ndjson"] + options, in: export.folder)
        }
        var late: [Any] = []
        for _ in 0..<40 { for claim in claims.prefix(5) { late.append(["data": claim]) } }
        late.append(claims[5])
        #expect(try unwrapped(try Self.lines(late)).rows.count == late.count)
        let byUser = claims.map { claim in (claim["account_id"] ?? "", claim.filter { $0.key != "account_id" }) }
        let keyed = try unwrapped(try Self.json(Dictionary(byUser) { $1 }))
        #expect(keyed.rows.count == Set(byUser.map(\.0)).count)
        let lines = try #require(export.text(of: "export.ndjson"))
        #expect(byUser.allSatisfy { lines.contains("\"key\":\"\($0.0)\"") }, "\(lines)")
    }

    @Test func `in a table that breaks off in a proof may not be all`() throws {
        let header = "device_id,receipt_data\n"
        let rows = claims.map { "\($0["device_id"] ?? ""),\(($0["receipt_data"] ?? "").filter { !$0.isWhitespace })" }
            .joined(separator: "\n")
        for cut in [0, 300] {
            try export.write(header + rows.dropLast(cut), to: "in.csv")
            let run = try AuditProcess(
                ["run", "in.csv", "--root", export.path("sample/root.cer"), "--as-of", "2026-06-30"], in: export.folder)
            #expect(run.messages.contains("the last row breaks off") == (cut > 0), "\(run.messages)")
            #expect(run.exitCode == (cut > 0 ? 3 : 0), "\(run.messages)")
        }
    }

    @Test func `in a second column of proofs are named, as it is not read`() throws {
        let rows = claims.map {
            "\($0["device_id"] ?? ""),,\(($0["receipt_data"] ?? "").filter { !$0.isWhitespace })\n"
        }
        .joined()
        try export.write("device_id,receipt_data,storekit2\n" + rows, to: "in.csv")
        let run = try AuditProcess(["run", "in.csv", "--as-of", "2026-06-30"], in: export.folder)
        #expect(
            run.messages.contains("“storekit2” (") && run.messages.contains("receipt_data=storekit2"), "\(run.messages)"
        )
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
        ("{\"error\":\"unauthorized\"}\n", "no signed token"),
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
