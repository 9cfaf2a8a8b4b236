import ArgumentParser
import CommandLineSupport
import Files

@main
struct Audit: ParsableCommand {
    static let version = ProgramVersion.number

    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Audit App Store receipts and StoreKit 2 tokens in bulk.",
        discussion: """
            Validates exported receipts, checks that each belongs to the device that sent it, and \
            reports what is forged, copied or out of date. audit-lab makes receipts to try it with.

            EXAMPLES
              audit run receipts/ --report out.csv
              audit inspect receipt.der
            """,
        version: VersionText.text,
        subcommands: [
            RunCommand.self, InspectCommand.self, ShowCommand.self, ReportCommand.self, ReviewCommand.self,
            RulesCommand.self,
            MapCommand.self, ReduceCommand.self, RowsCommand.self,
            DoctorCommand.self, HistoryCommand.self, ForgetCommand.self, LedgerCommand.self,
        ]
    )

    /// The names of commands and options in other programs, and the commands of `audit-lab`.
    private static let commandSynonyms = [
        "verify": "run", "validate": "run", "check": "run", "audit": "run", "decode": "inspect", "print": "inspect",
        "view": "inspect", "runs": "history", "log": "history", "version": "--version",
        "sample": "audit-lab sample", "generate": "audit-lab sample", "honest": "audit-lab honest",
        "attacks": "audit-lab attacks", "demo": "audit-lab demo",
    ]
    private static let optionSynonyms = [
        "output": "report", "out": "report", "threads": "workers", "jobs": "workers", "concurrency": "workers",
        "date": "as-of", "now": "as-of", "ca": "root", "anchor": "root", "cert": "root", "config": "policy",
        "ledger": "state", "cache": "state", "db": "state", "silent": "quiet", "notifications": "evidence",
        "device-id": "device", "colour": "color",
    ]

    static func main() {
        StandardStreams.reserve()
        if let missing = Requirements.missingForAll {
            Console().fail(missing)
            exit(withError: ExitCode(2))
        }
        Program(
            Self.self, arguments: ShortOptions.separated(Array(CommandLine.arguments.dropFirst())),
            commandSynonyms: commandSynonyms, optionSynonyms: optionSynonyms
        ).run()
    }
}
