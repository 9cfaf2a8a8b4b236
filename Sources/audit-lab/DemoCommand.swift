import ArgumentParser
import Files
import SampleStore

/// `audit-lab demo`: writes a sample to `demo`, and the commands that audit it to standard output.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Write a sample to the folder demo, and show the commands that audit it.",
        discussion: """
            Writes 2,000 receipts and tokens with every kind of fraud to the folder demo, as the command sample does, \
            and the commands that audit them to standard output. An earlier demo is written anew; other files beside \
            it stay.

            EXAMPLES
              audit-lab demo
              audit-lab demo | sh
            """
    )

    private static let folder = "demo"

    func run() throws {
        let sample = try SampleExport(count: 2000, seed: 1, forgeryShare: 0.1, plantShare: 0.08, tokenShare: 0.2)
        let summary = try ExportFolder(Self.folder).write(sample, replacing: true)
        Written.say(summary, to: Self.folder)
        try OutputFile(replacing: "-").write(Array(Self.commands.utf8).span)
    }

    private static let commands = """
        audit run \(folder)/receipts --root \(folder)/root.cer --policy \(folder)/policy.yml \\
            --evidence \(folder)/evidence.ndjson --as-of \(SampleExport.asOf) \\
            --report report.html --report fraud=fraud.csv
        audit inspect \(folder)/receipts/devices.csv:2 --root \(folder)/root.cer \\
            --policy \(folder)/policy.yml --as-of \(SampleExport.asOf)

        """
}
