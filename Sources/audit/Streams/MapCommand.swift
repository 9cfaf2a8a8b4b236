import ArgumentParser
import Engine
import Files
import Inputs
import Streams

struct MapCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: "Check claims one by one, as a filter: the first half of `run`.",
        discussion: """
            Reads claims from standard input, and writes lines KEY<TAB>RECORD to standard output, for \
            an engine that sorts the lines by key and passes them to `audit reduce`. Rows of reports that \
            are final already are lines of NDJSON, without a key, each with its `table`. The last line \
            has the counts.

            Every claim is identified by the number of its input and of its line. Claims have the same \
            names as in `audit run`, NAME:LINE or the path, however their file is split.

            EXAMPLES
              audit map --as-of 2026-06-30 --name export.ndjson < export.ndjson > lines
              tail -n +5001 export.ndjson | audit map --as-of 2026-06-30 --name export.ndjson --first-line 5001
              audit map --as-of 2026-06-30 --format csv --name table.csv --root-folder receipts < table.csv

            EXIT CODES
              0    done; unreadable claims are results, not failures
              2    the command failed
              64   wrong usage
              130  interrupted (143: terminated)
            """
    )

    @OptionGroup var options: StreamOptions

    @Option(
        help: ArgumentHelp(
            "The format of the input: ndjson, csv, or paths of one receipt file a line.", valueName: "format"))
    var format = StreamInput.Form.ndjson

    @Option(help: ArgumentHelp("The part before the line number in the name of a claim.", valueName: "name"))
    var name = "stdin"

    @Option(
        help: ArgumentHelp("The number of the first line, if earlier lines are in another part.", valueName: "n"))
    var firstLine = 1

    @Option(help: ArgumentHelp("The number of the input, from 0, if there are several.", valueName: "n"))
    var inputNumber = 0

    @Flag(help: "The input is compressed with gzip.")
    var gzip = false

    @Option(help: ArgumentHelp("The folder of the files that claims name.", valueName: "folder"))
    var rootFolder = "."

    @Flag(help: "Write rows of the table purchases, too.")
    var purchases = false

    @Option(help: "The number of threads that check receipts, at most \(OrderedPipeline.workerRange.upperBound).")
    var workers = 1

    func validate() throws {
        try WorkerCount.validate(workers)
        guard (1...MapStream.maxLines).contains(firstLine) else {
            throw ValidationError("--first-line must be from 1 to \(MapStream.maxLines).")
        }
        guard (0..<MapStream.maxInputs).contains(inputNumber) else {
            throw ValidationError("--input-number must be from 0 to \(MapStream.maxInputs - 1).")
        }
        guard format != .csv || firstLine == 1 else {
            throw ValidationError("--format csv does not work with --first-line: a table starts with its header.")
        }
    }

    var requirements: Requirements { Requirements(workers: workers, memory: 64 << 20) }

    func filter(to output: OutputFile) throws {
        let (settings, _) = try options.load()
        let source = try StreamInput(
            format, name: name, firstLine: firstLine, isCompressed: gzip, rootFolder: rootFolder)
        let isStopped: @Sendable () -> Bool = { Interruption.signal != 0 }
        try MapStream(settings, workers: workers, withPurchases: purchases).run(
            source, input: inputNumber, isStopped: isStopped
        ) {
            try output.write($0)
        }
    }
}

extension StreamInput.Form: ExpressibleByArgument {}
