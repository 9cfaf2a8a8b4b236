internal import Encodings
internal import Files

/// The files of a ledger, opened for its writer.
struct LedgerFiles {
    /// The suffixes of the files that SQLite puts next to a database.
    static let suffixes = ["-wal", "-shm", "-journal"]
    /// The suffix for a damaged ledger that is set aside.
    static let mark = ".damaged"
    /// The maximum size in bytes of a ledger that is checked as a whole: beyond it, the check takes longer than a run
    /// with few new claims.
    private static let maxChecked = 32 << 20

    let connection: Connection
    /// The earlier runs.
    let runs: RunTable
    /// A sentence about what was damaged and where it was moved, or that the file was empty; `nil` if nothing was
    /// wrong.
    private(set) var setAside: String?
    /// Whether rows were lost that cannot be made again.
    private(set) var hasLostRows = false
    /// Whether all of it is checked, because it is small enough or its last run was killed.
    let isChecked: Bool

    /// Opens or creates a ledger. A damaged one is first set aside and replaced by a new one from its readable parts;
    /// an empty file becomes a ledger.
    ///
    /// - Parameters:
    ///   - origin: the required origin of the ledger.
    ///   - asOf: the run's reference time.
    static func open(_ path: String, _ origin: LedgerOrigin, asOf: Instant) throws(LedgerError) -> LedgerFiles {
        // No run creates an empty ledger: something has truncated it, or failed to write it.
        let existed = FileContents.exists(path)
        let lock = try lock(path)
        let wasEmptied = existed && lock.size == 0
        var files: LedgerFiles
        do throws(LedgerError) {
            files = try connect(lock, path)
            if wasEmptied {
                files.setAside = """
                    \(path) was empty: what earlier runs left in it is lost. It is made anew from the inputs
                    """
            }
        } catch .damaged(_, let reason) {
            let restored = try restore(lock, path, asOf: asOf, reason)
            files = try connect(try self.lock(path), path)
            files.setAside = "\(path) was damaged (\(reason)). \(restored.text)"
            files.hasLostRows = !restored.isWhole
        }
        if let difference = files.runs.runs.last?.origin.difference(to: origin) {
            throw .otherOrigin(path: path, difference)
        }
        return files
    }

    /// Opens an existing ledger of any origin. A damaged one is an error.
    static func open(existing path: String) throws(LedgerError) -> LedgerFiles {
        try connect(try lock(path, isCreated: false), path)
    }

    /// Sets a damaged ledger aside that nobody has open, and makes a new one from its readable parts.
    ///
    /// - Parameters:
    ///   - asOf: the reference time of the run that found the damage.
    ///   - reason: what was damaged.
    /// - Returns: a sentence about where it was moved and what was kept, and whether no row is missing.
    static func restore(
        _ path: String, asOf: Instant, _ reason: String
    ) throws(LedgerError) -> (text: String, isWhole: Bool) {
        let lock = try lock(path, isCreated: false)
        guard LedgerHeader.check(try head(lock)) != .foreign else { throw .foreign(path: path) }
        return try restore(lock, path, asOf: asOf, reason)
    }

    private static func restore(
        _ lock: LockedFile, _ path: String, asOf: Instant, _ reason: String
    ) throws(LedgerError) -> (text: String, isWhole: Bool) {
        let restoration = try LedgerRestoration(of: lock.path, name: path, asOf: asOf, reason: reason)
        do throws(FileError) {
            try restoration.file.finish()
            let place = try lock.setAside(mark, with: suffixes, isReplaced: true)
            try restoration.file.publish()
            let text = "It was set aside as \(place), and a new one was made of it: \(restoration.text)"
            return (text, restoration.isWhole)
        } catch {
            throw LedgerError(error)
        }
    }

    private static func lock(_ path: String, isCreated: Bool = true) throws(LedgerError) -> LockedFile {
        let lock: LockedFile?
        do throws(FileError) { lock = try LockedFile(path, isMade: isCreated) } catch { throw LedgerError(error) }
        guard let lock else { throw .busy(path: path) }
        return lock
    }

    private static func head(_ lock: LockedFile) throws(LedgerError) -> [UInt8] {
        do throws(FileError) { return try lock.head(LedgerHeader.size) } catch { throw LedgerError(error) }
    }

    private static func connect(_ lock: LockedFile, _ path: String) throws(LedgerError) -> LedgerFiles {
        let isEmpty = try LedgerHeader.check(try head(lock), path: path)
        // A killed run leaves a non-empty write-ahead log or journal.
        let wasKilled = LockedFile.isFilled(lock.path + "-wal") || LockedFile.isFilled(lock.path + "-journal")
        let connection = try Connection(lock.path, name: path, .writing, keeping: lock)
        let isBlank = isEmpty ? true : try LedgerSchema.isBlank(connection)
        if isBlank {
            // A journal contains overwritten pages, of which a new ledger has none, while a write-ahead log would hold
            // all of it a second time. But with a journal, a reader could block the commit of a run.
            try connection.execute(
                "\(LedgerSchema.settings); PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=DELETE")
            try LedgerSchema.create(in: connection)
        } else {
            try connection.share()
        }
        try connection.execute(
            """
            PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA cache_size=-32768; PRAGMA temp_store=MEMORY
            """)
        try LedgerSchema.check(connection)
        try connection.execute("BEGIN IMMEDIATE")
        let isChecked = wasKilled || lock.size <= maxChecked
        if isChecked {
            try connection.check()
        } else {
            // Data that no export can restore is stored twice: are both copies the same?
            for table in ["run", "finding", "review"] { try connection.check(table) }
        }
        return LedgerFiles(connection: connection, runs: try RunTable(connection), isChecked: isChecked)
    }
}

extension Connection {
    /// Lets others read while this connection writes. Only a ledger created by this run does not already allow it.
    func share() throws(LedgerError) { try execute("PRAGMA locking_mode=NORMAL; PRAGMA journal_mode=WAL") }
}
