import Corpus
import Foundation
import Testing

/// jobs/shards.sh where one of its steps fails.
struct `An audit in shards of which a step fails` {
    private static let runners = ["xargs"] + (ShardExport.hasParallel ? ["parallel"] : [])

    /// A step, as a pattern of bash that matches the arguments of its command.
    enum Step: String, CaseIterable {
        case map = "map *"
        case reduceOfGroups = "reduce *"
        case receipts = "rows receipts *"
        case lastTable = "rows summary *"
    }

    /// Puts a program in the place of `audit` that does what it does, but fails at the first command that matches a pattern.
    ///
    /// - Parameter failing: how it fails, after it has written what `audit` writes.
    private func standIn(for pattern: String, failing: String, in export: ShardExport) throws -> String {
        let script = """
            #!/bin/bash
            case "$*" in \(pattern.replacing(" ", with: "\\ ")))
                if mkdir "$0.failed" 2> /dev/null; then
                    '\(AuditProcess.path)' "$@"
                    \(failing)
                fi ;;
            esac
            exec '\(AuditProcess.path)' "$@"
            """
        try export.sample.write(script + "\n", to: "stand-in")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: export.sample.path("stand-in"))
        return export.sample.path("stand-in")
    }

    private func export() throws -> ShardExport {
        let export = try ShardExport(count: 20, seed: 9)
        try export.write(export.lines)
        for name in ["receipts", "fraud", "summary"] { try export.sample.write("old\n", to: "got/\(name).csv") }
        return export
    }

    @Test(arguments: runners, Exhaustive.cases(Step.allCases, every: 3))
    func `ends with 2, says so, and leaves the old reports`(runner: String, step: Step) throws {
        let export = try export()
        let program = try standIn(for: step.rawValue, failing: "exit 2", in: export)
        let run = try export.shards(["export.ndjson"], shards: 2, ["-r", runner], program: program)
        #expect(run.exitCode == 2, "\(run.messages)")
        #expect(run.messages.contains("shards.sh: a step failed: no report was changed"), "\(run.messages)")
        #expect(try export.sample.names(in: "got") == ["fraud.csv", "receipts.csv", "summary.csv"])
        for name in ["receipts", "fraud", "summary"] { #expect(export.sample.text(of: "got/\(name).csv") == "old\n") }
    }

    @Test(arguments: runners, Exhaustive.cases(["kill -9 $$", "exit 1", "exit 3"], every: 2))
    func `fails whatever the step ends with`(runner: String, failing: String) throws {
        let export = try export()
        let program = try standIn(for: "map *", failing: failing, in: export)
        let run = try export.shards(["export.ndjson"], shards: 2, ["-r", runner], program: program)
        #expect(run.exitCode == 2, "\(run.messages)")
        #expect(export.sample.text(of: "got/receipts.csv") == "old\n")
    }
}
