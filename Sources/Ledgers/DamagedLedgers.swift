internal import Files

/// The damaged ledgers that runs set aside next to a ledger (`ledger.db.damaged`, `ledger.db.damaged-2`), with their
/// journals. They are never read, so it cannot be known whether they contain what is to be forgotten.
public struct DamagedLedgers: Sendable {
    /// The paths of all files, sorted.
    public let paths: [String]

    public init(beside ledger: String) {
        paths = LockedFile.setAsides(of: ledger, mark: LedgerFiles.mark, with: LedgerFiles.suffixes)
    }

    /// Deletes the files.
    public func remove() throws(LedgerError) {
        for path in paths {
            do throws(FileError) { try LockedFile.removeSetAside(path) } catch { throw LedgerError(error) }
        }
    }
}
