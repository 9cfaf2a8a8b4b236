import ArgumentParser
import SampleStore

/// `audit-lab honest DIR`: writes the claims of a simulated population.
struct HonestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "honest",
        abstract: "Write the claims of a simulated population of honest users over three years.",
        usage: "audit-lab honest <dir> [<options>]",
        discussion: """
            Writes DIR/claims.ndjson, DIR/evidence.ndjson (what Apple told the server), DIR/truth.ndjson with the \
            person of each claim, DIR/support.ndjson (what the tables unclaimed and refund_requests must have), \
            DIR/root.cer (the trust anchors), DIR/policy.yml (the products of the simulated apps), DIR/world.json (the parameters) and \
            DIR/README.md. None of it is fraud: every accusation is a false alarm. The same count and seed give the \
            same bytes. docs/honest-world.md explains the simulation.

            EXAMPLES
              audit-lab honest people --count 1000 --seed 7
              audit run people/claims.ndjson --evidence people/evidence.ndjson \\
                --root people/root.cer --policy people/policy.yml --as-of 2026-06-30
            """
    )

    @OptionGroup var export: ExportOptions

    @Option(help: "How many people to simulate.")
    var count = 1000

    @Option(
        help: ArgumentHelp(
            "Write only the people from this index, so that parts can be made in parallel.", valueName: "index"))
    var first = 0

    @Flag(
        help:
            "Also write sales reports of 365 days to DIR/sales, with units that nothing shows (DIR/missing.ndjson)."
    )
    var sales = false

    func validate() throws {
        guard count >= 0 else { throw ValidationError("--count must not be negative.") }
        guard (0...count).contains(first) else { throw ValidationError("--first must be from 0 to --count.") }
    }

    func run() throws {
        let world = try HonestWorld(persons: first..<count, seed: export.seed)
        let summary = try HonestFolder(export.folder).write(
            world, withSales: sales, replacing: export.force,
            progress: Progress(total: count - first, unit: "people").show)
        Written.say(
            "\(summary.claims) claims of \(summary.persons) honest people and \(summary.testers) testers; "
                + "truth.ndjson names the person of each", to: export.folder)
    }
}
