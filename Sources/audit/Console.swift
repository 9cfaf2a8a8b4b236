import ArgumentParser
import Encodings
import Files
import FoundationEssentials
import YAML

/// What a command says to the person who started it, on standard error.
struct Console {
    let isTerminal = ErrorOutput.isTerminal

    /// Colour only on a terminal, and not where `NO_COLOR` is set (no-color.org).
    var isColored: Bool { isTerminal && allowsColor }

    /// The same for standard output.
    var isOutputColored: Bool { ErrorOutput.isOutputTerminal && allowsColor }

    private var allowsColor: Bool { ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty }

    func say(_ line: String) { ErrorOutput.write(line + "\n") }

    /// Says why a command could not do its work.
    func fail(_ error: any Error, of command: String = "audit") { say("\(command): error: \(ErrorText.safe(error))") }

    /// Replaces the line under the cursor, cut to the terminal's width.
    func redraw(_ line: String) { ErrorOutput.write("\r\u{1b}[2K" + line.prefix(ErrorOutput.width - 1)) }

    func clearLine() { ErrorOutput.write("\r\u{1b}[2K") }
}

extension Console {
    /// Does a command's work, and ends the command with 2 and the reason if it cannot be done.
    ///
    /// If whoever reads the output has had enough, the work ends there, and the command well. An exit code that the work
    /// throws is the command's.
    ///
    /// - Parameter command: who says what went wrong.
    func answer(as command: String = "audit", _ work: () throws -> Void) throws(ExitCode) {
        do {
            try work()
        } catch let code as ExitCode {
            throw code
        } catch let error as FileError where error.isBrokenPipe {
            return
        } catch {
            fail(error, of: command)
            throw ExitCode(2)
        }
    }

    /// Writes an answer to standard output.
    func write(_ answer: String) throws(FileError) { try OutputFile(replacing: "-").write(Array(answer.utf8).span) }
}

/// What went wrong, in words that a terminal shows and does not obey.
///
/// Errors carry names of files and cells of tables as they are; this is where they become text for a person.
enum ErrorText {
    static func safe(_ error: any Error) -> String {
        // A line for each problem, in which strangers' text is safe already.
        error is YAMLFileError ? "\(error)" : TerminalText.escaped("\(error)")
    }
}
