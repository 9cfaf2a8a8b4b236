import Corpus
import Foundation
import SampleStore
import Testing

/// Receipts that a group passes around, some on each night.
struct `A ring whose receipts came on different nights` {
    private let export: TestExport

    init() throws { export = try TestExport() }

    private static func device(_ number: Int) -> SampleDevice {
        SampleDevice.vendorIdentifier([UInt8](repeating: UInt8(number), count: 16))
    }

    /// Writes claims to the receipt of an owner, and to copies of it by others, each from a device of their own.
    private func writeNight(_ number: Int, owner: String, _ others: [String]) throws {
        let content = ReceiptContent(
            bundleID: "com.example.notes", device: Self.device(number), createdAt: .utc(2026, 1, 1))
        let proof = Data(try TestExport.receipt(content)).base64EncodedString()
        let lines = ([owner] + others).enumerated().map { place, account in
            let device = place == 0 ? Self.device(number) : Self.device(100 + 10 * number + place)
            return """
                {"receipt_data":"\(proof)","device_id":"\(device.text)","account_id":"\(account)",\
                "presented_at":"2026-03-\(10 + number)T0\(place / 2):00:00Z"}\n
                """
        }
        try export.write(lines.joined(), to: "night-\(number).ndjson")
        let all = export.text(of: "all.ndjson") ?? ""
        try export.write(all + lines.joined(), to: "all.ndjson")
    }

    private func rows(_ input: String, day: Int, _ arguments: [String] = []) throws -> [[String: String]] {
        let run = try AuditProcess(
            [
                "run", export.path(input), "--root", export.root, "--report", "fraud=-", "--quiet", "--allow-empty",
                "--max-unreadable", "1", "--as-of", "2026-06-\(20 + day)",
            ] + arguments)
        try #require(run.exitCode == 0, "\(run.messages)")
        return run.rows
    }

    private func night(_ number: Int) throws -> [[String: String]] {
        try rows("night-\(number).ndjson", day: number, ["--state", export.path("ledger.db")])
    }

    private static func rings(_ rows: [[String: String]]) -> [String] {
        rows.filter { $0["rule"] == "fraud-ring" }.map { row in
            ["finding_id", "subject", "claims", "devices", "accounts", "confidence", "evidence"].map { row[$0] ?? "" }
                .joined(separator: " ")
        }
    }

    @Test func `is found on the night that completes it, as by a run over all claims`() throws {
        try writeNight(1, owner: "ann", ["xav", "yol"])
        try writeNight(2, owner: "bob", ["xav", "zoe"])
        #expect(Self.rings(try night(1)).isEmpty)
        let second = try night(2)
        #expect(Self.rings(second).count == 1)
        #expect(Self.rings(second) == Self.rings(try rows("all.ndjson", day: 2)))
        let known = second.filter { $0["rule"] == "shared-receipt" }.map { $0["change"] ?? "" }
        #expect(known.sorted() == ["new", "persisting"])
    }

    @Test func `is found whole if each night is connected with the one before only`() throws {
        try writeNight(1, owner: "ann", ["xav", "yol"])
        try writeNight(2, owner: "bob", ["xav", "zoe"])
        try writeNight(3, owner: "cat", ["zoe", "wil"])
        for number in 1...2 { _ = try night(number) }
        #expect(Self.rings(try night(3)) == Self.rings(try rows("all.ndjson", day: 3)))
    }

    @Test func `is not looked for by a night without any of its accounts`() throws {
        try writeNight(1, owner: "ann", ["xav", "yol"])
        try writeNight(2, owner: "bob", ["vic", "zoe"])
        _ = try night(1)
        let second = try night(2)
        #expect(Self.rings(second).isEmpty)
        #expect(second.filter { $0["rule"] == "shared-receipt" }.count == 1)
    }
}
