import ArgumentParser
import Engine
import Files
import Inputs
import Streams

struct RowsCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "rows",
        abstract: "Make a report of rows that `map` and `reduce` have written.",
        discussion: """
            Reads what `audit map --csv` and `audit reduce --csv` write, and writes the rows of one table \
            as CSV, as `audit run --report` does, with the header first. Rows of fraud are sorted as those \
            of a run are, in memory up to 256 MB and else in $TMPDIR or /var/tmp; others come in the order of \
            the input. Lines that are no rows are passed by.

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
