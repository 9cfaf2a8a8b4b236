import ArgumentParser
import SampleStore

/// `audit-lab sample DIR`: writes a sample export.
struct SampleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample",
        abstract: "Write a sample export: receipts and tokens of a private test store, some of them forged.",
        usage: "audit-lab sample <dir> [<options>]",
        discussion: """
            Writes DIR/receipts with a devices.csv, DIR/root.cer (the trust anchors), DIR/policy.yml (the products of \
            the sample apps), DIR/truth.json (every finding that an audit must report) and DIR/README.md (the kinds of \
            claims); with tokens also DIR/evidence.ndjson (notifications, for --evidence). The same count, seed and \
            shares give the same bytes.

            EXAMPLES
              audit-lab sample export --count 1000 --seed 7
              audit run export/receipts --root export/root.cer \\
                --policy export/policy.yml --as-of 2026-06-30
            """
    )

    @OptionGroup var export: ExportOptions

    @Option(help: "How many claims to make.")
    var count = 1000

    @Option(help: ArgumentHelp("The share of forged claims, from 0 to 1.", valueName: "rate"))
    var fraud = 0.1

    @Option(
        help: ArgumentHelp(
            "The share of claims in planted frauds, which only rules find, from 0 to 1.", valueName: "share"))
    var plants = 0.08

    @Option(
        help: ArgumentHelp(
            "The share of StoreKit 2 tokens among honest claims since October 2021, from 0 to 1.", valueName: "share"))
    var tokens = 0.2

    @Option(
        help: ArgumentHelp(
            "Write only the claims from this index, as a later run adds them. Needs --fraud 0 --plants 0.",
            valueName: "index"))
    var first = 0

    func validate() throws {
        guard count >= 0 else { throw ValidationError("--count must not be negative.") }
        for (name, share) in [("fraud", fraud), ("plants", plants), ("tokens", tokens)] {
            guard (0...1).contains(share) else { throw ValidationError("--\(name) must be from 0 to 1.") }
        }
        guard (0...count).contains(first) else { throw ValidationError("--first must be from 0 to --count.") }
        guard first == 0 || fraud == 0 && plants == 0 else {
            throw ValidationError("--first needs --fraud 0 --plants 0.")
        }
    }

    func run() throws {
        let sample = try SampleExport(
            count: count, seed: export.seed, forgeryShare: fraud, plantShare: plants, tokenShare: tokens)
        let summary = try ExportFolder(export.folder).write(
            sample, from: first, replacing: export.force, progress: Progress(total: count, unit: "claims").show)
        Written.say(summary, to: export.folder)
    }
}
