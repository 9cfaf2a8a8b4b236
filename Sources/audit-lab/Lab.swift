import ArgumentParser
import CommandLineSupport
import Files

@main
struct Lab: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit-lab",
        abstract: "Make receipts and tokens to try audit with, and forgeries to test any verifier.",
        discussion: """
            Everything is signed by a private test store, so audit needs the root certificate that is written beside \
            it (--root). Nothing in it is Apple's or a customer's.

            EXAMPLES
              audit-lab demo
              audit-lab sample export --count 1000 --seed 7
              audit-lab attacks suite

            EXIT CODES
              0    the folder was written
              2    it could not be written, or DIR holds something else
              64   wrong usage
            """,
        version: ProgramVersion.text,
        subcommands: [SampleCommand.self, HonestCommand.self, AttacksCommand.self, DemoCommand.self]
    )

    static func main() {
        StandardStreams.reserve()
        Program(
            Self.self, arguments: Array(CommandLine.arguments.dropFirst()),
            commandSynonyms: ["generate": "sample", "population": "honest", "suite": "attacks", "version": "--version"]
        ).run()
    }
}
