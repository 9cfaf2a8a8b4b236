import Foundation
import SampleStore
import Testing

struct `The permissions of reports` {
    private let export: TestExport
    private static let names = ["r.csv", "r.json", "r.ndjson", "r.xlsx", "r.html", "r.md", "r.sqlite"]

    init() throws {
        export = try TestExport()
        try export.write(TestExport.receipt(), to: "receipts/a.der")
    }

    private func audit(_ options: String...) throws -> AuditProcess {
        try AuditProcess(
            ["run", export.path("receipts"), "--root", export.path("root.cer"), "--as-of", "2026-06-30"]
                + Self.names.flatMap { ["--report", export.path("out/" + $0)] } + options)
    }

    private var modes: [Int] {
        get throws {
            try Self.names.map { name in
                let path = export.path("out/" + name)
                return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? 0
            }
        }
    }

    @Test func `are the owner's alone, and those that are asked for, in every format, also of old files`() throws {
        for (options, mode) in [([], 0o600), (["0640"], 0o640), (["664"], 0o664), ([], 0o600)] as [([String], Int)] {
            let run = try options.first.map { try audit("--report-mode", $0) } ?? audit()
            #expect(run.exitCode == 0, "\(run.messages)")
            #expect(try modes == Self.names.map { _ in mode })
        }
    }

    @Test(arguments: ["0666", "0040", "777", "6", "u+r", "01640", ""])
    func `let the owner replace them and not everybody change them`(mode: String) throws {
        #expect(try audit("--report-mode", mode).exitCode == 64)
    }
}
