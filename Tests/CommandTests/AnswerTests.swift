import Testing

struct `What a command answers` {
    /// The reader goes before the first byte comes, and whoever started the command wants no signal of it, as services do.
    private static let withoutReader = "trap '' PIPE; set -o pipefail; { sleep 0.3; \"$0\" \"$@\"; } | exec 0<&-"

    @Test(arguments: [["rules"], ["rules", "--json"], ["doctor"], ["inspect", "/etc/hostname"]])
    func `may lose its reader`(arguments: [String]) throws {
        let run = try AuditProcess(shell: Self.withoutReader, arguments)
        #expect(run.exitCode == 0)
        #expect(run.messages == "")
    }

    @Test func `may lose its reader, who then does not hear of a problem either`() throws {
        let run = try AuditProcess(
            shell: Self.withoutReader, ["doctor"], environment: ["TMPDIR": "/nowhere/at/all"])
        #expect(run.exitCode == 0)
        #expect(run.messages == "")
    }

    @Test(arguments: [
        (["inspect", "no-such-file"], "audit: error: could not read no-such-file: No such file or directory\n"),
        (
            ["doctor", "--root", "no-such-file"],
            "audit: error: could not read no-such-file: No such file or directory\n"
        ),
        (
            ["history", "--state", "no-such-file"],
            "audit: error: could not use no-such-file: No such file or directory\n"
        ),
        (
            ["map", "--as-of", "2026-06-30", "--root", "no-such-file"],
            "audit map: error: could not read no-such-file: No such file or directory\n"
        ),
    ])
    func `is why there is none, and 2`(arguments: [String], message: String) throws {
        let run = try AuditProcess(arguments)
        #expect(run.exitCode == 2)
        #expect(run.output == "")
        #expect(run.messages == message)
    }
}
