internal import Files

/// The files of a ledger, opened for the one who writes.
struct LedgerFiles {
    /// The files that SQLite keeps beside a database.
    static let suffixes = ["-wal", "-shm", "-journal"]
    /// A larger ledger is gone through when a run was killed, and otherwise not: that takes longer than a night of few new
    /// claims. Whatever is read is checked row by row.
    private static let maxChecked = 32 << 20

    let connection: Connection
    let memory: LedgerCache
    /// What was found damaged, and where it is now.
    private(set) var setAside: String?

    /// Opens or makes a ledger. A damaged one is set aside first, and another made.
    ///
    /// - Parameter origin: what the ledger must have been made with.
    static func open(_ path: String, _ origin: LedgerOrigin) throws(LedgerError) -> LedgerFiles {
        let lock = try take(path)
        do throws(LedgerError) {
            return try connect(lock, path, origin)
        } catch .damaged(_, let reason) {
            let place = try move(lock, path)
            var files = try connect(try take(path), path, origin)
            files.setAside = """
                \(path) was damaged (\(reason)) and was set aside as \(place). It is made anew from the inputs
                """
            return files
        }
    }

    /// Renames the files of a ledger that nobody has open.
    ///
    /// - Returns: the name of what was FILE.
    static func setAside(_ path: String) throws(LedgerError) -> String {
        let lock = try take(path, isMade: false)
        guard LedgerHeader.judge(try head(lock)) != .foreign else { throw .foreign(path: path) }
        return try move(lock, path)
    }

    /// Opens a ledger that is there, whatever it was made with. A damaged one is an error.
    static func open(existing path: String) throws(LedgerError) -> LedgerFiles {
        try connect(try take(path, isMade: false), path, nil)
    }

    private static func take(_ path: String, isMade: Bool = true) throws(LedgerError) -> LockedFile {
        let lock: LockedFile?
        do throws(FileError) { lock = try LockedFile(path, isMade: isMade) } catch { throw LedgerError(error) }
        guard let lock else { throw .busy(path: path) }
        return lock
    }

    private static func move(_ lock: LockedFile, _ path: String) throws(LedgerError) -> String {
        do throws(FileError) { return try lock.setAside(".damaged", with: suffixes) } catch { throw LedgerError(error) }
    }

    private static func head(_ lock: LockedFile) throws(LedgerError) -> [UInt8] {
        do throws(FileError) { return try lock.head(LedgerHeader.size) } catch { throw LedgerError(error) }
    }

    private static func connect(
        _ lock: LockedFile, _ path: String, _ origin: LedgerOrigin?
    ) throws(LedgerError) -> LedgerFiles {
        let judgement = LedgerHeader.judge(try head(lock))
        switch judgement {
        case .foreign: throw .foreign(path: path)
        case .damaged: throw .damaged(path: path, reason: "its first bytes are not what they were")
        case .ours, .empty: break
        }
        // A log that was not brought home is what a killed run leaves.
        let wasKilled = LockedFile.isFilled(lock.path + "-wal")
        let connection = try Connection(lock.path, name: path, .writing, keeping: lock)
        if judgement == .empty {
            try connection.execute("PRAGMA page_size=8192; PRAGMA application_id=\(LedgerSchema.application)")
        }
        try connection.execute(
            """
            PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA cache_size=-32768;
            PRAGMA temp_store=MEMORY
            """)
        try LedgerVersion.bringUpToDate(connection, origin)
        try connection.execute("BEGIN IMMEDIATE")
        if wasKilled || lock.size <= maxChecked { try connection.check() }
        return LedgerFiles(connection: connection, memory: try LedgerCache(connection))
    }
}

/// The little of a ledger that is held in memory.
struct LedgerCache {
    /// All runs that were committed and not forgotten, oldest first.
    let runs: [LedgerRun]
    /// The number of the last run that was committed.
    let lastRun: Int64
    let observations: Int64
    let tiers: TierList

    init(_ connection: Connection) throws(LedgerError) {
        let meta = LedgerMeta(connection)
        runs = try RunTable(connection).all()
        lastRun = try meta.number("last_run")
        observations = try meta.number("observations")
        tiers = try TierList(meta)
        guard 0..<1 << 62 ~= lastRun, 0..<1 << 62 ~= observations, runs.allSatisfy({ 0 < $0.id && $0.id <= lastRun })
        else {
            throw .damaged(path: connection.name, reason: "its runs are not what they were")
        }
    }
}
