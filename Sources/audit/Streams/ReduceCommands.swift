import ArgumentParser
import Files
import Inputs
import Reports
import Streams

struct CombineCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "combine",
        abstract: "Sum up what parts of a large group say, as a filter between `map` and `reduce`.",
        discussion: """
            For keys that very many claims have in common, so that several processes can share one. Reads \
            lines KEY<TAB>JSON from standard input, of which those of one key must stand together, and writes \
            one line for each key, which does not grow with the number of claims. Sums can be summed up again. \
            A divided group is judged in four steps, each in any number of processes but the last:

              combine   what each part has of the group: a line with the key 1KEY
              combine   those of all parts together
              reduce    1KEY, then the part: which claims findings are about, and a line with the key 2KEY
              reduce    1KEY, then 2KEY of all parts: findings, subscriptions (all of a key in one process)

            docs/scale.md tells when that is worth it.

            EXAMPLES
              grep -h '^t350001' part-1 | audit combine --as-of 2026-06-30 > sum-1
              LC_ALL=C sort sum-1 sum-2 | audit combine --as-of 2026-06-30 > sum
              (cat sum; grep -h '^t350001' part-1) | audit reduce --as-of 2026-06-30 > found-1
              (cat sum; grep -h '^2' found-1 found-2 | LC_ALL=C sort) | audit reduce --as-of 2026-06-30

            EXIT CODES
              0    done
              2    the job could not be done: lines of another version, or that are damaged
              64   wrong usage
              130  interrupted (143: terminated)
            """
    )

    @OptionGroup var options: StreamOptions

    func filter(to output: OutputFile) throws {
        let (settings, _) = try options.load()
        var lines = try InputLines()
        var stream = CombineStream(settings)
        try stream.run(&lines, isStopped: { Interruption.signal != 0 }) { try output.write($0) }
    }
}

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
