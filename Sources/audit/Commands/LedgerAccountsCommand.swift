import ArgumentParser
import Checks
import Encodings
import Files
import Inputs
import Ledgers
import Reports

struct LedgerAccountsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "Give accounts in a ledger new ids, after the company did.",
        discussion: """
            MAP is a CSV file with a header and two columns: the old ids, as exports had them, and the new ones. They must \
            be one to one. Claims, findings and reviews of the old ids then have the new ones, and the next run over an \
            export with the new ids finds nothing new. The ids of claims stay as they were. What the ledger does not have \
            is ignored, and counted.

            Take back a run over the new ids first (audit forget --run). Change ids in the policy's allow lists yourself.

            EXAMPLES
              audit ledger accounts map.csv --state ledger.db
              audit ledger accounts map.csv --state ledger.db --pseudonymise key

            EXIT CODES
              0    done
              2    MAP is not one to one, the ledger has none of its old ids or already
                   has a new one, or cannot be read or written; nothing was changed
              64   wrong usage
            """
    )

    @Option(help: ArgumentHelp("The ledger.", valueName: "file"), completion: .file())
    var state: String

    @Option(
        help: ArgumentHelp(
            "The key of the ledger's pseudonyms. MAP has original ids.", valueName: "keyfile"))
    var pseudonymise: String?

    @Argument(help: ArgumentHelp("The old and the new ids.", valueName: "map"), completion: .file())
    var map: String

    /// The maximum size of the file, which is held in memory.
    private static let maxBytes = 1 << 28

    func run() throws {
        let console = Console()
        try console.answer {
            let migration = try migration()
            let counts = try Ledger.rename(migration, in: state)
            guard counts.accounts > 0 else {
                throw CommandError(
                    "\(TerminalText.escaped(state)) has none of the \(counted(migration.count, "account")) of "
                        + "\(TerminalText.escaped(map)); nothing was changed. Are the old ids in its first column, written as "
                        + "in the exports?")
            }
            console.say(
                "\(counted(counts.accounts, "account")) of \(migration.count) have new ids, with "
                    + "\(counted(counts.claims, "claim")), \(counted(counts.findings, "finding")) and "
                    + "\(counted(counts.reviews, "review"))")
        }
    }

    private func migration() throws -> AccountMigration {
        let file = TerminalText.escaped(map)
        let pseudonyms = try pseudonymise.map { try Pseudonyms(key: PseudonymKey.key(in: $0, ofLedger: state)) }
        if pseudonyms == nil, try LedgerHistory(state).origin?.pseudonymKey != nil {
            throw CommandError(
                "\(TerminalText.escaped(state)) was made with pseudonyms: give the key they were made with (--pseudonymise)"
            )
        }
        let bytes = try FileContents.bytes(of: map, limit: Self.maxBytes)
        guard bytes.count <= Self.maxBytes else {
            throw CommandError("\(file) is larger than 256 MiB")
        }
        guard let rows = CSVRows.read(saved: bytes), let header = rows.first, header.count == 2 else {
            throw CommandError("\(file) is not CSV with two columns, the old ids and the new ones")
        }
        var migration = AccountMigration()
        for (index, row) in rows.enumerated() where row != [""] {
            let place = "row \(index + 1) of \(file)"
            guard row.count == 2 else { throw CommandError("\(place) has \(counted(row.count, "cell")), not 2") }
            let (old, new) = (account(row[0], pseudonyms), account(row[1], pseudonyms))
            if index == 0 {
                guard try !LedgerReader(state).hasAccount(old.id) else {
                    throw CommandError(
                        "\(place) is read as the header, and names an account of the ledger: add a header")
                }
                continue
            }
            guard !old.id.isEmpty, !new.id.isEmpty else {
                throw CommandError("\(place) has a cell that names no account")
            }
            guard old.id != new.id || old.written != new.written else { continue }
            guard migration.insert(written: old.written, old.id, new.id) else {
                throw CommandError("\(place) has an id that another row has, too: the ids must be one to one")
            }
        }
        if let failure = pseudonyms?.failure { throw failure }
        return migration
    }

    /// Returns an id as in claims, and in the form in which accounts are compared; that is empty for a placeholder.
    private func account(_ cell: String, _ pseudonyms: Pseudonyms?) -> (written: ExactText, id: ExactText) {
        var claim = Claim(source: "")
        claim.accountID = ExactText(cell.trimmed)
        guard let pseudonyms, !claim.account.isEmpty else { return (claim.accountID, claim.account) }
        let pseudonym = pseudonyms.subject("account:\(claim.account)").rest(behind: "account:") ?? ""
        return (pseudonym, pseudonym)
    }
}
