import Corpus
import Foundation
import SampleStore
import Testing

@testable import Ledgers

/// Ledgers with flipped bits, cut short, with a page of nonsense: what becomes of runs that are given one.
struct `A damaged ledger` {
    private let export: TestExport
    private let reports = ["receipts.csv", "fraud.csv"]
    private static let damages = Exhaustive.isOn ? 1000 : 25

    init() throws {
        export = try TestExport()
        try export.writeSample(count: 30, seed: 9, plantShare: 0.3)
    }

    private func audit(_ folder: String, _ arguments: String...) throws -> AuditProcess {
        try AuditProcess(
            [
                "run", export.path("sample/receipts"), "--root", export.path("sample/root.cer"), "--as-of",
                "2026-06-30", "--quiet", "--report", export.path(folder + "/receipts.csv"), "--report",
                "fraud=" + export.path(folder + "/fraud.csv"),
            ] + arguments)
    }

    private func damage(_ ledger: [UInt8], _ random: inout some RandomNumberGenerator) -> [UInt8] {
        var ledger = ledger
        switch Int.random(in: 0..<6, using: &random) {
        case 0: ledger.removeLast(Int.random(in: 1...ledger.count, using: &random))
        case 1:
            let start = Int.random(in: 0..<ledger.count / 4096, using: &random) * 4096
            for index in start..<min(start + 4096, ledger.count) {
                ledger[index] = .random(in: 0...255, using: &random)
            }
        default:
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let place = Int.random(in: 0..<ledger.count, using: &random)
                ledger[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        }
        return ledger
    }

    @Test func `changes no verdict, and stops no run but with a reason`() throws {
        let state = export.path("ledger.db")
        for _ in 1...2 { #expect(try audit("first", "--state", state).exitCode == 0) }
        let previous = Array(try Data(contentsOf: URL(filePath: state + ".previous")))
        let ledger = Array(try Data(contentsOf: URL(filePath: state)))
        let sound = try reports.map { try #require(export.text(of: "first/" + $0)) }
        var random = Seeded(state: 11)
        var endings: [Int32: Int] = [:]
        for _ in 0..<Self.damages {
            for name in try export.names(in: "") where name.hasPrefix("ledger.db") {
                try FileManager.default.removeItem(atPath: export.path(name))
            }
            try export.write(damage(ledger, &random), to: "ledger.db")
            try export.write(previous, to: "ledger.db.previous")
            let run = try audit("second", "--state", state)
            endings[run.exitCode, default: 0] += 1
            #expect([0, 2, 3].contains(run.exitCode), "\(run.messages)")
            #expect(run.exitCode == 0 || run.messages.contains("ledger.db"), "\(run.messages)")
            guard run.exitCode != 2 else { continue }
            #expect(try reports.map { try #require(export.text(of: "second/" + $0)) } == sound)
        }
        // What does not look like a ledger any more is not touched, and that is rare.
        #expect(endings[3, default: 0] > 9 * endings[2, default: 0] && endings[0] == nil, "\(endings)")
    }
}

/// Ledgers that others than their owner can write.
struct `A ledger that others can write` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.write(TestExport.receipt(), to: "receipts/a.der")
        try FileManager.default.createDirectory(atPath: export.path("own"), withIntermediateDirectories: true)
        try setMode(0o755, "own")
    }

    private func setMode(_ mode: Int, _ name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: export.path(name))
    }

    private func audit(_ arguments: String...) throws -> AuditProcess {
        try AuditProcess(
            [
                "run", export.path("receipts"), "--root", export.root, "--as-of", "2026-06-30", "--report",
                export.path("r.csv"), "--state", export.path("own/l.db"), "--quiet",
            ] + arguments)
    }

    @Test(
        arguments: [
            ("own/l.db", 0o660, "own/l.db can be written by its group (mode 660)"),
            ("own/l.db", 0o606, "own/l.db can be written by everybody (mode 606)"),
            ("own", 0o775, "can be written by its group (mode 775)"),
            ("own", 0o777, "can be written by everybody (mode 777)"),
            ("own", 0o1777, "can be written by everybody (mode 1777)"),
        ])
    func `is warned of, with --quiet and in JSON too`(name: String, mode: Int, reason: String) throws {
        let first = try audit()
        #expect(first.exitCode == 0 && first.messages == "", "\(first.messages)")
        try setMode(mode, name)
        let run = try audit()
        #expect(run.exitCode == 0)
        #expect(run.messages.hasPrefix("audit: warning: whoever can write the ledger "), "\(run.messages)")
        #expect(run.messages.contains(reason), "\(run.messages)")
        #expect(run.messages.contains("chmod 600"))
        let json = try audit("--log-format", "json")
        let line = try JSONSerialization.jsonObject(with: Data(json.messages.utf8)) as? [String: Any]
        #expect(line?["level"] as? String == "warning")
        #expect((line?["message"] as? String)?.contains(reason) == true)
        // Both read the same reasons, and the doctor is slow.
        for command in [["ledger", "check"]] + (mode == 0o777 ? [["doctor"]] : []) {
            let check = try AuditProcess(command + ["--state", export.path("own/l.db")])
            #expect(check.exitCode == 1)
            #expect(check.output.contains(reason), "\(check.output)")
        }
    }

    @Test func `is one through a link, too, whose folder others can write`() throws {
        #expect(try audit().exitCode == 0)
        try FileManager.default.createDirectory(atPath: export.path("shared"), withIntermediateDirectories: true)
        try setMode(0o777, "shared")
        try FileManager.default.createSymbolicLink(
            atPath: export.path("shared/l.db"), withDestinationPath: "../own/l.db")
        let reasons = LedgerExposure(of: export.path("shared/l.db")).reasons
        #expect(reasons.count == 1 && reasons[0].contains("/shared can be written by everybody"), "\(reasons)")
        #expect(LedgerExposure(of: export.path("own/l.db")).reasons == [])
    }

    @Test(.enabled(if: getuid() == 0, "only root can give files away"), arguments: ["l.db", "l.db.previous", ""])
    func `is one that belongs to another user`(name: String) throws {
        #expect(try audit().exitCode == 0)
        if name == "l.db.previous" { try export.write([], to: "own/l.db.previous") }
        #expect(unsafe chown(export.path("own/" + name), 61_000, 61_000) == 0)
        let reasons = LedgerExposure(of: export.path("own/l.db")).reasons
        #expect(reasons.count == 1 && reasons[0].contains("belongs to another user (uid 61000)"), "\(reasons)")
    }

    @Test(.enabled(if: getuid() == 0, "only root can give files away"))
    func `is not its owner, where root checks the ledger of a service`() throws {
        #expect(try audit().exitCode == 0)
        for name in ["l.db", ""] { #expect(unsafe chown(export.path("own/" + name), 61_000, 61_000) == 0) }
        #expect(LedgerExposure(of: export.path("own/l.db"), isOfOwner: true).reasons == [])
        let check = try AuditProcess("ledger", "check", "--state", export.path("own/l.db"))
        #expect(check.exitCode == 0, "\(check.messages)")
    }
}
