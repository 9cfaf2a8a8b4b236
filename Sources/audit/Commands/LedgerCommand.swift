import ArgumentParser
import Engine
import Files
import Ledgers

struct LedgerCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check that a ledger is undamaged, and that nobody else can write it.",
        discussion: """
            Checks every bit of the ledger and of the one before its last change (LEDGER.previous), and the modes and \
            owners of the files. The digest detects a failing disk, but not a change by a user who can write the ledger.

            EXAMPLES
              audit ledger check --state ledger.db

            EXIT CODES
              0    the ledger is sound
              1    it is damaged, or others can write it
              2    it cannot be read
              64   wrong usage
              130  SIGINT (143: SIGTERM, 129: SIGHUP)
            """
    )

    @Option(help: ArgumentHelp("The ledger.", valueName: "file"), completion: .file())
    var state: String

    @Flag(help: "Write JSON.")
    var json = false

    func run() throws {
        Interruption.watch()
        let console = Console()
        try console.answer {
            var diagnosis = Diagnosis()
            let isReadable = diagnosis.addLedger(state)
            try diagnosis.write(to: console, asJSON: json)
            if diagnosis.hasProblem { throw ExitCode(isReadable ? 1 : 2) }
        }
    }
}

struct LedgerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "Check or copy the ledger that runs write with --state, or give accounts in it new ids.",
        subcommands: [LedgerCheckCommand.self, LedgerBackupCommand.self, LedgerAccountsCommand.self]
    )
}

struct LedgerBackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a ledger, even while a run is writing it.",
        discussion: """
            The copy is the ledger as the last completed run left it. Every bit is checked before the copy replaces an \
            older one; a damaged ledger replaces nothing. The copy is a ledger that only its owner can read: `audit \
            ledger check` checks it, and a run continues from it once it replaces the ledger. It contains the same \
            identifiers, so run `audit forget` on it, too.

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
