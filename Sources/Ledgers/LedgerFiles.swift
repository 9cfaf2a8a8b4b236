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
    let state: LedgerState
    /// A sentence that says what was damaged and where it was moved, or that the file was empty; `nil` if nothing was wrong.
    private(set) var setAside: String?

    /// Opens or creates a ledger. A damaged one is moved first, and another created; an empty file becomes one.
    ///
    /// - Parameter origin: what the ledger must have been made with.
    static func open(_ path: String, _ origin: LedgerOrigin) throws(LedgerError) -> LedgerFiles {
        // Nobody makes an empty ledger: something has emptied it, or was to write it and could not.
        let existed = FileContents.exists(path)
        let lock = try lock(path)
        let wasEmptied = existed && lock.size == 0
        do throws(LedgerError) {
            var files = try connect(lock, path, origin)
            if wasEmptied {
                files.setAside = """
                    \(path) was empty: what earlier runs left in it is lost. It is made anew from the inputs
                    """
            }
            return files
        } catch .damaged(_, let reason) {
            let place = try move(lock, path)
            var files = try connect(try self.lock(path), path, origin)
            files.setAside = """
                \(path) was damaged (\(reason)) and was set aside as \(place). A new one is created from the inputs
                """
            return files
        }
    }

    /// Opens an existing ledger, whatever it was made with. A damaged one is an error.
    static func open(existing path: String) throws(LedgerError) -> LedgerFiles {
        try connect(try lock(path, isCreated: false), path, nil)
    }

    /// Renames the files of a ledger that nobody has open.
    ///
    /// - Returns: the new name of the database.
    static func setAside(_ path: String) throws(LedgerError) -> String {
        let lock = try lock(path, isCreated: false)
        guard LedgerHeader.check(try head(lock)) != .foreign else { throw .foreign(path: path) }
        return try move(lock, path)
    }

    private static func lock(_ path: String, isCreated: Bool = true) throws(LedgerError) -> LockedFile {
        let lock: LockedFile?
        do throws(FileError) { lock = try LockedFile(path, isMade: isCreated) } catch { throw LedgerError(error) }
        guard let lock else { throw .busy(path: path) }
        return lock
    }

    private static func move(_ lock: LockedFile, _ path: String) throws(LedgerError) -> String {
        do throws(FileError) { return try lock.setAside(mark, with: suffixes) } catch { throw LedgerError(error) }
    }

    private static func head(_ lock: LockedFile) throws(LedgerError) -> [UInt8] {
        do throws(FileError) { return try lock.head(LedgerHeader.size) } catch { throw LedgerError(error) }
    }

    private static func connect(
        _ lock: LockedFile, _ path: String, _ origin: LedgerOrigin?
    ) throws(LedgerError) -> LedgerFiles {
        let isEmpty = try LedgerHeader.check(try head(lock), path: path)
        // A killed run leaves a write-ahead log or a journal that is not empty.
        let wasKilled = LockedFile.isFilled(lock.path + "-wal") || LockedFile.isFilled(lock.path + "-journal")
        let connection = try Connection(lock.path, name: path, .writing, keeping: lock)
        if isEmpty {
            // A journal holds what is overwritten, which is nothing in a new ledger; a write-ahead log would hold all of it
            // a second time. But a reader could keep a run with a journal from being committed.
            try connection.execute(
                """
                PRAGMA page_size=8192; PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=DELETE;
                PRAGMA application_id=\(LedgerSchema.application)
                """)
        } else {
            try connection.share()
        }
        try connection.execute(
            """
            PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA cache_size=-32768; PRAGMA temp_store=MEMORY
            """)
        try LedgerSchema.update(connection, origin)
        try connection.execute("BEGIN IMMEDIATE")
        if wasKilled || lock.size <= maxChecked { try connection.check() }
        return LedgerFiles(connection: connection, state: try LedgerState(connection))
    }
}

extension Connection {
    /// Lets others read while this connection writes, as it does already but in a ledger that was made for this run.
    func share() throws(LedgerError) { try execute("PRAGMA locking_mode=NORMAL; PRAGMA journal_mode=WAL") }
}

/// The small part of a ledger that is held in memory.
struct LedgerState {
    /// All runs that were committed and not deleted, oldest first.
    let runs: [LedgerRun]
    /// The number of the last run that was committed.
    let lastRun: Int64
    let observations: Int64
    let tiers: TierList

    init(_ connection: Connection) throws(LedgerError) {
        let meta = LedgerMeta(connection)
        runs = try LedgerRun.all(in: connection)
        lastRun = try meta.numbers("last_run").first ?? 0
        observations = try meta.numbers("observations").first ?? 0
        tiers = try TierList(meta)
        guard 0..<1 << 62 ~= lastRun, 0..<1 << 62 ~= observations, runs.allSatisfy({ 0 < $0.id && $0.id <= lastRun })
        else {
            throw .damaged(path: connection.name, reason: "checksum mismatch in its runs")
        }
    }
}

/// The first bytes of a file, which identify a ledger: SQLite's magic at 0, our application ID at 68. At 18 and 19 stand the
/// versions of the file's format (https://sqlite.org/fileformat.html), with others of which SQLite would not write it.
enum LedgerHeader {
    static let size = 100

    enum CheckOutcome: Equatable {
        case ours
        case empty
        /// A ledger with some wrong bits.
        case damaged
        case foreign
    }

    static func check(_ head: [UInt8]) -> CheckOutcome {
        guard !head.isEmpty else { return .empty }
        guard head.count == size else { return .foreign }
        let magic = Array("SQLite format 3\0".utf8)
        let application = (0..<4).map { UInt8(truncatingIfNeeded: LedgerSchema.application >> Int32(24 - 8 * $0)) }
        let wrong = zip(head[..<16] + head[68..<72], magic + application).reduce(0) { sum, pair in
            sum + (pair.0 ^ pair.1).nonzeroBitCount
        }
        // Of 160 bits, a few wrong ones are damage; many are another program's file.
        guard wrong == 0 else { return wrong <= 3 ? .damaged : .foreign }
        return head[18...19].allSatisfy { $0 == 1 || $0 == 2 } ? .ours : .damaged
    }

    /// Throws unless the file is a ledger or empty.
    ///
    /// - Returns: whether it is empty.
    static func check(_ head: [UInt8], path: String) throws(LedgerError) -> Bool {
        switch check(head) {
        case .ours: return false
        case .empty: return true
        case .damaged: throw .damaged(path: path, reason: "its first bytes were changed")
        case .foreign: throw .foreign(path: path)
        }
    }
}
