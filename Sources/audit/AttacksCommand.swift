import ArgumentParser
import Encodings
import Files
import SampleStore

/// `audit attacks DIR`: writes the attack suite.
struct AttacksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attacks",
        abstract: "Write the attack suite: forged receipts with which any verifier can be tested.",
        discussion: """
            Writes DIR/cases with one JSON file for each forgery (what it is, why it is wrong, the proof, \
            the device, the trust anchors, and the expected verdict), some of them controls that are \
            genuine; an index, a schema and a README. The same bytes each time. docs/attacks.md tells how to \
            run another implementation against it.

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
        do {
            try AttackFolder(folder).write(replacing: force)
            let controls = AttackSuite.cases.filter(\.isControl).count
            ErrorOutput.write(
                "\(TerminalText.escaped(folder)): \(AttackSuite.cases.count - controls) forgeries and \(controls) controls; "
                    + "README.md lists them\n")
        } catch {
            ErrorOutput.write("audit attacks: \(ErrorText.safe(error))\n")
            throw ExitCode(2)
        }
    }
}
