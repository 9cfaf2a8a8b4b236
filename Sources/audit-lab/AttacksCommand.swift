import ArgumentParser
import SampleStore

/// `audit-lab attacks DIR`: writes the attack suite.
struct AttacksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attacks",
        abstract: "Write the attack suite: forged receipts and tokens to test any verifier.",
        discussion: """
            Writes DIR/cases with one JSON file for each forgery, and for genuine proofs beside them as controls: what it \
            is, why it is wrong, the proof, the device, the trust anchors and the expected verdict. Beside the cases are \
            an index, a schema and a README. The bytes are reproducible. docs/attacks.md explains how to test other implementations.

            EXAMPLES
              audit-lab attacks suite
              Tests/Attacks/run.py suite --command \\
                'audit=audit inspect {proof} --root {roots} --as-of {as_of} …'
            """
    )

    @Argument(help: ArgumentHelp("The folder to write to: new, or empty.", valueName: "dir"))
    var folder: String

    @Flag(help: "Replace a suite that this command wrote before.")
    var force = false

    func run() throws {
        try AttackFolder(folder).write(replacing: force)
        let controls = AttackSuite.cases.count(where: \.isControl)
        Written.say(
            "\(AttackSuite.cases.count - controls) forgeries and \(controls) controls; README.md lists them", to: folder
        )
    }
}
