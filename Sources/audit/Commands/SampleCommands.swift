import ArgumentParser
import Encodings
import Files
import SampleStore

struct SampleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample",
        abstract: "Write a made-up export: receipts of a private test store, some of them forged.",
        discussion: """
            Writes DIR/receipts with a devices.csv, DIR/root.cer (the trust anchor), \
            DIR/policy.yml (what the made-up apps sell), DIR/truth.json (every finding that an \
            audit must report) and DIR/README.md (which claim is what). The same count, seed \
            and shares give the same bytes.

            EXAMPLES
              audit sample demo --count 1000 --seed 7
              audit run demo/receipts --root demo/root.cer --policy demo/policy.yml --as-of 2026-06-30T00:00:00Z
            """
    )

    @Argument(help: ArgumentHelp("The folder to write to: new, or empty.", valueName: "dir"))
    var folder: String

    @Option(help: "How many claims to make.")
    var count = 1000

    @Option(help: "The seed of the made-up values.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The share of forged claims, from 0 to 1.", valueName: "rate"))
    var fraud = 0.1

    @Option(
        help: ArgumentHelp(
            "The share of claims in planted frauds, which only rules find, from 0 to 1.", valueName: "share"))
    var plants = 0.05

    @Option(
        help: ArgumentHelp(
            "Write only the claims from this index, as a later night adds them. Needs --fraud 0 --plants 0.",
            valueName: "index"))
    var first = 0

    @Flag(help: "Replace an export that this command made before.")
    var force = false

    func validate() throws {
        guard count >= 0 else { throw ValidationError("--count must not be negative.") }
        guard (0...1).contains(fraud) else { throw ValidationError("--fraud must be from 0 to 1.") }
        guard (0...1).contains(plants) else { throw ValidationError("--plants must be from 0 to 1.") }
        guard (0...max(0, count)).contains(first) else { throw ValidationError("--first must be from 0 to --count.") }
        guard first == 0 || fraud == 0 && plants == 0 else {
            throw ValidationError("--first needs --fraud 0 --plants 0.")
        }
    }

    func run() throws {
        let console = Console()
        try console.answer(as: "audit sample") {
            let export = try SampleExport(count: count, seed: seed, forgeryShare: fraud, plantShare: plants)
            let summary = try ExportFolder(folder).write(export, from: first, replacing: force, progress: report)
            console.say(
                "\(TerminalText.escaped(folder)): \(summary.claims) claims, \(summary.forged) of them forged, "
                    + "\(summary.planted) in planted frauds; README.md lists them")
        }
    }

    /// Shows the progress of a large export.
    private func report(done: Int) {
        guard count >= 5000, StandardError.isTerminal else { return }
        StandardError.write("\r\(done) of \(count) claims" + (done == count ? "\n" : ""))
    }
}

/// `audit attacks DIR`: writes the attack suite.
struct AttacksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attacks",
        abstract: "Write the attack suite: forged receipts to test any verifier.",
        discussion: """
            Writes DIR/cases with one JSON file for each forgery (what it is, why it is wrong, the proof, \
            the device, the trust anchors, and the expected verdict), some of them controls that are \
            genuine; an index, a schema and a README. The same bytes each time. docs/attacks.md explains how \
            to test another implementation with it.

            EXAMPLES
              audit attacks suite
              Tests/Attacks/run.py suite --command 'audit=audit inspect {proof} --root {roots} --as-of {as_of} …'

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
        try console.answer(as: "audit attacks") {
            try AttackFolder(folder).write(replacing: force)
            let controls = AttackSuite.cases.count(where: \.isControl)
            console.say(
                "\(TerminalText.escaped(folder)): \(AttackSuite.cases.count - controls) forgeries and \(controls) controls; "
                    + "README.md lists them")
        }
    }
}
