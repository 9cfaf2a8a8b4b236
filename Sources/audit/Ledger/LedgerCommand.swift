import ArgumentParser

struct LedgerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "Check the ledger that runs keep with --state.",
        subcommands: [LedgerCheckCommand.self]
    )
}
