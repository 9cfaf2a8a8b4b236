import ArgumentParser
import Files

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
