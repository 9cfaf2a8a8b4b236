import ArgumentParser
import Engine
import Files
import Inputs
import Reports
import Streams

struct ReduceCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "reduce",
        abstract: "Check the claims that share a key, as a filter: the second half of `run`.",
        usage: "audit reduce --as-of <time> [<options>]",
        discussion: """
            Reads lines KEY<TAB>RECORD from standard input, sorted by key in the C locale (others are \
            refused), and writes rows of reports as NDJSON, each with its `table`, and lines for the next step. The first letter of a key is the step:

              #         the forms of accounts, which every process that reads lines
                        r t d a b n p u, c or f needs, of all maps
              r t d a   claims of one receipt, transaction, device or account (b n p u:
                        app, nonce, person, UUID of an account): findings,
                        subscriptions
              j         findings that may be joined: rings (all of them in one process)
              0 c       rings, then claims: rows of the table receipts
              f         findings: rows of the tables fraud and links
              e         accounts, devices and so on that findings are about: rows of
                        the tables entities, refund_requests and unclaimed
              s         counts of all steps: the summary (all of them in one process)

            The steps in this order are a run. The last one compares what all processes wrote and read, and ends with 2 \
            if lines are missing, doubled or changed. jobs/shards.sh is an example that uses sort(1); \
            docs/scale.md explains the steps.

            EXAMPLES
              grep '^[#rtdabnpu]' lines | LC_ALL=C sort | \\
                audit reduce --as-of 2026-06-30 > found
              grep '^j' found | audit reduce --as-of 2026-06-30 > rings

            EXIT CODES
              0    done
              2    the command failed, for example because of lines that are damaged,
                   missing or of another version
              3    done, but the summary is of inputs that are mostly unreadable, are
                   empty or have fewer claims than --min-claims, or no evidence counts
              64   wrong usage
              130  interrupted (143: terminated)
            """
    )

    @OptionGroup var options: StreamOptions

    @Option(
        name: .customLong("input"),
        help: ArgumentHelp("The name of an input in the summary. Repeat for more, in their order.", valueName: "name"))
    var inputs: [String] = []

    @Option(
        name: .customLong("evidence"),
        help: ArgumentHelp("The name of evidence in the summary. Repeat for more, in their order.", valueName: "name"))
    var evidence: [String] = []

    @OptionGroup var limits: InputLimitsOptions

    @OptionGroup var unclaimed: UnclaimedOption

    func filter(to output: OutputFile) throws {
        var (settings, run) = try options.load()
        run.inputs = inputs
        run.evidence = evidence
        settings.unclaimed = unclaimed.terms()
        var lines = try InputLines()
        var stream = try ReduceStream(settings, run, folder: RunSettings.temporaryFolder)
        try stream.run(&lines, isStopped: { Interruption.signal != 0 }) { try output.write($0) }
        guard let tally = stream.countedClaims else { return }
        let log = RunLog(.text, isQuiet: false)
        log.warn(of: stream.omissions)
        let checked = CheckedInput.all(named: inputs, stream.countedInputs)
        let evidence = EvidenceDoubts(stream.countedEvidence)
        let complaints =
            InputLimits(limits).complaints(tally, checked, stream.omissions, asOf: options.asOf)
            + evidence.complaints
        let doubts =
            RepeatedInputs.doubts(named: inputs)
            + InputLimits.doubts(tally, checked, stream.omissions) + stream.spellings.sentences
        for doubt in doubts + complaints.map(\.text) { log.warnAlways(doubt) }
        if let advice = InputLimits.deviceAdvice(tally) { log.warn(advice) }
        if let warning = evidence.warning(besides: stream.namedApps) { log.warnAlways(warning) }
        log.warn(ofNewerForms: tally.newerForms)
        log.warn(of: stream.unknown)
        if !complaints.isEmpty { throw ExitCode(3) }
    }
}

struct RowsCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "rows",
        abstract: "Make a CSV report of the rows that `map` and `reduce` write.",
        discussion: """
            Reads the output of `audit map --csv` and `audit reduce --csv`, and writes the rows of one table as CSV \
            with a header, as `audit run --report` does. Rows of fraud and entities are sorted as in a run, in 256 MB \
            of memory; the excess spills to $TMPDIR or /var/tmp. Other tables keep the order of the input. Other \
            lines are skipped, except the counts of rows that the last `audit reduce` writes: if they are there, no \
            row may be missing.

            EXAMPLES
              audit rows receipts < joined > receipts.csv
              cat joined counts | audit rows receipts > receipts.csv

            EXIT CODES
              0    done
              2    the command failed, or rows are missing
              64   wrong usage
            """
    )

    private static let tables = ReportRequest.Table.allCases.filter { ReportFormat.csv.holds($0) }.map(\.rawValue)

    @Argument(
        help: ArgumentHelp(
            "\(tables.dropLast().joined(separator: ", ")) or \(tables.last ?? "").", valueName: "table"))
    var table: String

    @Flag(help: "Fail unless a line says how many rows the table has.")
    var whole = false

    private static let memory = 256 << 20

    var requirements: Requirements { Requirements(workers: 1, memory: Self.memory) }

    private var rows: RowsToCSV? {
        RowsToCSV(table, Storage(memory: Self.memory, folder: RunSettings.temporaryFolder), needsEnd: whole)
    }

    func validate() throws {
        guard rows == nil else { return }
        throw ValidationError("There is no table of this name; known are \(Self.tables.joined(separator: ", ")).")
    }

    func filter(to output: OutputFile) throws {
        guard let rows else { return }
        var lines = try InputLines()
        try rows.run(&lines) { try output.write($0) }
    }
}
