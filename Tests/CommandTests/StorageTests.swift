import Foundation
import Testing

/// What does not fit into memory goes to temporary files.
struct `A run that spills` {
    @Test func `gives the same reports, and leaves nothing behind`() throws {
        let folder = try Folder()
        let all = try folder.audit("--report", folder.path("a.csv"), "--report", "fraud=" + folder.path("b.csv"))
        let spilled = try folder.audit(
            "--memory", "1K", "--report", folder.path("c.csv"), "--report", "fraud=" + folder.path("d.csv"))
        #expect(all.exitCode == 0 && spilled.exitCode == 0)
        #expect(try folder.bytes("a.csv") == folder.bytes("c.csv"))
        #expect(try folder.bytes("b.csv") == folder.bytes("d.csv"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")).isEmpty)
    }

    @Test func `ends with an error if the disk is full, and writes no report`() throws {
        let folder = try Folder()
        let run = try folder.audit("--memory", "1K", "--report", folder.path("a.csv"), fileSizeLimit: 64)
        #expect(run.exitCode == 2)
        #expect(run.messages.contains("File too large"), "\(run.messages)")
        #expect(run.messages.contains(folder.path("tmp")), "\(run.messages)")
        #expect(try !FileManager.default.contentsOfDirectory(atPath: folder.root).contains { $0.contains("a.csv") })
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")).isEmpty)
    }

    @Test func `says which folder cannot be written to`() throws {
        let folder = try Folder()
        let run = try folder.audit("--report", folder.path("a.csv"), temporary: "/nowhere/at/all")
        #expect(run.exitCode == 2)
        #expect(run.messages.contains("/nowhere/at/all"))
    }

    @Test(arguments: ["", "M", "12X", "-1", "1.5G", "99999999999G"])
    func `refuses a malformed size`(size: String) throws {
        #expect(try AuditProcess("run", ".", "--memory", size).exitCode == 64)
    }
}

/// An export with planted fraud, and a folder for temporary files.
private struct Folder {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.writeSample(count: 400, seed: 5, plantShare: 0.3)
        try FileManager.default.createDirectory(atPath: path("tmp"), withIntermediateDirectories: true)
    }

    var root: String { export.path("") }

    func path(_ name: String) -> String { export.path(name) }

    func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path(name))) }

    /// - Parameter fileSizeLimit: how large any file may become, in units of 1024 bytes: a disk that is full.
    func audit(_ arguments: String..., temporary: String? = nil, fileSizeLimit: Int? = nil) throws -> AuditProcess {
        let command =
            [
                "run", path("sample/receipts"), "--root", path("sample/root.cer"), "--policy",
                path("sample/policy.yml"), "--as-of", "2026-06-30",
            ]
            + arguments
        let environment = ["TMPDIR": temporary ?? path("tmp")]
        guard let fileSizeLimit else { return try AuditProcess(command, environment: environment) }
        return try AuditProcess(
            shell: "ulimit -f \(fileSizeLimit); exec \"$0\" \"$@\"", command, environment: environment)
    }
}
