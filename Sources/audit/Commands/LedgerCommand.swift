import ArgumentParser
import Encodings
import Engine
import Files
import Inputs
import Ledgers

struct LedgerCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check that a ledger is undamaged, and with --verify that what it remembers is true.",
        discussion: """
            Every row is held against its checksum, and the modes and owners of the ledger's files \
            are looked at. Checksums notice a failing disk; whoever can write the ledger can compute \
            them, and is trusted.

            With --verify, inputs are audited anew without the ledger: every signature is verified \
            and every block of claims is checked, and what the ledger remembers of them must be the \
            same. Say what the run is given: its job, or its INPUTs and options. No report is \
            written. What the ledger remembers of claims that are no longer in the inputs, and when \
            findings were first seen, cannot be verified.

            EXAMPLES
              audit ledger check --state ledger.db
              audit ledger check --verify --job nightly.yml
              audit ledger check --verify --sample 1 --state ledger.db receipts/ --report out.csv --policy policy.yml

            EXIT CODES
              0    the ledger is as it should be
              1    it is damaged, others can write it, or what it remembers is not true
              2    it cannot be read, or nothing of it could be verified
              64   wrong usage
              130  interrupted (143: terminated, 129: hung up)
            """
    )

    @Option(help: ArgumentHelp("The ledger, if the job does not name it.", valueName: "file"), completion: .file())
    var state: String?

    @Flag(help: "Audit the inputs anew, and compare.")
    var verify = false

    @Option(
        help: ArgumentHelp(
            "How much of the inputs is audited, from 0 to 1: blocks are picked by a hash of their place and of the date, and the first 2,000 claims always.",
            valueName: "share"))
    var sample = 0.1

    @Flag(help: "Write JSON.")
    var json = false

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("With --verify: what `audit run` is given.", valueName: "run-argument"))
    var runArguments: [String] = []

    func validate() throws {
        guard (0...1).contains(sample) else { throw ValidationError("--sample must be from 0 to 1.") }
        if verify {
            _ = try runCommand()
        } else {
            guard state != nil else { throw ValidationError("Missing expected argument '--state <file>'") }
            guard runArguments.isEmpty else {
                throw ValidationError("Without --verify nothing goes with --state.")
            }
        }
    }

    func run() throws {
        Interruption.watch()
        let console = Console()
        try console.answer {
            do {
                var diagnosis = Diagnosis()
                let isReadable = try check(&diagnosis)
                try console.write(json ? diagnosis.json : diagnosis.lines.map { $0 + "\n" }.joined())
                if diagnosis.hasProblem { throw ExitCode(isReadable ? 1 : 2) }
            } catch is Interrupted {
                throw ExitCode(128 + Interruption.signal)
            } catch let conflict as OutputConflict {
                console.fail(conflict)
                throw ExitCode(64)
            }
        }
    }

    /// - Returns: whether the ledger could be read.
    private func check(_ diagnosis: inout Diagnosis) throws -> Bool {
        guard verify else { return LedgerDiagnosis(path: state ?? "").add(to: &diagnosis) }
        var command = try runCommand()
        var settings = try RunSettings(command)
        guard let state = settings.state else { throw MissingState() }
        guard LedgerDiagnosis(path: state.path).add(to: &diagnosis) else { return false }
        // Blocks hold for some dates, certainly for that of the run that judged them.
        if command.time.asOf == nil, let last = try LedgerHistory(state.path).runs.last {
            command.time.asOf = last.asOf
            settings = try RunSettings(command)
        }
        let verified = try settings.verifyLedger(state.path, share: sample)
        guard verified.verification.comparison.compared > 0 else { throw NothingCompared(state: state.written) }
        LedgerDiagnosis(path: state.path).add(verified, to: &diagnosis)
        return true
    }

    private func runCommand() throws -> RunCommand {
        do {
            return try RunCommand.parse(runArguments + (state.map { ["--state", $0] } ?? []))
        } catch {
            throw ValidationError(RunCommand.message(for: error))
        }
    }
}

private struct MissingState: Error, CustomStringConvertible {
    let description = "no ledger is named: give --state, or a job that has “state”"
}

private struct NothingCompared: Error, CustomStringConvertible {
    let state: String

    var description: String {
        """
        \(state) remembers nothing of these inputs, so that nothing could be verified: give what its runs were given, or \
        --sample 1
        """
    }
}

struct LedgerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "Check the ledger that runs keep with --state.",
        subcommands: [LedgerCheckCommand.self]
    )
}
