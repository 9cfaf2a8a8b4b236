import Foundation
import Testing

@testable import Ledgers

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
        for command in [["ledger", "check"], ["doctor"]] {
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

    @Test(.enabled(if: getuid() == 0, "only root can give files away"), arguments: ["l.db", "l.db-wal", ""])
    func `is one that belongs to another user`(name: String) throws {
        #expect(try audit().exitCode == 0)
        if name == "l.db-wal" { try export.write([], to: "own/l.db-wal") }
        #expect(unsafe chown(export.path("own/" + name), 61_000, 61_000) == 0)
        let reasons = LedgerExposure(of: export.path("own/l.db")).reasons
        #expect(reasons.count == 1 && reasons[0].contains("belongs to another user (uid 61000)"), "\(reasons)")
    }
}
