import ArgumentParser
import Encodings
import Engine
import Files
import FoundationEssentials
import YAML

/// Messages on standard error, and answers on standard output.
struct Console {
    let isTerminal = StandardError.isTerminal
    private let color: ColorChoice

    init(_ color: ColorChoice = .auto) { self.color = color }

    /// Whether standard error is coloured.
    var isColored: Bool { isColored(ifTerminal: isTerminal) }

    /// Whether standard output is coloured.
    var isOutputColored: Bool { isColored(ifTerminal: StandardError.isOutputTerminal) }

    /// The maximum length of a line of prose on standard output: the terminal's width, or 100 characters.
    var outputWidth: Int { StandardError.isOutputTerminal ? StandardError.width : 100 }

    private func isColored(ifTerminal isTerminal: Bool) -> Bool {
        switch color {
        case .always: return true
        case .never: return false
        case .auto:
            let environment = ProcessInfo.processInfo.environment
            return isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        }
    }

    /// Prints a notice if a command waits for input from a terminal.
    func sayIfReadingTerminal() {
        if StandardStreams.isInputTerminal { say("audit: reading from the terminal; Ctrl-D ends the input") }
    }

    func say(_ line: String) { StandardError.write(line + "\n") }

    /// Writes the reason why a command failed, with the same prefix on each line.
    func fail(_ error: any Error) { say(ErrorText.lines("audit: error: ", ErrorText.safe(error))) }

    /// Replaces the line under the cursor, truncated to the terminal's width.
    func redraw(_ line: String) { StandardError.write("\r\u{1b}[2K" + line.prefix(StandardError.width - 1)) }

    func clearLine() { StandardError.write("\r\u{1b}[2K") }
}

/// The values of `--color`.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
    /// On a terminal, unless `NO_COLOR` is set (no-color.org) or `TERM` is `dumb`.
    case auto
    case always
    case never
}

/// The option `--color` of all commands with coloured output.
struct ColorOption: ParsableArguments {
    @Option(help: ArgumentHelp("When to write colours.", valueName: "when"))
    var color = ColorChoice.auto
}

extension Console {
    /// Runs the body of a command, and exits with 2 and the reason if it fails.
    ///
    /// A broken pipe is success. A signal and a conflict of outputs have separate exit codes; an exit code thrown by
    /// the body is the command's.
    func answer(_ work: () throws -> Void) throws(ExitCode) {
        do {
            try work()
        } catch let code as ExitCode {
            throw code
        } catch let error as FileError where error.isBrokenPipe {
            return
        } catch is Interrupted {
            throw ExitCode(128 + Interruption.signal)
        } catch let conflict as OutputConflict {
            fail(conflict)
            throw ExitCode(64)
        } catch {
            fail(error)
            throw ExitCode(2)
        }
    }

    /// Writes an answer to standard output.
    func write(_ answer: String) throws(FileError) { try OutputFile(replacing: "-").write(Array(answer.utf8).span) }

    /// Writes an answer of several lines to standard output.
    func write(_ lines: [String]) throws(FileError) { try write(lines.map { $0 + "\n" }.joined()) }
}

/// An error that is a message for the user.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The message of an error, escaped for a terminal: errors contain raw file names and cells of tables.
enum ErrorText {
    /// Puts a prefix in front of each line of a message.
    static func lines(_ start: String, _ message: String) -> String {
        message.split(separator: "\n", omittingEmptySubsequences: false).map { start + $0 }.joined(separator: "\n")
    }

    static func safe(_ error: any Error) -> String {
        // One line per problem, with untrusted text already escaped.
        error is YAMLFileError ? "\(error)" : TerminalText.message("\(error)")
    }
}
