internal import Files

/// The files of a ledger, opened for its writer.
struct LedgerFiles {
    /// The suffixes of the files that SQLite puts beside a database.
    static let suffixes = ["-wal", "-shm", "-journal"]
    /// What is added to the name of a damaged ledger that is set aside.
    static let mark = ".damaged"
    /// The size in bytes up to which a ledger is checked as a whole: that takes longer than a run of few new claims.
    private static let maxChecked = 32 << 20

    let connection: Connection
    /// The runs of before.
    let runs: RunTable
    /// A sentence that says what was damaged and where it was moved, or that the file was empty; `nil` if nothing was wrong.
    private(set) var setAside: String?

    /// Opens or creates a ledger. A damaged one is set aside first, and a new one is made of what can be read of it; an
    /// empty file becomes a ledger.
    ///
    /// - Parameter origin: what the ledger must have been made with.
    static func open(_ path: String, _ origin: LedgerOrigin) throws(LedgerError) -> LedgerFiles {
        // Nobody makes an empty ledger: something has emptied it, or was to write it and could not.
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
            let restored = try restore(lock, path)
            files = try connect(try self.lock(path), path)
            files.setAside = "\(path) was damaged (\(reason)). \(restored)"
        }
        if let difference = files.runs.runs.last?.origin.difference(to: origin) {
            throw .otherOrigin(path: path, difference)
        }
        return files
    }

    /// Opens an existing ledger, whatever it was made with. A damaged one is an error.
    static func open(existing path: String) throws(LedgerError) -> LedgerFiles {
        try connect(try lock(path, isCreated: false), path)
    }

    /// Sets a damaged ledger aside that nobody has open, and makes a new one of what can be read of it.
    ///
    /// - Returns: a sentence that says where it was moved and what was kept.
    static func restore(_ path: String) throws(LedgerError) -> String {
        let lock = try lock(path, isCreated: false)
        guard LedgerHeader.check(try head(lock)) != .foreign else { throw .foreign(path: path) }
        return try restore(lock, path)
    }

    private static func restore(_ lock: LockedFile, _ path: String) throws(LedgerError) -> String {
        let restoration = try LedgerRestoration(of: lock.path, name: path)
        do throws(FileError) {
            let place = try lock.setAside(mark, with: suffixes)
            try restoration.file.finish()
            try restoration.file.publish()
            return "It was set aside as \(place), and a new one was made of it: \(restoration.text)"
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
        // A killed run leaves a write-ahead log or a journal that is not empty.
        let wasKilled = LockedFile.isFilled(lock.path + "-wal") || LockedFile.isFilled(lock.path + "-journal")
        let connection = try Connection(lock.path, name: path, .writing, keeping: lock)
        if isEmpty {
            // A journal holds what is overwritten, which is nothing in a new ledger; a write-ahead log would hold all of it
            // a second time. But a reader could keep a run with a journal from being committed.
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
        if wasKilled || lock.size <= maxChecked { try connection.check() }
        return LedgerFiles(connection: connection, runs: try RunTable(connection))
    }
}

extension Connection {
    /// Lets others read while this connection writes, as it does already but in a ledger that was made for this run.
    func share() throws(LedgerError) { try execute("PRAGMA locking_mode=NORMAL; PRAGMA journal_mode=WAL") }
}
