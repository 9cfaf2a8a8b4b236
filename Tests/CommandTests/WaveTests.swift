import Corpus
import Foundation
import SampleStore
import Testing

/// Claims of many customers of one app that fail in the same way on the same days.
struct `A wave of claims that fail in the same way` {
    private let export: ShardExport
    private static let junk: [UInt8] = [0x41, 0x42]

    init() throws { export = try ShardExport(count: 1, seed: 1) }

    /// Returns a claim of a customer.
    ///
    /// - Parameters:
    ///   - padding: what follows the receipt.
    ///   - device: the number of the claimed device, if it is not the customer's.
    private func claim(
        _ customer: Int, padding: [UInt8] = [], device: Int? = nil, account: String? = nil, on date: String
    ) throws -> String {
        let id = { (number: Int) in [UInt8](repeating: 0x40, count: 14) + [UInt8(number >> 8), UInt8(number & 0xff)] }
        let receipt = try TestExport.receipt(for: .vendorIdentifier(id(customer)))
        let hex = id(device ?? customer).map { String(format: "%02x", $0) }.joined()
        let fields = [
            "receipt_data": Data(receipt + padding).base64EncodedString(), "device_id": hex,
            "account_id": account ?? "user-\(customer)", "presented_at": date,
        ]
        let json = try JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys])
        return String(decoding: json, as: UTF8.self)
    }

    private func run(_ lines: [String], _ options: String...) throws -> AuditProcess {
        try export.write(lines)
        try export.sample.write(TestExport.rootCertificate(), to: "receipts.cer")
        return try AuditProcess(
            ["run", "export.ndjson", "--root", "receipts.cer", "--as-of", "2026-06-30", "--report", "fraud=-"]
                + options,
            in: export.sample.folder)
    }

    private func findings(_ rule: String, in process: AuditProcess) throws -> [[String: String]] {
        process.rows.filter { $0["rule"] == rule }
    }

    @Test func `is at most medium and doubtful, and the run warns of it once`() throws {
        let lines = try (0..<20).map { try claim($0, padding: Self.junk, on: "2026-06-01") }
        let process = try run(lines)
        let found = try findings("altered-container", in: process)
        #expect(found.count == 20)
        #expect(Set(found.map { "\($0["severity"] ?? "") \($0["confidence"] ?? "")" }) == ["medium doubtful"])
        #expect(process.messages.components(separatedBy: "20 claims of known customers").count == 2)
        #expect(try run(lines, "--report", "entities=e.csv").exitCode == 0)
        #expect(!(export.sample.text(of: "e.csv") ?? "").contains("high"))
    }

    @Test(arguments: [[0, 0, 0], [0x0d, 0x0a], [0x20]] as [[UInt8]])
    func `is not needed where only padding follows a receipt`(padding: [UInt8]) throws {
        let found = try findings("altered-container", in: run([claim(1, padding: padding, on: "2026-06-01")]))
        #expect(found.map { "\($0["severity"] ?? "") \($0["confidence"] ?? "")" } == ["medium doubtful"])
    }

    @Test func `is none of fewer than twenty accounts`() throws {
        let lines = try (0..<40).map { try claim($0, padding: Self.junk, account: "user-\($0 % 19)", on: "2026-06-01") }
        #expect(try Set(findings("altered-container", in: run(lines)).map { $0["severity"] }) == ["high"])
    }

    @Test func `is none if most claims of that day do not fail`() throws {
        let lines =
            try (0..<20).map { try claim($0, padding: Self.junk, on: "2026-06-01") }
            + (20..<40).map { try claim($0, on: "2026-06-01") }
        #expect(try Set(findings("altered-container", in: run(lines)).map { $0["severity"] }) == ["high"])
    }

    @Test func `does not include claims that fail in another way`() throws {
        let lines =
            try (0..<20).map { try claim($0, padding: Self.junk, on: "2026-06-01") }
            + [claim(20, padding: Self.junk, account: "", on: "2026-06-01")]
        #expect(try findings("altered-container", in: run(lines)).count { $0["severity"] == "high" } == 1)
    }

    @Test func `of other device ids counts customers whom an earlier run knows`() throws {
        let before = try (0..<20).map { try claim($0, on: "2026-06-01") }
        let after = try (0..<20).map { try claim($0, device: 300 + $0, on: "2026-06-20") }
        let alone = try findings("device-mismatch", in: run(before + after))
        #expect(Set(alone.map { $0["confidence"] }) == ["possible"])
        _ = try run(before, "--state", "l.db", "--as-of", "2026-06-02")
        for lines in [after, before + after] {
            let process = try run(lines, "--state", "l.db")
            let found = try findings("device-mismatch", in: process)
            #expect(found.count == 20)
            #expect(Set(found.map { $0["confidence"] }) == ["doubtful"])
            #expect(process.messages.contains("20 claims of known customers"))
        }
    }

    @Test func `is the same in shards`() throws {
        let lines = try (0..<24).map { try claim($0, padding: Self.junk, on: "2026-06-0\(1 + $0 % 2)") }
        var export = export
        try export.trust(TestExport.rootCertificate())
        try export.write(lines)
        try export.compare(["export.ndjson"], shards: 3)
    }
}
