import ArgumentParser
import Files
import Pipeline

/// A command that is a filter: lines in, lines out.
protocol StreamCommand: ParsableCommand {
    /// Works until the end of standard input.
    func filter(to output: OutputFile) throws
}

extension StreamCommand {
    mutating func run() throws {
        Interruption.watch()
        try Console().answer(as: "audit \(Self._commandName)") {
            do {
                try filter(to: try OutputFile(replacing: "-"))
            } catch is Interrupted {
                throw ExitCode(128 + Interruption.signal)
            }
        }
    }
}
