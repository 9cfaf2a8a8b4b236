import ArgumentParser
import Files

@main
struct Audit: ParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Audit App Store receipts in bulk.",
        discussion: """
            Validates exported receipts, checks that each belongs to the device that sent it, and \
            reports what is forged, copied or out of date.

            EXAMPLES
              audit sample demo --count 1000
              audit run demo/receipts --root demo/root.cer --report out.csv
              audit inspect receipt.der
            """,
        version: VersionText.text,
        subcommands: [
            RunCommand.self, InspectCommand.self, ShowCommand.self, ReviewCommand.self, RulesCommand.self,
            SampleCommand.self, AttacksCommand.self, MapCommand.self, CombineCommand.self, ReduceCommand.self,
            RowsCommand.self, DoctorCommand.self, HistoryCommand.self, ForgetCommand.self, LedgerCommand.self,
        ]
    )

    static func main() {
        StandardStreams.reserve()
        if let missing = Requirements.missingForAll {
            Console().fail(missing)
            exit(withError: ExitCode(2))
        }
        let arguments = ShortOptions.separated(Array(CommandLine.arguments.dropFirst()))
        let usage = Usage(arguments: arguments)
        do {
            if usage.asksHelpOfUnknown { throw ValidationError("") }
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch let code as ExitCode {
            // The command has said why.
            exit(withError: code)
        } catch let error where exitCode(for: error) == .validationFailure {
            usage.answer(error)
            exit(withError: ExitCode.validationFailure)
        } catch {
            exit(withError: error)
        }
    }
}
