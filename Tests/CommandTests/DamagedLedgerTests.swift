import Foundation
import SampleStore
import Testing

/// Ledgers with flipped bits, cut short, with a page of nonsense: what becomes of runs that are given one.
struct `A damaged ledger` {
    private let export: TestExport
    private let reports = ["receipts.csv", "fraud.csv"]
    #if DEBUG
        private static let damages = 50
    #else
        private static let damages = 1000
    #endif

    init() throws {
        export = try TestExport()
        _ = try ExportFolder(export.path("sample")).write(SampleExport(count: 80, seed: 9, plantShare: 0.3))
    }

    private func audit(_ folder: String, _ arguments: String...) throws -> AuditProcess {
        try AuditProcess(
            [
                "run", export.path("sample/receipts"), "--root", export.path("sample/root.cer"), "--as-of",
                "2026-06-30", "--quiet", "--report", export.path(folder + "/receipts.csv"), "--report",
                "fraud=" + export.path(folder + "/fraud.csv"),
            ] + arguments)
    }

    private func damage(_ ledger: [UInt8], _ dice: inout some RandomNumberGenerator) -> [UInt8] {
        var ledger = ledger
        switch Int.random(in: 0..<6, using: &dice) {
        case 0: ledger.removeLast(Int.random(in: 1...ledger.count, using: &dice))
        case 1:
            let start = Int.random(in: 0..<ledger.count / 4096, using: &dice) * 4096
            for index in start..<min(start + 4096, ledger.count) { ledger[index] = .random(in: 0...255, using: &dice) }
        default:
            for _ in 0..<Int.random(in: 1...20, using: &dice) {
                ledger[Int.random(in: 0..<ledger.count, using: &dice)] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
            }
        }
        return ledger
    }

    @Test func `changes no verdict, and stops no run but with a reason`() throws {
        let state = export.path("ledger.db")
        #expect(try audit("first", "--state", state).exitCode == 0)
        let ledger = Array(try Data(contentsOf: URL(filePath: state)))
        let sound = try reports.map { try #require(export.text(of: "first/" + $0)) }
        var dice = SeededDice(seed: 11)
        var endings: [Int32: Int] = [:]
        for _ in 0..<Self.damages {
            for name in try export.names(in: "") where name.hasPrefix("ledger.db") {
                try FileManager.default.removeItem(atPath: export.path(name))
            }
            try export.write(damage(ledger, &dice), to: "ledger.db")
            let run = try audit("second", "--state", state)
            endings[run.exitCode, default: 0] += 1
            #expect(run.exitCode == 0 || run.exitCode == 2 && run.messages.contains("ledger.db"), "\(run.messages)")
            guard run.exitCode == 0 else { continue }
            #expect(try reports.map { try #require(export.text(of: "second/" + $0)) } == sound)
        }
        // What does not look like a ledger any more is not touched, and that is rare.
        #expect(endings[0, default: 0] > 9 * endings[2, default: 0], "\(endings)")
    }
}

/// Repeatable dice (SplitMix64).
private struct SeededDice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
        return word ^ word >> 31
    }
}
