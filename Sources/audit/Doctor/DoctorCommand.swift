import ArgumentParser
import Files

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look at what a run stands on: libraries, trust anchors, limits, its ledger.",
        discussion: """
            Nothing is asked over the network. Holes in OpenSSL are those that this version of audit \
            knows of, in code that a receipt may reach; whether they are fixed is told by OpenSSL's \
            version, or by the changelog of Debian's package.

            EXAMPLES
              audit doctor
              audit doctor --state state.db
              audit doctor --json | jq '.findings[] | select(.outcome != "good")'

            EXIT CODES
              0    a run can be relied on
              1    there is a problem
              2    a root cannot be loaded
              64   wrong usage
            """
    )

    @OptionGroup var trust: TrustOptions

    @Option(
        help: ArgumentHelp("A ledger to read from end to end.", valueName: "file"), completion: .file())
    var state: String?

    @Flag(help: "Write JSON.")
    var json = false

    func run() throws {
        let console = Console()
        try console.answer {
            let diagnosis = Doctor(
                packages: DebianPackages(), anchors: try trust.anchors(), now: Clock.now,
                temporaryFolder: RunSettings.temporaryFolder, state: state
            ).diagnosis()
            let text = json ? try diagnosis.json : diagnosis.lines.map { $0 + "\n" }.joined()
            try console.write(text)
            if diagnosis.hasProblem { throw ExitCode(1) }
        }
    }
}
