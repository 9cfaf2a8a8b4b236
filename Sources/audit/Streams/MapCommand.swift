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
            Reads claims from standard input, and writes lines KEY<TAB>RECORD to standard output, for an engine that \
            sorts the lines by key and passes them to `audit reduce`. Final rows of reports are lines of NDJSON \
            without a key, each with its `table`. The last line has the counts.

            Every claim is identified by the number of its input and of its line. Claims have the same \
            names as in `audit run`, NAME:LINE or the path, however their file is split.

            EXAMPLES
              audit map --as-of 2026-06-30 --name export.ndjson \\
                < export.ndjson > lines
              tail -n +5001 export.ndjson | audit map --as-of 2026-06-30 \\
                --name export.ndjson --first-line 5001
              audit map --as-of 2026-06-30 --name table.csv \\
                --root-folder receipts < table.csv
              audit map --as-of 2026-06-30 --evidence notifications.ndjson \\
                --evidence-index index < /dev/null > evidence
              audit map --as-of 2026-06-30 --evidence index \\
                --name export.ndjson < export.ndjson > lines

            EXIT CODES
              0    done; unreadable claims are results, not failures
              2    the command failed
              64   wrong usage
              130  interrupted (143: terminated, 129: hung up)
            """
    )

    @OptionGroup var options: StreamOptions

    @Option(
        help: ArgumentHelp(
            """
            The format of the input: ndjson, csv, or paths of one receipt file a line. Without it, the first bytes show \
            whether it is a table or JSON.
            """, valueName: "format"))
    var format: StreamInput.Form?

    @Option(help: ArgumentHelp("The part before the line number in the name of a claim.", valueName: "name"))
    var name = "stdin"

    @Option(
        help: ArgumentHelp("The number of the first line, if earlier lines are in another part.", valueName: "n"))
    var firstLine = 1

    @Option(help: ArgumentHelp("The number of the input, from 0, if there are several.", valueName: "n"))
    var inputNumber = 0

    @Option(
        help: ArgumentHelp(
            """
            Mark this as part k of n of the claims, so that the last step notices a missing one. Give it to \
            all parts or to none.
            """, valueName: "k/n"),
        transform: { text in
            guard let part = MapPart(text) else {
                throw ValidationError("--part is k/n, with k from 1 to n and n at most \(MapPart.maxCount).")
            }
            return part
        })
    var part: MapPart?

    @Option(
        help: ArgumentHelp(
            """
            App Store Server Notifications and API answers as they were stored: a file, a folder, or an index that \
            --evidence-index made. All shards need all of it. Repeatable.
            """, valueName: "input"))
    var evidence: [String] = []

    @Option(
        help: ArgumentHelp(
            "Write an index of the evidence to this file, for the other shards.", valueName: "file"))
    var evidenceIndex: String?

    @Option(help: ArgumentHelp("The folder of the files that claims name.", valueName: "folder"))
    var rootFolder = "."

    @OptionGroup var names: ExportNamesOptions

    @Flag(help: "Also write rows of the table purchases.")
    var purchases = false

    @Option(
        name: [.customLong("workers"), .customShort("j")], parsing: .unconditional,
        help: "The number of threads that check receipts, at most \(OrderedPipeline.workerRange.upperBound).")
    var workers = 1

    func validate() throws {
        try WorkerCount.validate(workers)
        guard (1...MapStream.maxLines).contains(firstLine) else {
            throw ValidationError("--first-line must be from 1 to \(MapStream.maxLines).")
        }
        guard (0..<MapStream.maxInputs).contains(inputNumber) else {
            throw ValidationError("--input-number must be from 0 to \(MapStream.maxInputs - 1).")
        }
        guard evidenceIndex == nil || !evidence.isEmpty else {
            throw ValidationError("--evidence-index needs --evidence.")
        }
        guard format != .csv || firstLine == 1 else {
            throw ValidationError("--format csv does not work with --first-line: a table starts with its header.")
        }
    }

    /// The memory for sorting evidence about purchases, in bytes.
    private static let evidenceMemory = 64 << 20

    var requirements: Requirements {
        Requirements(workers: workers, memory: (64 << 20) + (evidence.isEmpty ? 0 : 2 * Self.evidenceMemory))
    }

    func filter(to output: OutputFile) throws {
        let (settings, _) = try options.load()
        let source = try StreamInput(
            format, name: name, firstLine: firstLine, rootFolder: rootFolder, names: names.names)
        let isStopped: @Sendable () -> Bool = { Interruption.signal != 0 }
        let evidence = try openEvidence(settings)
        let log = RunLog(.text, isQuiet: false)
        if let warning = try options.pseudonymise.flatMap({ try PseudonymKey(readingFrom: $0).warning }) {
            log.warnAlways(warning)
        }
        let stream = MapStream(
            settings, workers: workers, withPurchases: purchases, reading: names.reading, part: part)
        let omissions = try stream.run(
            source, input: inputNumber, evidence: evidence, isStopped: isStopped,
            onIndex: { index, tally in
                if case .source = evidence {
                    log.warn(EvidenceDoubts(tally), table: "audit rows evidence")
                    log.warn(ofNewerForms: tally.newerForms)
                }
                try evidenceIndex.map { path in
                    let file = try OutputFile(replacing: path)
                    try index.write(to: file)
                    try file.finish()
                    try file.publish()
                }
            },
            write: { try output.write($0) })
        log.warn(of: omissions)
    }

    private func openEvidence(_ settings: StreamSettings) throws -> StreamEvidence? {
        guard let first = evidence.first else { return nil }
        guard let index = evidence.first(where: { EvidenceIndex.isIndex($0) }) else {
            let storage = Storage(memory: Self.evidenceMemory, folder: RunSettings.temporaryFolder)
            return .source(try EvidenceSource(evidence.map { GivenPath($0) }), storage)
        }
        guard evidence.count == 1, evidenceIndex == nil else {
            throw CommandError("\(index) is an evidence index: use it alone, and not to make an index")
        }
        return .index(try EvidenceIndex.open(first, settings: settings.fingerprint))
    }
}

extension StreamInput.Form: ExpressibleByArgument {}
