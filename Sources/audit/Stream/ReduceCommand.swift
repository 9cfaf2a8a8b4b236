import ArgumentParser
import Files
import Inputs
import Reports
import Streams

struct ReduceCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "reduce",
        abstract: "Checker what claims have in common, as a filter: the second half of `run`.",
        discussion: """
            Reads lines KEY<TAB>JSON from standard input, of which those of one key must stand together, \
            and writes rows of reports as NDJSON, each with its `table`, and lines for the next step. What \
            is done depends on the keys:

              r t d a   what claims say of a receipt, transaction, device or account: findings, subscriptions
              j         findings that may be joined: rings (all of them in one process)
              0 c       rings, then claims: rows of the table receipts
              s         counts: the summary, and rows of rings (all of them in one process)

            The steps in this order are a run. jobs/shards.sh is one, with sort(1) for an engine; \
            docs/scale.md tells why there are four.

            EXAMPLES
              grep '^[rtda]' lines | LC_ALL=C sort | audit reduce --as-of 2026-06-30 > found
              grep '^j' found | audit reduce --as-of 2026-06-30 > rings

            EXIT CODES
              0    done
              2    the job could not be done: lines of another version, or that are damaged
              64   wrong usage
              130  interrupted (143: terminated)
            """
    )

    @OptionGroup var options: StreamOptions

    @Option(
        name: .customLong("input"),
        help: ArgumentHelp("What the summary calls an input. Repeat in their order.", valueName: "name"))
    var inputs: [String] = []

    func filter(to output: OutputFile) throws {
        var (settings, run) = try options.load()
        run.inputs = inputs
        var lines = try InputLines()
        var stream = ReduceStream(settings, run, folder: RunSettings.temporaryFolder)
        try stream.run(&lines, isStopped: { Interruption.signal != 0 }) { try output.write($0) }
    }
}
