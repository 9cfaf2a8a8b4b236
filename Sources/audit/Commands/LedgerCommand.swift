import ArgumentParser
import Encodings
import Engine
import Files
import Inputs
import Ledgers

struct LedgerCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check that a ledger is undamaged, and with --verify that it matches its inputs.",
        usage: """
            audit ledger check --state <file>
            audit ledger check --verify <run-argument> ...
            """,
        discussion: """
            Checks the checksum of every row, and the modes and owners of the ledger's files. \
            Checksums detect a failing disk, but not a change by a user who can write the ledger.

            With --verify, the inputs are audited twice: with the results in the ledger, and without them, so \
            that every signature is verified and every claim is checked. Both must write the same reports, in every \
            format. Give the arguments of the run: its job, or its INPUTs and options. No report is put in place, and \
            the ledger is only read. Claims that are no longer in the inputs, and the dates when findings were first \
            seen, cannot be verified.

            EXAMPLES
              audit ledger check --state ledger.db
              audit ledger check --verify --job nightly.yml
              audit ledger check --verify --state ledger.db \\
                receipts/ --report out.csv --policy policy.yml

            EXIT CODES
              0    the ledger is sound
              1    it is damaged, others can write it, or it does not match its inputs
              2    it cannot be read, or no stored result was used
              64   wrong usage
              130  SIGINT (143: SIGTERM, 129: SIGHUP)
            """
    )

    @Option(help: ArgumentHelp("The ledger, if the job does not name it.", valueName: "file"), completion: .file())
    var state: String?

    @Flag(help: "Audit the inputs again, and compare.")
    var verify = false

    @Flag(help: "Write JSON.")
    var json = false

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("With --verify: the arguments of `audit run`.", valueName: "run-argument"))
    var runArguments: [String] = []

    func validate() throws {
        if verify {
            _ = try runCommand()
        } else {
            guard state != nil else { throw ValidationError("Missing expected argument '--state <file>'") }
            guard runArguments.isEmpty else {
                throw ValidationError("Arguments of `audit run` need --verify.")
            }
        }
    }

    func run() throws {
        Interruption.watch()
        let console = Console()
        try console.answer {
            var diagnosis = Diagnosis()
            let isReadable = try check(&diagnosis)
            try diagnosis.write(to: console, asJSON: json)
            if diagnosis.hasProblem { throw ExitCode(isReadable ? 1 : 2) }
        }
    }

    /// - Returns: whether the ledger could be read.
    private func check(_ diagnosis: inout Diagnosis) throws -> Bool {
        guard verify else { return diagnosis.addLedger(state ?? "") }
        var command = try runCommand()
        var settings = try RunSettings(command)
        guard let state = settings.state else {
            throw CommandError("no ledger is named: give --state, or a job that has “state”")
        }
        guard diagnosis.addLedger(state.path) else { return false }
        // Blocks are valid for some reference times, at least for that of the run that checked them.
        if command.time.asOf == nil, let last = try LedgerHistory(state.path).runs.last {
            command.time.asOf = last.asOf
            settings = try RunSettings(command)
        }
        let verification = try LedgerVerification(settings, state.path)
        guard verification.replayed > 0 else {
            throw CommandError(
                "\(state.written) has no results for these inputs, reports and settings, so nothing could be verified: "
                    + "give the arguments of its runs")
        }
        diagnosis.addVerification(verification)
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

struct LedgerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "Check or copy the ledger that runs write with --state.",
        subcommands: [LedgerCheckCommand.self, LedgerBackupCommand.self]
    )
}

struct LedgerBackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a ledger, even while a run is writing it.",
        discussion: """
            The copy is the ledger as the last completed run left it. Every row is checked before the copy replaces an \
            older one; a damaged ledger replaces nothing. The copy is a ledger that only its owner can read: `audit \
            ledger check` checks it, and a run continues from it once it replaces the ledger and the old files \
            LEDGER-wal and LEDGER-shm are deleted. It contains the same identifiers, so run `audit forget` on it, too.

            EXAMPLES
              audit ledger backup --state ledger.db /backup/ledger.db
              audit ledger backup --state ledger.db "/backup/ledger-$(date +%F).db"

            EXIT CODES
              0    done
              1    the ledger is damaged; the older copy is as it was
              2    the ledger cannot be read, or the copy not written
              64   wrong usage
              130  SIGINT (143: SIGTERM, 129: SIGHUP)
            """
    )

    @Option(help: ArgumentHelp("The ledger.", valueName: "file"), completion: .file())
    var state: String

    @Argument(help: ArgumentHelp("The copy: a new file, or an older copy.", valueName: "copy"), completion: .file())
    var copy: String

    func run() throws {
        Interruption.watch()
        let console = Console()
        try console.answer {
            do {
                let health = try LedgerBackup(of: state, to: copy).health
                let run = health.lastRun.map { "run \($0.id) as of \($0.asOf)" } ?? "no run"
                console.say("\(copy): \(run), \(health.size >> 10) KiB, undamaged")
            } catch let error as LedgerError {
                guard case .damaged = error else { throw error }
                console.fail(error)
                throw ExitCode(1)
            }
        }
    }
}
