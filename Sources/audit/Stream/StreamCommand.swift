import ArgumentParser
import Engine
import Files

/// A command that is a filter: lines in, lines out.
protocol StreamCommand: ParsableCommand {
    /// What the command needs of the system.
    var requirements: Requirements { get }
    /// Works until the end of standard input.
    func filter(to output: OutputFile) throws
}

extension StreamCommand {
    /// For a filter with one thread, which sorts little.
    var requirements: Requirements { Requirements(workers: 1, memory: 64 << 20) }

    mutating func run() throws {
        Interruption.watch()
        try Console().answer(as: "audit \(Self._commandName)") {
            try requirements.check()
            do {
                try filter(to: try OutputFile(replacing: "-"))
            } catch is Interrupted {
                throw ExitCode(128 + Interruption.signal)
            }
        }
    }
}
