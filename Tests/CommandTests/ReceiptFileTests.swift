import ArgumentParser
import Checks
import Encodings
import Files
import FoundationEssentials
import Inputs
import Proofs
import Testing

@testable import audit

struct `A receipt file that cannot be read` {
    @Test func `ends the command if it is not there`() throws {
        let judge = try judge()
        let error = #expect(throws: FileError.self) {
            try judge.inspection(of: Claim(source: "missing"), at: "no-such-receipt.der")
        }
        #expect(error?.isNotFound == true)
        let exit = #expect(throws: ExitCode.self) { try InspectCommand.parse(["no-such-receipt.der"]).run() }
        #expect(exit?.rawValue == 2)
    }

    @Test func `is a result if it is there`() throws {
        let folder = FileManager.default.temporaryDirectory.path()
        let inspection = try judge().inspection(of: Claim(source: "folder"), at: folder)
        #expect(inspection.facts.failed == [.receiptUnreadable])
    }

    @Test func `is a result if it is over 8 MiB`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "large-\(UUID().uuidString).der")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(count: ReceiptLimit.bytes + 1).write(to: file)
        let inspection = try judge().inspection(of: Claim(source: "large"), at: file.path())
        #expect(inspection.facts.failed == [.receiptUnreadable])
        #expect(inspection.checks.first { $0.check == .receiptUnreadable }?.reason == "It is over 8 MiB.")
    }

    private func judge() throws -> Checker {
        try Checker(trust: .apple(), expectations: Expectations(asOf: Instant(seconds: 1_780_000_000)))
    }
}
