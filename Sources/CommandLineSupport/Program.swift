public import ArgumentParser
import Encodings
import Files

/// A program with subcommands, and the command line that it was started with.
public struct Program {
    let root: any ParsableCommand.Type
    let arguments: [String]
    /// Other words for commands: a command of this program, or a text to type instead.
    let commandSynonyms: [String: String]
    /// Other words for options, without dashes.
    let optionSynonyms: [String: String]

    public init(
        _ root: any ParsableCommand.Type, arguments: [String], commandSynonyms: [String: String] = [:],
        optionSynonyms: [String: String] = [:]
    ) {
        self.root = root
        self.arguments = arguments
        self.commandSynonyms = commandSynonyms
        self.optionSynonyms = optionSynonyms
    }

    /// Runs the command that the command line names. Exits unless it succeeds: with 64 and a hint on standard error if
    /// the command line is wrong, with the command's own code if it throws an `ExitCode`, and with 2 and the reason on
    /// standard error if it throws another error. A broken pipe is success.
    public func run() {
        let usage = Usage(of: self)
        do {
            if usage.asksHelpOfUnknown { throw ValidationError("") }
            var command = try root.parseAsRoot(arguments)
            try command.run()
        } catch let code as ExitCode {
            root.exit(withError: code)
        } catch let error as FileError where error.isBrokenPipe {
            return
        } catch let error where root.exitCode(for: error) == .validationFailure {
            usage.answer(error)
            root.exit(withError: ExitCode.validationFailure)
        } catch let error where root.exitCode(for: error) == .success {
            // Help, the version, or a completion script.
            root.exit(withError: error)
        } catch {
            StandardError.write("\(root._commandName): error: \(TerminalText.escaped("\(error)"))\n")
            root.exit(withError: ExitCode(2))
        }
    }
}
