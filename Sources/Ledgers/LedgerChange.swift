private import Encodings
import Engine
internal import Files
import SQLite

/// A change of a ledger: a copy of it, which takes its place when the change is complete. Until then nothing changes.
///
/// The ledger stays locked until the change is released. The ledger before the change stays beside it
/// (``LedgerFile/previous``).
final class LedgerChange {
    /// The user's path.
    private let name: String
    private let lock: LockedFile
    /// Whether the file exists only because it was locked.
    private let isMade: Bool
    private var isPublished = false
    private let output: OutputFile

    /// The ledger that was copied; `nil` if it is a new one.
    let base: String?
    /// The copy, in a transaction.
    let connection: Connection
    /// The runs in the ledger.
    let runs: RunTable
    /// A sentence about the damage of the ledger, in whose place the previous one was copied; `nil` if it is sound.
    let restored: String?
    /// A sentence about the damage of the previous ledger, if the ledger itself is sound; `nil` if both are.
    let damageOfPrevious: String?
    /// A sentence that the file was empty; `nil` if it was not.
    let wasEmpty: String?

    /// Locks a ledger, checks it and copies it.
    ///
    /// - Parameters:
    ///   - path: the ledger.
    ///   - isRun: whether to make a missing one, and to go on from the previous one if it is damaged.
    init(_ path: String, isRun: Bool = false) throws(LedgerError) {
        let exists = FileContents.exists(path)
        let locked: LockedFile?
        do throws(FileError) { locked = try LockedFile(path, isMade: isRun) } catch { throw LedgerError(error) }
        guard let lock = locked else { throw .busy(path: path) }
        let previous = lock.path + LedgerFile.previous
        // A killed run leaves its copy, which has all that the ledger has.
        for place in [lock.path, previous] { StaleFiles.remove(beside: place) }
        let isNew = isRun && lock.size == 0 && !FileContents.exists(previous)
        var base = isNew ? nil : lock.path
        var fault: String?
        do throws(LedgerError) {
            if isRun, !isNew, lock.size == 0 {
                throw .damaged(path: path, reason: exists ? "it is empty" : "it is gone")
            }
            output = try Self.copy(of: base, to: lock.path, name: path)
        } catch {
            let isExpected = FileContents.exists(previous)
            guard isRun, let reason = error.damage(ofLedger: isExpected) else { throw error }
            base = previous
            fault = reason
            do throws(LedgerError) {
                output = try Self.copy(of: previous, to: lock.path, name: path + LedgerFile.previous)
            } catch {
                throw .lost(path: path, reason: reason, previous: error)
            }
        }
        connection = try Self.connection(to: output, isNew: isNew, name: path)
        runs = try RunTable(connection)
        let last = runs.runs.last.map { "run \($0.id) as of \($0.asOf)" } ?? "no run"
        restored = fault.map { reason in
            """
            \(TerminalText.escaped(path)) is damaged (\(reason)): this run goes on from \
            \(TerminalText.escaped(previous)), which ends with \(last). What was added later is lost, \
            and what is still in the inputs is added again\
            \(lock.size == 0 ? "" : ". The damaged one is now \(TerminalText.escaped(lock.path))\(LedgerFile.damaged)")
            """
        }
        var damage: String?
        if isRun, fault == nil, FileContents.exists(previous) {
            do throws(LedgerError) { try LedgerFile.check(previous, name: previous) } catch {
                damage = error.damage(ofLedger: true)
            }
        }
        damageOfPrevious = damage.map {
            "\(TerminalText.escaped(previous)) is damaged (\($0)): the ledger itself is sound, and this run replaces the other"
        }
        wasEmpty =
            isNew && exists
            ? "\(TerminalText.escaped(path)) was empty: if earlier runs left anything in it, that is lost. It is made anew"
            : nil
        name = path
        self.lock = lock
        isMade = !exists
        self.base = base
    }

    deinit { if isMade, !isPublished, lock.size == 0 { LockedFile.remove(lock.path) } }

    /// The kind of network file system that it is on; `nil` on a local one.
    var network: String? { lock.network }

    /// Completes the copy, flushed to disk. Nothing may be written after it.
    ///
    /// - Returns: its size in bytes.
    @discardableResult
    func finish() throws(LedgerError) -> Int {
        if connection.isInTransaction { try connection.execute("COMMIT") }
        do throws(FileError) {
            try LedgerFile.seal(output, at: connection.path)
            output.setAccess(like: lock.path)
            try output.finish()
        } catch {
            throw LedgerError(error)
        }
        return FileContents.size(of: connection.path) ?? 0
    }

    /// Puts the finished copy in the ledger's place.
    ///
    /// - Parameter keepsPrevious: whether the ledger before it stays.
    func publish(keepsPrevious: Bool = true) throws(LedgerError) {
        let suffix = restored == nil ? LedgerFile.previous : LedgerFile.damaged
        if keepsPrevious, base != nil, lock.size > 0 { output.placeOfOld = lock.path + suffix }
        do throws(FileError) { try output.publish() } catch { throw LedgerError(error) }
        isPublished = true
    }

    /// Replaces the previous ledger by a copy of the published one, and deletes a damaged one, so that nothing remains
    /// in them.
    func replacePrevious() throws(LedgerError) {
        LockedFile.remove(lock.path + LedgerFile.damaged)
        do throws(FileError) {
            let copy = try OutputFile(replacing: lock.path + LedgerFile.previous)
            try copy.write(contentsOf: lock.path)
            copy.setAccess(like: lock.path)
            try copy.finish()
            try copy.publish()
        } catch {
            throw LedgerError(error)
        }
    }

    private static func copy(of base: String?, to path: String, name: String) throws(LedgerError) -> OutputFile {
        let output: OutputFile
        do throws(FileError) { output = try OutputFile(replacing: path) } catch { throw LedgerError(error) }
        if let base { try LedgerFile.check(base, name: name, copyingTo: output) }
        return output
    }

    private static func connection(to output: OutputFile, isNew: Bool, name: String) throws(LedgerError) -> Connection {
        guard let path = output.temporaryPath else { throw .storage(path: name, reason: "it is not a file") }
        let connection = try Connection(path, name: name, .writing)
        if isNew { try LedgerSchema.create(in: connection) }
        // Memory may not hold what temporary tables and VACUUM copy.
        try connection.execute("PRAGMA cache_size=-32768; PRAGMA temp_store=FILE; BEGIN")
        return connection
    }
}
