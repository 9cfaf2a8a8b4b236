internal import Files

/// A copy of a ledger, checked before it replaces an older one.
public struct LedgerBackup: Sendable {
    /// The content of the copy.
    public let health: LedgerHealth

    /// Copies the ledger as of its last committed run. A run may be writing it at the same time.
    ///
    /// An older copy stays in place until the new one is complete, or if that fails.
    ///
    /// - Parameters:
    ///   - path: the ledger.
    ///   - place: a new file, or an older copy.
    /// - Throws: ``LedgerError`` if the ledger cannot be read or is damaged, or the other file is in use or not a
    ///   ledger; `FileError` if the copy cannot be written.
    public init(of path: String, to place: String) throws {
        let connection = try LedgerSchema.connection(reading: path)
        let output = try Self.output(place, replacing: connection)
        // Its own statements must be able to write to the copy.
        try connection.execute("PRAGMA query_only=OFF")
        let copy = try Statement(connection, "VACUUM INTO ?1")
        copy.bind(output.path, at: 1)
        try copy.run()
        health = try LedgerHealth(of: output.path)
        if let fault = health.fault { throw LedgerError.damaged(path: path, reason: fault) }
        try output.file.finish()
        try output.file.publish()
    }

    /// Returns the file to write, and the path of its bytes.
    private static func output(
        _ place: String, replacing ledger: Connection
    ) throws -> (file: OutputFile, path: String) {
        if let isRegular = FileContents.isRegular(place) {
            guard isRegular else { throw LedgerError.storage(path: place, reason: "it is not a file") }
            guard OutputFile.resolved(place) != OutputFile.resolved(ledger.path) else {
                throw LedgerError.storage(path: place, reason: "it is the ledger itself")
            }
            // Another ledger may be in use; any other file is there by mistake.
            guard let lock = try LockedFile(place, isMade: false) else { throw LedgerError.busy(path: place) }
            _ = try LedgerHeader.check(try lock.head(LedgerHeader.size), path: place)
        }
        let file = try OutputFile(replacing: place)
        guard let path = file.temporaryPath else {
            throw LedgerError.storage(path: place, reason: "it is not a file")
        }
        return (file, path)
    }
}
