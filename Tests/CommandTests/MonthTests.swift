import Foundation
import SampleStore
import Testing

/// Thirty nights of a company: what happens to exports, and what happens to them by mistake.
struct `A month of nights` {
    /// What an export does to claims by mistake.
    private enum Mistake {
        case lostColumn, migratedAccounts, shiftedDates, renamedAndCut
    }

    private struct Claim {
        let receipt: String
        let device: SampleDevice?
        let account: String?
        /// The night before which it is presented, and the second of that day.
        let night: Int
        let second: Int
        var isOfLite: Bool { device == nil }
    }

    private let export: TestExport
    private let claims: [Claim]

    init() throws {
        export = try TestExport(beginning: "month") { export in
            let receipts = try (0..<130).map { number in
                var content = ReceiptContent(
                    bundleID: number < 100 ? "com.example.notes" : "com.example.lite", device: Self.phone(number),
                    createdAt: .utc(2026, 3, 1))
                content.opaqueValue = [UInt8(number), 1, 2, 3]
                return Data(try TestExport.receipt(content)).base64EncodedString()
            }
            try export.write(receipts.joined(separator: "\n"), to: "receipts.txt")
        }
        let receipts = try #require(export.text(of: "receipts.txt")).split(separator: "\n").map(String.init)
        var claims = (0..<100).map { number in
            // A customer a night after the first ones, but none on two holidays, and a campaign in one of them.
            let due = number < 40 ? 0 : number < 60 ? 8 : min(29, number - 59)
            let night = (17...18).contains(due) ? 20 : due
            return Claim(
                receipt: receipts[number], device: Self.phone(number), account: "user-\(number)", night: night,
                second: 600 * (number % 100))
        }
        // Copies on two other devices each, some of them while a mistake is made.
        for (copy, (number, night)) in [(3, 2), (3, 2), (4, 10), (4, 10), (5, 26), (5, 26)].enumerated() {
            claims.append(
                Claim(
                    receipt: receipts[number], device: Self.phone(200 + copy), account: "thief-\(copy)", night: night,
                    second: number))
        }
        // An app without ids, from the sixth night on.
        for number in 100..<130 {
            claims.append(
                Claim(receipt: receipts[number], device: nil, account: nil, night: 5, second: 600 * (number - 100)))
        }
        self.claims = claims
    }

    private static func phone(_ number: Int) -> SampleDevice {
        .vendorIdentifier((0..<16).map { UInt8($0 == 0 ? number : $0) })
    }

    /// The number of days from 2026-03-10, as a date.
    private static func day(_ night: Int) -> String {
        night < 22 ? "2026-03-\(10 + night)" : "2026-04-0\(night - 21)"
    }

    /// Writes the export of a night.
    private func write(_ night: Int, _ mistake: Mistake? = nil) throws -> String {
        let isIncremental = (15...16).contains(night)
        let rows = claims.filter { claim in
            claim.night <= night && (!isIncremental || claim.night == night || claim.night == night - 1)
                // The app without ids is retired.
                && (!claim.isOfLite || night < 24)
        }
        let isRenamed = mistake == .renamedAndCut
        var text = rows.map { claim in
            var fields = ["\"receipt_data\":\"\(claim.receipt)\""]
            if let device = claim.device {
                fields.append(
                    "\"\(mistake == .lostColumn || isRenamed ? "vendor_uuid" : "device_id")\":\"\(device.text)\"")
            }
            if let account = claim.account {
                fields.append(
                    "\"\(isRenamed ? "who" : "account_id")\":\"\(mistake == .migratedAccounts ? "u_" : "")\(account)\"")
            }
            // From the twentieth night on, clocks are an hour ahead, and the same times have another offset.
            let hours = (night < 19 ? 0 : 1) + (mistake == .shiftedDates ? 2 : 0)
            let time = claim.second + 3600 * hours
            let clock = [time / 3600, time / 60 % 60, time % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }
            let offset = night < 19 ? "+01:00" : "+02:00"
            fields.append("\"presented_at\":\"\(Self.day(claim.night))T\(clock.joined(separator: ":"))\(offset)\"")
            return "{\(fields.joined(separator: ","))}\n"
        }.joined()
        if isRenamed { text.removeLast(400) }
        let name = night < 25 && !isRenamed ? "claims.ndjson" : "claims-v2.ndjson"
        try export.write(text, to: name)
        return name
    }

    private func audit(_ night: Int, _ mistake: Mistake? = nil) throws -> AuditProcess {
        try AuditProcess([
            "run", export.path(write(night, mistake)), "--root", export.root, "--as-of", Self.day(night) + "T23:59:59Z",
            "--report", "fraud=-", "--state", export.path("ledger.db"), "--fail-on", "high", "--quiet",
        ])
    }

    /// Runs all nights, and those with a mistake twice: with it, and once more as it should have been.
    ///
    /// - Returns: what each night, as it should have been, found and said.
    private func month(_ mistakes: [Int: Mistake] = [:]) throws -> [[[String?]]] {
        try (0..<30).map { night in
            if let mistake = mistakes[night] {
                let run = try audit(night, mistake)
                #expect(run.exitCode == 3, "\(mistake): \(run.messages)")
            }
            let run = try audit(night)
            let news = run.rows.filter { $0["change"] == "new" && ["high", "critical"].contains($0["severity"]) }
            #expect(run.exitCode == (news.isEmpty ? 0 : 1), "\(night): \(run.messages)")
            if night == 11, let id = run.rows.first(where: { $0["severity"] == "critical" })?["finding_id"] {
                let review = ["review", "--state", export.path("ledger.db"), id, "--as", "fraud"]
                #expect(try AuditProcess(review).exitCode == 0)
            }
            let columns = [
                "finding_id", "rule", "subject", "severity", "confidence", "claims", "first_seen", "change", "status",
            ]
            return run.rows.map { row in columns.map { row[$0] } }
        }
    }

    @Test func `ends with what findings say, and is the same after each mistake that was told and mended`() throws {
        let nights = try month()
        for night in [2, 10, 26] {
            #expect(nights[night].contains { $0[3] == "critical" && $0[7] == "new" }, "\(night)")
        }
        #expect(nights[29].contains { $0[8] == "fraud" })
        _ = try AuditProcess(shell: #"rm "$1"/ledger.db*"#, [export.folder.path()])
        let again = try month([4: .lostColumn, 10: .migratedAccounts, 14: .shiftedDates, 21: .renamedAndCut])
        for night in 0..<30 { #expect(again[night] == nights[night], "\(night)") }
    }
}
