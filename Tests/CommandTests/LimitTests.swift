import Corpus
import Foundation
import SampleStore
import Testing

/// A system that gives a run less than it needs.
struct `A run under a limit` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.writeSample(count: 30, seed: 7, plantShare: 0.3)
        try FileManager.default.createDirectory(atPath: export.path("out"), withIntermediateDirectories: true)
        // The next user has to get in.
        for name in ["", "out"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: export.path(name))
        }
    }

    private var command: [String] {
        [
            "run", export.path("sample/receipts"), "--root", export.path("sample/root.cer"), "--as-of", "2026-06-30",
            "--report", export.path("out/r.csv"), "--report", "fraud=" + export.path("out/f.ndjson"), "--quiet",
            "--workers", "2", "--memory", "1M",
        ]
    }

    private var reports: [String?] { ["out/r.csv", "out/f.ndjson"].map { export.text(of: $0) } }

    /// Runs it under a limit: it must end by itself, with 2, a reason and the old reports, or with 0 and the new ones.
    ///
    /// - Parameters:
    ///   - limit: what a shell does before it runs the command.
    ///   - outsiders: exit codes of the loader, with its message, if it has no memory for a library.
    /// - Returns: the exit code.
    private func expectWhole(
        _ limit: String, _ new: [String?], reason: String, outsiders: [Int32: String] = [:], _ more: [String] = []
    ) throws -> Int32 {
        for name in ["out/r.csv", "out/f.ndjson"] {
            try? FileManager.default.removeItem(atPath: export.path(name))
            try export.write("old", to: name)
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: export.path(name))
        }
        let run = try AuditProcess(
            shell: "\(limit) \"$0\" \"$@\"", command + more,
            environment: ["SWIFT_BACKTRACE": "enable=no", "TMPDIR": export.path("out")])
        switch run.exitCode {
        case 0: #expect(reports == new, "\(limit)")
        case 2:
            #expect(
                run.messages.contains("audit: error: ") && run.messages.contains(reason), "\(limit) \(run.messages)")
            #expect(reports == ["old", "old"], "\(limit)")
        case let code:
            let known = outsiders[code].map { run.messages.contains($0) } ?? false
            #expect(known, "\(limit) ends with \(code): \(run.messages)")
            #expect(reports == ["old", "old"], "\(limit)")
        }
        #expect(try export.names(in: "out").allSatisfy { !$0.hasPrefix(".") }, "\(limit)")
        return run.exitCode
    }

    private func undisturbed() throws -> [String?] {
        #expect(try AuditProcess(command).exitCode == 0)
        return reports
    }

    private static let loader = [127 as Int32: "error while loading shared libraries"]

    @Test(arguments: [false, true])
    func `of open files does its work, or ends with 2`(hasLedger: Bool) throws {
        var new = try undisturbed()
        if hasLedger {
            #expect(try AuditProcess(command + ["--state", export.path("own/first.db")]).exitCode == 0)
            new = reports
        }
        var endings: [Int32: Int] = [:]
        for limit in Exhaustive.cases(Array(3...40) + [60, 100, 140, 180, 220], every: 3) {
            let state = hasLedger ? ["--state", export.path("own/l\(limit).db")] : []
            let code = try expectWhole(
                "ulimit -n \(limit); exec", new, reason: "ulimit -n", outsiders: Self.loader, state)
            endings[code, default: 0] += 1
        }
        #expect(endings[2, default: 0] > endings[0, default: 0] && endings[0, default: 0] >= 1, "\(endings)")
    }

    @Test func `of memory is reported by every command`() throws {
        for mebibytes in Exhaustive.cases(Array(stride(from: 40, through: 300, by: 20)), every: 2) {
            let run = try AuditProcess(shell: "ulimit -v \(mebibytes * 1024); exec \"$0\" \"$@\"", ["rules"])
            let isLoader = run.exitCode == 127 && run.messages.contains("error while loading shared libraries")
            let isRefused = run.exitCode == 2 && run.messages.contains("raise it (ulimit -v, ulimit -d)")
            #expect(run.exitCode == 0 || isLoader || isRefused, "\(mebibytes) \(run.exitCode) \(run.messages)")
        }
    }

    @Test func `of open files that may be raised raises it`() throws {
        let new = try undisturbed()
        #expect(try expectWhole("ulimit -S -n 12; exec", new, reason: "") == 0)
    }

    @Test(arguments: ["v", "d"])
    func `of memory does its work, or ends with 2`(resource: String) throws {
        let new = try undisturbed()
        var endings: [Int32: Int] = [:]
        let limits = Array(stride(from: 40, through: 300, by: 20)) + [400, 500, 600, 800, 1000, 2000]
        for mebibytes in Exhaustive.cases(limits, every: 2) {
            let code = try expectWhole(
                "ulimit -\(resource) \(mebibytes * 1024); exec", new, reason: "ulimit -v", outsiders: Self.loader)
            endings[code, default: 0] += 1
        }
        #expect(endings[2, default: 0] > 1 && endings[0, default: 0] > 1, "\(endings)")
    }

    /// Root's threads are not limited. The other user has no processes, not even of other tests on this machine: the
    /// limit counts them all.
    private static let user = 100_000 + getpid()
    private static let asAnotherUser = getuid() == 0 ? "setpriv --reuid=\(user) --regid=\(user) --clear-groups" : ""
    private static let canLimitThreads: Bool = {
        let command = "\(asAnotherUser) prlimit --nproc=4000:4000 \(AuditProcess.path) --version"
        return (try? AuditProcess(shell: command, []))?.exitCode == 0
    }()

    @Test(.enabled(if: canLimitThreads, "needs setpriv and prlimit, and a build that other users may run"))
    func `of threads does its work, or ends with 2`() throws {
        let new = try undisturbed()
        var endings: [Int32: Int] = [:]
        // Only root begins without other processes.
        for limit in getuid() == 0 ? Exhaustive.cases(Array(1...20), every: 3) : [1, 2] {
            let code = try expectWhole(
                "exec \(Self.asAnotherUser) prlimit --nproc=\(limit):\(limit)", new, reason: "ulimit -u")
            endings[code, default: 0] += 1
        }
        #expect(endings[2, default: 0] > 1, "\(endings)")
        if getuid() == 0 { #expect(endings[0, default: 0] > 1, "\(endings)") }
    }

    private static let canUnmount: Bool =
        (try? AuditProcess(shell: "unshare -m umount -l /proc", []))?.exitCode == 0

    @Test(
        .enabled(if: canUnmount, "needs root and mount namespaces"),
        arguments: [["run", "."], ["rules"], ["--version"], ["map", "--as-of", "2026-06-30"], []])
    func `without /proc ends with 2 and says so`(arguments: [String]) throws {
        let run = try AuditProcess(
            shell: "exec unshare -m sh -c 'umount -l /proc; exec \"$0\" \"$@\"' \"$0\" \"$@\"", arguments)
        #expect(run.exitCode == 2)
        #expect(run.output == "")
        #expect(
            run.messages == """
                audit: error: /proc is not mounted, and the command line is read from it: mount it first

                """)
    }
}
