import Foundation
import SampleStore
import Testing

struct `A column of objects that Apple signed for other purposes` {
    @Test func `accuses nobody, and the run says what it holds`() throws {
        let export = try TestExport()
        let kit = try AttackKit()
        let test = try #require(AttackSuite.cases.first { $0.id == "object-app-attest-receipt" })
        let attack = try test.claim(kit)
        try export.write(attack.trustAnchors[0], to: "other.cer")
        let proof = Data(attack.proof).base64EncodedString()
        let rows = (0..<12).map { "\(proof),user-\($0),\(attack.deviceID)\n" }.joined()
        try export.write("receipt,account_id,device_id\n" + rows, to: "claims.csv")
        let run = try AuditProcess(
            "run", export.path("claims.csv"), "--root", export.path("other.cer"), "--as-of", "2026-06-30", "--report",
            "fraud=" + export.path("fraud.csv"), "--report", export.path("out.csv"), "--report",
            "answers=" + export.path("answers.ndjson"))
        #expect(run.exitCode == 3, "\(run.messages)")
        #expect(run.messages.contains("12 of 12 claims are unreadable, 12 for not-a-proof"), "\(run.messages)")
        #expect(run.messages.contains("12 rows hold what Apple signs for another purpose (an App Attest receipt)"))
        #expect(export.text(of: "fraud.csv")?.split(whereSeparator: \.isNewline).count == 1)
        let receipts = export.text(of: "out.csv")?.split(whereSeparator: \.isNewline) ?? []
        #expect(receipts.count == 13 && receipts.dropFirst().allSatisfy { $0.contains(",unreadable,not-a-proof,") })
    }
}
