import ArgumentParser
import Engine
import Files
import Inputs
import Streams

struct MapCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: "Checker claims one by one, as a filter: the first half of `run`.",
        discussion: """
            Reads claims from standard input, and writes lines KEY<TAB>JSON to standard output, for an \
            engine that brings together the lines of one key and hands them to `audit reduce`. Rows of \
            reports that are known already are lines of NDJSON, without a key, each with its `table`. \
            Nothing is kept but counts, which are the last line.

            Every claim has a place of its own, made of the number of its input and of its line, and is \
            called NAME:LINE, or by its path, however its file is split.

            EXAMPLES
              audit map --as-of 2026-06-30 --name export.ndjson < export.ndjson > lines
              tail -n +5001 export.ndjson | audit map --as-of 2026-06-30 --name export.ndjson --first-line 5001
              audit map --as-of 2026-06-30 --format csv --name table.csv --root-folder receipts < table.csv

            EXIT CODES
              0    done; unreadable claims are results, not failures
              2    the job could not be done
              64   wrong usage
              130  interrupted (143: terminated)
            """
    )

    @OptionGroup var options: StreamOptions

    @Option(help: ArgumentHelp("What comes in: ndjson, csv or paths, one receipt file a line.", valueName: "format"))
    var format = StreamInput.Form.ndjson

    @Option(help: ArgumentHelp("What stands before the line in the name of a claim.", valueName: "name"))
    var name = "stdin"

    @Option(
        help: ArgumentHelp("The number of the first line, where others come before in another part.", valueName: "n"))
    var firstLine = 1

    @Option(help: ArgumentHelp("The number of the input, from 0, if there are several.", valueName: "n"))
    var inputNumber = 0

    @Flag(help: "What comes in is compressed with gzip.")
    var gzip = false

    @Option(help: ArgumentHelp("The folder that holds the files that claims name.", valueName: "folder"))
    var rootFolder = "."

    @Option(help: "How many threads judge receipts, at most \(OrderedPipeline.workerRange.upperBound).")
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
            throw ValidationError("A table is read from its header on: --format csv goes without --first-line.")
        }
    }

    var requirements: Requirements { Requirements(workers: workers, memory: 64 << 20) }

    func filter(to output: OutputFile) throws {
        let (settings, _) = try options.load()
        let source = try StreamInput(
            format, name: name, firstLine: firstLine, isCompressed: gzip, rootFolder: rootFolder)
        let isStopped: @Sendable () -> Bool = { Interruption.signal != 0 }
        try MapStream(settings, workers: workers).run(source, input: inputNumber, isStopped: isStopped) {
            try output.write($0)
        }
    }
}

extension StreamInput.Form: ExpressibleByArgument {}
