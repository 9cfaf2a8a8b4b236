import ArgumentParser
import SampleStore

struct SampleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample",
        abstract: "Write a made-up export: receipts of a private test store, some of them forged.",
        discussion: """
            Writes DIR/receipts with a devices.csv, DIR/root.cer (the trust anchor) and \
            DIR/README.md (which claim is what). The same count, seed and rate give the \
            same bytes.

            EXAMPLES
              audit sample demo --count 1000 --seed 7
              audit run demo/receipts --root demo/root.cer --as-of 2026-06-30T00:00:00Z
            """
    )

    @Argument(help: ArgumentHelp("The folder to write to: new, or empty.", valueName: "dir"))
    var folder: String

    @Option(help: "How many claims to make.")
    var count = 1000

    @Option(help: "What the made-up values are drawn from.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The share of forged claims, from 0 to 1.", valueName: "rate"))
    var fraud = 0.1

    @Flag(help: "Replace an export that this command made before.")
    var force = false

    func validate() throws {
        guard count >= 0 else { throw ValidationError("--count must not be negative.") }
        guard (0...1).contains(fraud) else { throw ValidationError("--fraud must be from 0 to 1.") }
    }

    func run() throws {
        do {
            let export = try SampleExport(count: count, seed: seed, forgeryShare: fraud)
            let summary = try ExportFolder(folder).write(export, replacing: force, progress: report)
            StandardError.write(
                "\(folder): \(summary.claims) claims, \(summary.claims - summary.genuine) of them forged; "
                    + "README.md says which is which\n")
        } catch {
            StandardError.write("audit sample: \(error)\n")
            throw ExitCode(2)
        }
    }

    /// Shows how far it has come, if that takes long enough for anybody to ask.
    private func report(done: Int) {
        guard count >= 5000, StandardError.isTerminal else { return }
        StandardError.write("\r\(done) of \(count) claims" + (done == count ? "\n" : ""))
    }
}
