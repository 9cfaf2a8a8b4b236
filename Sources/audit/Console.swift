import Files
import FoundationEssentials

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
