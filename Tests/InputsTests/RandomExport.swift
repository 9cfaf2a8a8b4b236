import Corpus
import Encodings
import FoundationEssentials

@testable import Inputs

/// A small export whose shape is drawn from a seed.
struct RandomExport {
    struct Claim {
        let proof: [UInt8]
        let device: String
        let account: String
        let date: String
    }

    static let first = Instant(milliseconds: 1_215_648_000_000)
    static let last = Instant(milliseconds: 1_798_761_600_000)

    let claims: [Claim]
    /// The choices, for a message.
    private(set) var description = ""
    private var random: Seeded
    private let isClean: Bool
    private let container: String

    /// - Parameter isClean: whether it keeps to the documented forms.
    init(seed: UInt64, isClean: Bool = false) {
        var random = Seeded(state: seed)
        self.isClean = isClean
        claims = (0..<Int.random(in: 2...6, using: &random)).map { Self.claim($0, &random) }
        let documented = ["lines", "lines", "array", "pretty", ",", ";", "\t", "|"]
        let others = ["^", "\u{1}", "~", "commas", "nested", "text", "rows"]
        container = (isClean ? documented : documented + others).randomElement(using: &random) ?? ","
        description = container
        self.random = random
    }

    var ending: String { container.count == 1 ? "csv" : container == "lines" ? "ndjson" : "json" }

    private static func claim(_ index: Int, _ random: inout Seeded) -> Claim {
        func octets(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }
        let container: [UInt8] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02] + octets(89)
        let token = ["{\"alg\":\"ES256\"}", "{\"transactionId\":\"\(index)\"}"].map { url(Array($0.utf8)) }
        let proof =
            Bool.random(using: &random)
            ? [0x30, UInt8(container.count)] + container
            : Array((token + [url(octets(64))]).joined(separator: ".").utf8)
        return Claim(
            proof: proof, device: UUID(uuid: octets(16).uuid).uuidString, account: "user-\(1000 + index)",
            date: "2026-0\(Int.random(in: 1...6, using: &random))-1\(index)T10:2\(index):00Z")
    }

    private static func url(_ bytes: [UInt8]) -> String {
        base64(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Draws a documented choice or, less often, another one, and notes it.
    private mutating func draw<One>(_ what: String, _ documented: [One], _ others: [One] = []) -> One {
        // Most exports have one oddity, and few have many.
        let isOdd = !isClean && !others.isEmpty && Int.random(in: 0..<4, using: &random) == 0
        let all = isOdd ? others : documented
        let index = Int.random(in: all.indices, using: &random)
        description += ", \(what) \(isOdd ? "odd " : "")\(index)"
        return all[index]
    }

    mutating func bytes() -> [UInt8] {
        var columns: [String] = []
        for (name, documented, others) in Self.names { columns.append(draw(name, documented, others)) }
        let forms = Self.forms
        let proof = draw("proof", forms.proofs, forms.otherProofs)
        let device = draw("device", forms.devices, forms.otherDevices)
        let account = draw("account", forms.accounts, forms.otherAccounts)
        let date = draw("date", forms.dates, forms.otherDates)
        let rows = claims.map { [proof($0.proof), device($0.device), account($0.account), date($0.date)] }
        var text = Array(written(columns, rows).utf8)
        let cut = draw("cut", [false], [true])
        // Inside of the last row, and not of its last cell.
        if cut { text.removeLast(min(text.count - 1, Int.random(in: 40...120, using: &random))) }
        text = draw("octets", Self.plain, Self.encodings)(text)
        return draw("gzip", [false, true]) ? gzip(text) : text
    }

    private mutating func written(_ columns: [String], _ rows: [[Value]]) -> String {
        let order = draw("order", [[0, 1, 2, 3], [3, 2, 0, 1], [1, 0, 2, 3]])
        let end = draw("end", ["\n", "\r\n"], ["\r"])
        if container.count == 1 {
            let quote = draw("quotes", ["\"", ""], ["'"])
            let cells = [order.map { columns[$0] }] + rows.map { row in order.map { row[$0].cell } }
            return cells.map { line in
                line.map { cell in
                    let needed = cell.contains { "\"\n\r".contains($0) } || cell.contains(container)
                    let mark = needed ? "\"" : container == "\t" ? "" : quote
                    return mark + (mark == "\"" ? cell.replacing("\"", with: "\"\"") : cell) + mark
                }.joined(separator: container)
            }.map { $0 + end }.joined()
        }
        let objects = rows.map { row in
            "{" + order.map { "\"\(columns[$0])\":\(row[$0].json)" }.joined(separator: ",") + "}"
        }
        let key = draw("key", ["data", "body", "payload"])
        switch container {
        case "lines": return objects.map { $0 + end }.joined()
        case "commas": return objects.map { $0 + "," + end }.joined()
        case "array": return "[" + objects.joined(separator: "," + end) + "]"
        case "pretty": return objects.map { $0.replacing(",\"", with: ",\(end)  \"") + end }.joined()
        case "nested": return objects.map { "{\"id\":\"7\",\"\(key)\":\($0)}" + end }.joined()
        case "text": return objects.map { "{\"\(key)\":\(Value.quoted($0))}" + end }.joined()
        default:
            let header = order.map { Value.quoted(columns[$0]) }.joined(separator: ",")
            let all = rows.map { row in "[" + order.map { row[$0].json }.joined(separator: ",") + "]" }
            return "{\"\(key)\":[[\(header)],\(all.joined(separator: ","))]}"
        }
    }
}

extension RandomExport {
    /// A value of JSON, and as the cell of a table.
    struct Value {
        let json: String
        let cell: String

        init(_ text: String) { (json, cell) = (Self.quoted(text), text) }

        init(json: String) { (self.json, cell) = (json, json) }

        static func quoted(_ text: String) -> String {
            "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
    }

    private static let names: [(String, [String], [String])] = [
        (
            "receipt", ["receipt_data", "receipt-data", "latestReceipt", "JWS", "transactionReceipt"],
            ["proof", "[receipt_data]", "`receipt`", "claims.receipt_data", "blob", " receipt_data "]
        ),
        (
            "device", ["device_id", "idfv", "Vendor-ID"],
            ["hardware", "[device_id]", "device.uuid", "installation", "hw_id"]
        ),
        ("account", ["account_id", "userId", "UID"], ["customer", "[account_id]", "login", "e_mail", "member no"]),
        ("date", ["presented_at", "receivedAt"], ["created", "ts", "[presented_at]", "when", "day"]),
    ]

    private struct Forms {
        let proofs, otherProofs: [([UInt8]) -> Value]
        let devices, otherDevices, accounts, otherAccounts, dates, otherDates: [(String) -> Value]
    }

    /// The text of a proof: a token as it is, and a receipt in base64.
    private static func text(_ proof: [UInt8]) -> String {
        proof[0] == 0x30 ? base64(proof) : String(decoding: proof, as: UTF8.self)
    }

    private static func object(_ text: String, _ form: String) -> Value {
        Value(json: form.replacing("%", with: Value.quoted(text)))
    }

    private static var forms: Forms {
        let milliseconds = { (date: String) in
            Instant(written: Array(date.utf8).span).map { $0.milliseconds } ?? 0
        }
        return Forms(
            proofs: [{ Value(text($0)) }],
            otherProofs: [
                { Value($0[0] == 0x30 ? "0x" + Hex.string($0.span) : text($0)) },
                { Value($0[0] == 0x30 ? "\\x" + Hex.string($0.span) : text($0)) }, { Value(Hex.string($0.span)) },
                { Value(base64(Array(text($0).utf8))) }, { Value(base64(gzip($0))) },
                { Value("\"\(text($0))\"") }, { Value("Optional(\"\(text($0))\")") },
                { Value("data:application/jose;base64," + base64($0)) }, { Value("Bearer " + text($0)) },
                { Value(text($0).replacing("+", with: " ")) }, { Value(text($0).replacing("/", with: "%2F")) },
                { Value(json: "[" + $0.map { "\($0)" }.joined(separator: ",") + "]") },
                { object(base64($0), "{\"$binary\":{\"base64\":%,\"subType\":\"00\"}}") },
                { object(text($0), "{\"S\":%}") }, { object(text($0), "{\"type\":\"jws\",\"value\":%}") },
                { Value(String(text($0).prefix(60))) }, { _ in Value("[FILTERED]") }, { _ in Value("") },
                { _ in Value(json: "null") },
            ],
            devices: [{ Value($0) }, { Value($0.lowercased()) }, { Value("{\($0)}") }, { Value("urn:uuid:\($0)") }],
            otherDevices: [
                { object($0, "{\"type\":\"idfv\",\"value\":%}") }, { object($0, "{\"S\":%}") }, { object($0, "[%]") },
                { object($0, "{\"id\":{\"value\":%}}") }, { object($0, "[{\"id\":%}]") }, { Value("idfv:\($0)") },
                { Value("Optional(\($0))") }, { Value(String($0.prefix(20))) },
            ],
            accounts: [{ Value($0) }],
            otherAccounts: [
                { object($0, "{\"type\":\"u\",\"value\":%}") }, { object($0, "{\"string\":%}") },
                { object($0, "{\"a\":{\"b\":%}}") },
            ],
            dates: [
                { Value($0) }, { Value($0.replacing("T", with: " ").replacing("Z", with: "+00")) },
                { Value(json: "\(milliseconds($0))") }, { Value(json: "\(milliseconds($0) / 1000)") },
                { Value($0.filter { $0.isNumber }) }, { Value($0.filter { !"-:".contains($0) }) },
            ],
            otherDates: [
                { object($0, "{\"$date\":%}") }, { object($0, "{\"seconds\":1,\"text\":%}") },
                { Value($0.prefix(10).split(separator: "-").reversed().joined(separator: ".")) },
                { Value(String($0.prefix(16)).replacing("-", with: "/").replacing("T", with: " ")) },
                { Value(json: "\((milliseconds($0) / 1000) - 978_307_200)") }, { _ in Value(json: "46163.4166") },
                { object($0, "[%]") }, { Value(json: "\(milliseconds($0) * 1000)") },
            ])
    }

    private static let plain: [@Sendable ([UInt8]) -> [UInt8]] = [{ $0 }, { [0xef, 0xbb, 0xbf] + $0 }]
    private static let encodings: [@Sendable ([UInt8]) -> [UInt8]] = [
        { [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf] + $0 }, { [0xff, 0xfe] + $0.flatMap { [$0, 0] } },
        { $0.flatMap { [0, $0] } }, { Array(Data($0).base64EncodedString().utf8) },
        { gzip(gzip($0)) }, { Array("2026-06-30 info ".utf8) + $0 }, { Array("# export\n".utf8) + $0 },
        { Array("\n\n".utf8) + $0 }, { $0 + [0x1a] }, { $0 + [0, 0, 0] },
    ]
}

extension [UInt8] {
    fileprivate var uuid: uuid_t {
        (
            self[0], self[1], self[2], self[3], self[4], self[5], self[6], self[7], self[8], self[9], self[10],
            self[11], self[12], self[13], self[14], self[15]
        )
    }
}
