import ArgumentParser
import Engine
import Files
import Inputs
import Streams

struct RowsCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "rows",
        abstract: "Make a CSV report of the rows that `map` and `reduce` write.",
        discussion: """
            Reads the output of `audit map --csv` and `audit reduce --csv`, and writes the rows of one table \
            as CSV with a header, as `audit run --report` does. Rows of fraud are sorted as in a run, in 256 MB \
            of memory, from where the excess spills to $TMPDIR or /var/tmp; others stay in the order of the \
            input. Other lines are skipped.

            EXAMPLES
              audit rows receipts < joined > receipts.csv
            """
    )

    @Argument(help: ArgumentHelp("receipts, fraud, subscriptions or summary.", valueName: "table"))
    var table: String

    private static let memory = 256 << 20

    var requirements: Requirements { Requirements(workers: 1, memory: Self.memory) }

    private var rows: RowsToCSV? {
        RowsToCSV(table, Storage(memory: Self.memory, folder: RunSettings.temporaryFolder))
    }

    func validate() throws {
        guard rows == nil else { return }
        let known = RowsToCSV.tables.map(\.name).joined(separator: ", ")
        throw ValidationError("There is no table of this name; known are \(known).")
    }

    func filter(to output: OutputFile) throws {
        guard let rows else { return }
        var lines = try InputLines()
        try rows.run(&lines) { try output.write($0) }
    }
}
