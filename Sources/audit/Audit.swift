import ArgumentParser

@main
struct Audit: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "audit", subcommands: [SampleCommand.self])
}
