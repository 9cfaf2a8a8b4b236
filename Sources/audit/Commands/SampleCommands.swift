import ArgumentParser
import Encodings
import Files
import SampleStore

struct SampleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample",
        abstract: "Write a sample export: receipts and tokens of a private test store, some of them forged.",
        usage: "audit sample <dir> [<options>]",
        discussion: """
            Writes DIR/receipts with a devices.csv, DIR/root.cer (the trust anchors), DIR/policy.yml (the products of \
            the sample apps), DIR/truth.json (every finding that an audit must report) and DIR/README.md (the kinds of \
            claims); with tokens also DIR/evidence.ndjson (notifications, for --evidence). The same count, seed and \
            shares give the same bytes.

            With --honest it writes a simulated population of honest users over three years instead: \
            DIR/claims.ndjson, and DIR/truth.ndjson with the person of each claim. Every accusation is a false alarm. \
            docs/honest-world.md explains the simulation.

            EXAMPLES
              audit sample demo --count 1000 --seed 7
              audit sample people --honest --count 1000 --seed 7
              audit run demo/receipts --root demo/root.cer \\
                --policy demo/policy.yml --as-of 2026-06-30
            """
    )

    @Argument(help: ArgumentHelp("The folder to write to: new, or empty.", valueName: "dir"))
    var folder: String

    @Option(help: "How many claims to make; with --honest, how many persons.")
    var count = 1000

    @Option(help: "The seed of the random values.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The share of forged claims, from 0 to 1 (default: 0.1).", valueName: "rate"))
    var fraud: Double?

    @Option(
        help: ArgumentHelp(
            "The share of claims in planted frauds, which only rules find, from 0 to 1 (default: 0.08).",
            valueName: "share"))
    var plants: Double?

    @Option(
        help: ArgumentHelp(
            "The share of StoreKit 2 tokens among honest claims since October 2021, from 0 to 1 (default: 0.2).",
            valueName: "share"))
    var tokens: Double?

    @Option(
        help: ArgumentHelp(
            "Write only the claims (with --honest, the persons) from this index, as a later night adds them. "
                + "Needs --honest or --fraud 0 --plants 0.",
            valueName: "index"))
    var first = 0

    @Flag(help: "Write a population of honest users, without any fraud.")
    var honest = false

    @Flag(help: "Replace an export that this command made before.")
    var force = false

    func validate() throws {
        guard !honest || fraud == nil && plants == nil && tokens == nil else {
            throw ValidationError("--honest takes none of --fraud, --plants and --tokens.")
        }
        guard count >= 0 else { throw ValidationError("--count must not be negative.") }
        guard (0...1).contains(forgeryShare) else { throw ValidationError("--fraud must be from 0 to 1.") }
        guard (0...1).contains(plantShare) else { throw ValidationError("--plants must be from 0 to 1.") }
        guard (0...1).contains(tokenShare) else { throw ValidationError("--tokens must be from 0 to 1.") }
        guard (0...max(0, count)).contains(first) else { throw ValidationError("--first must be from 0 to --count.") }
        guard honest || first == 0 || forgeryShare == 0 && plantShare == 0 else {
            throw ValidationError("--first needs --honest or --fraud 0 --plants 0.")
        }
    }

    private var forgeryShare: Double { fraud ?? 0.1 }
    private var plantShare: Double { plants ?? 0.08 }
    private var tokenShare: Double { tokens ?? 0.2 }

    func run() throws {
        let console = Console()
        try console.answer {
            guard !honest else {
                let world = try HonestWorld(persons: first..<count, seed: seed)
                let summary = try HonestFolder(folder).write(world, replacing: force, progress: report)
                console.say(
                    "\(TerminalText.escaped(folder)): \(summary.claims) claims of \(summary.persons) honest persons "
                        + "and \(summary.testers) testers; truth.ndjson names the person of each")
                return
            }
            let export = try SampleExport(
                count: count, seed: seed, forgeryShare: forgeryShare, plantShare: plantShare, tokenShare: tokenShare)
            let summary = try ExportFolder(folder).write(export, from: first, replacing: force, progress: report)
            console.say(
                "\(TerminalText.escaped(folder)): \(summary.claims) claims, \(summary.forged) of them forged, "
                    + "\(summary.planted) in planted frauds; README.md lists them")
        }
    }

    /// Shows the progress of a large export.
    private func report(done: Int) {
        guard count >= 5000, StandardError.isTerminal else { return }
        let total = honest ? count - first : count
        let things = honest ? "persons" : "claims"
        StandardError.write("\r\(done) of \(total) \(things)" + (done >= total ? "\n" : ""))
    }
}

/// `audit attacks DIR`: writes the attack suite.
struct AttacksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attacks",
        abstract: "Write the attack suite: forged receipts to test any verifier.",
        discussion: """
            Writes DIR/cases with one JSON file for each forgery (what it is, why it is wrong, the proof, the device, \
            the trust anchors, and the expected verdict), some of them controls that are genuine; an index, a schema \
            and a README. The bytes are reproducible. docs/attacks.md explains how to test other implementations.

            EXAMPLES
              audit attacks suite
              Tests/Attacks/run.py suite --command \\
                'audit=audit inspect {proof} --root {roots} --as-of {as_of} …'

            EXIT CODES
              0    the suite was written
              2    it could not be written, or DIR holds something else
              64   wrong usage
            """
    )

    @Argument(help: ArgumentHelp("The folder to write to: new, or empty.", valueName: "dir"))
    var folder: String

    @Flag(help: "Replace a suite that this command wrote before.")
    var force = false

    func run() throws {
        let console = Console()
        try console.answer {
            try AttackFolder(folder).write(replacing: force)
            let controls = AttackSuite.cases.count(where: \.isControl)
            console.say(
                "\(TerminalText.escaped(folder)): \(AttackSuite.cases.count - controls) forgeries and \(controls) controls; "
                    + "README.md lists them")
        }
    }
}
