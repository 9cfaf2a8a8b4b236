import Foundation
import SampleStore
import Testing

/// Device, account and product ids are attackers' text.
struct `A run over hostile ids` {
    private static let texts = [
        "=1+1", "+cmd|' /C calc'!A0", " @SUM(A1)", "-2", "\t=1", "a\u{0}b", "line\r\nbreak", "\u{1b}[31mred\u{1b}[0m",
        "\u{202e}evil\u{2066}", "\u{85}\u{9b}31m", "\u{feff}", "\",\"", "'; DROP TABLE", "<script>alert(1)</script>",
        "é", "e\u{301}", String(repeating: "long ", count: 7000), "|", "0", "null",
    ]

    private let export: TestExport

    /// Two claims for each text: the same receipt, the same account and product, two devices.
    init() throws {
        export = try TestExport()
        let receipt = Data(try TestExport.receipt()).base64EncodedString()
        var lines = ""
        for text in Self.texts {
            for device in [TestExport.phone, TestExport.otherPhone] {
                let claim = [
                    "receipt_data": receipt, "device_id": device.text, "account_id": text, "product_id": text,
                ]
                lines += String(decoding: try JSONSerialization.data(withJSONObject: claim), as: UTF8.self) + "\n"
            }
            let claim = ["receipt_data": receipt, "device_id": text, "account_id": "a", "bundle_id": text]
            lines += String(decoding: try JSONSerialization.data(withJSONObject: claim), as: UTF8.self) + "\n"
        }
        try export.write(lines, to: "receipts.ndjson")
    }

    private func audit(_ arguments: String...) throws -> AuditProcess {
        try AuditProcess(
            ["run", export.path("receipts.ndjson"), "--root", export.root, "--as-of", "2026-06-30"] + arguments)
    }

    @Test func `breaks no group: each claim has its row, and the findings are those of harmless ids`() throws {
        let run = try audit("--report", "fraud=" + export.path("f.csv"), "--report", "-")
        #expect(run.exitCode == 0)
        #expect(run.rows.count == 3 * Self.texts.count)
        let shared = table(export.text(of: "f.csv") ?? "").filter { $0["rule"] == "shared-receipt" }
        #expect(shared.map { $0["devices"] } == ["2"])
        // All texts are accounts of their own, but the blank one and two placeholders; "a" is another. The other device's
        // claims do not match, and so do not count.
        let crowded = table(export.text(of: "f.csv") ?? "").filter { $0["rule"] == "crowded-device" }
        #expect(crowded.map { $0["subject"] } == ["device:\(TestExport.phone.text)"])
        #expect(crowded.map { $0["accounts"] } == ["\(Self.texts.count - 2)"])
    }

    @Test(arguments: ["receipts", "fraud"])
    func `gives no cell that a spreadsheet obeys`(name: String) throws {
        let run = try audit("--report", name + "=-")
        for (index, row) in run.rows.enumerated() {
            for (column, cell) in row {
                let start = cell.drop { $0 == " " }.unicodeScalars.first
                #expect(!["=", "+", "-", "@"].contains(start.map(String.init) ?? ""), "row \(index), \(column)")
                let isBroken = cell.unicodeScalars.contains { ["\t", "\r", "\u{0}"].contains($0) }
                #expect(!isBroken || cell.hasPrefix("'"), "row \(index), \(column)")
            }
        }
    }

    @Test(arguments: ["receipts", "fraud"])
    func `gives JSON that any reader can read`(name: String) throws {
        let run = try audit("--report", "\(name)=" + export.path("x.json"))
        #expect(run.exitCode == 0)
        let text = try #require(export.text(of: "x.json"))
        let rows = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
        #expect(rows?.isEmpty == false)
    }

    @Test func `says nothing to a terminal that it would obey`() throws {
        try export.write(
            "rules: {device-mismatch: {severity: low}}\nallow: [{subject: \"account:\\e[31m\", reason: none}]\n",
            to: "p.yml")
        let run = try audit("--policy", export.path("p.yml"), "--report", export.path("x.csv"))
        let obeyed = run.messages.unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x0a: false
            case ..<0x20, 0x7f..<0xa0, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
            default: false
            }
        }
        #expect(obeyed.isEmpty)
    }
}
