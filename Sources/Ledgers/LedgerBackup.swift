internal import Files

/// A copy of a ledger, checked before it replaces an older one.
public struct LedgerBackup: Sendable {
    /// The content of the copy.
    public let health: LedgerHealth

    /// Copies the ledger as its last change left it. A run may be going on.
    ///
    /// An older copy stays in place until the new one is complete, or if that fails.
    ///
    /// - Parameters:
    ///   - path: the ledger.
    ///   - place: a new file, or an older copy.
    /// - Throws: ``LedgerError`` if the ledger cannot be read or is damaged, or the other file is in use or not a
    ///   ledger; `FileError` if the copy cannot be written.
    public init(of path: String, to place: String) throws {
        let file = try Self.output(place, ledger: path)
        try file.write(contentsOf: path)
        health = try LedgerHealth(of: file.temporaryPath ?? place)
        if let fault = health.fault { throw LedgerError.damaged(path: path, reason: fault) }
        try file.finish()
        try file.publish()
    }

    private static func output(_ place: String, ledger: String) throws -> OutputFile {
        if let isRegular = FileContents.isRegular(place) {
            guard isRegular else { throw LedgerError.storage(path: place, reason: "it is not a file") }
            guard OutputFile.resolved(place) != OutputFile.resolved(ledger) else {
                throw LedgerError.storage(path: place, reason: "it is the ledger itself")
            }
            // Another ledger may be in use; any other file is there by mistake.
            guard let lock = try LockedFile(place, isMade: false) else { throw LedgerError.busy(path: place) }
            _ = try LedgerHeader.check(try lock.head(LedgerHeader.size), path: place)
        }
        return try OutputFile(replacing: place)
    }
}
