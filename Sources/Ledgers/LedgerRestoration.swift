private import Encodings
internal import Files

/// A new ledger made from the readable parts of a damaged one. It replaces the damaged one when it is complete.
///
/// Each table is read from its beginning, from its end, and from the index that has a copy. So damage in one place
/// costs only the rows there. Reviews, runs and the dates of findings are stored twice and survive it.
struct LedgerRestoration {
    let file: OutputFile
    /// A description of what was kept, and of the tables with missing rows.
    let text: String
    /// Whether no row is missing.
    let isWhole: Bool

    /// The copied columns of each table, and the index with a copy of them.
    private static let tables = [
        CopiedTable("run", "id, record", by: "id", copy: "run_copy") {
            Checksum($0.number(0)).record(of: $0.bytes(1)) != nil
        },
        CopiedTable("claim", "id, run, record", by: "id") {
            LedgerReader.record($0.number(0), $0.number(1), $0.bytes(2)) != nil
        },
        CopiedTable("observation", "key, claim, checksum", by: "key, claim") { LedgerReader.key($0) != nil },
        CopiedTable("statement", "id, claim, run, record", by: "id") { LedgerReader.statement($0) != nil },
        CopiedTable(
            "finding", "subject, rule, last_run, record, evidence", by: "subject, rule", copy: "finding_copy"
        ) {
            StoredFinding.record($0, ExactText($0.text(0)), ExactText($0.text(1))) != nil
        },
        CopiedTable("review", "id, subject, rule, record", by: "id", copy: "review_copy") {
            Review.record($0) != nil
        },
    ]

    /// - Parameters:
    ///   - path: the damaged ledger, which nobody else has open.
    ///   - name: the user's path.
    ///   - asOf: the reference time of the run that makes it.
    ///   - reason: what was damaged. If rows are missing, the new ledger records it as a failed run.
    init(of path: String, name: String, asOf: Instant, reason: String) throws(LedgerError) {
        do throws(FileError) { file = try OutputFile(replacing: path) } catch { throw LedgerError(error) }
        guard let place = file.temporaryPath else { throw .storage(path: name, reason: "it is not a file") }
        let new = try Connection(place, name: name, .writing)
        try new.execute(
            "\(LedgerSchema.settings); PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-32768")
        try LedgerSchema.create(in: new)
        try new.execute("BEGIN")
        var (kept, isWhole): ([String], Bool) = ([], true)
        if let old = try Self.open(path, name, like: place) {
            try Self.copyLastNumbers(from: old, to: new)
            for table in Self.tables {
                var copying = TableCopying(from: old, to: new)
                let isCopied = try copying.copy(table)
                isWhole = isWhole && isCopied
                let name = copying.count == 1 ? table.name : table.name + "s"
                kept.append("\(copying.count) \(name)\(isCopied ? "" : " (others may be lost)")")
            }
        }
        self.isWhole = isWhole && !kept.isEmpty
        text = kept.isEmpty ? "nothing of it could be read" : "it has \(kept.joined(separator: ", "))"
        if !self.isWhole {
            let told = "the ledger was damaged (\(reason)), and a new one was made of it: \(text)"
            try RunTable(new).add(FailedRun(at: asOf, asOf: asOf, reason: told), to: new)
        }
        try new.execute("COMMIT")
    }

    /// Copies the last used row numbers, so that none is used twice. An impossibly large number is damage.
    private static func copyLastNumbers(from old: Connection, to new: Connection) throws(LedgerError) {
        guard let numbers = try? Statement(old, "SELECT name, seq FROM sqlite_sequence") else { return }
        while (try? numbers.step()) == true {
            let (name, last) = (numbers.text(0), numbers.number(1))
            guard ["run", "review"].contains(name), 0..<1 << 31 ~= last else { continue }
            try new.execute("INSERT INTO sqlite_sequence(name, seq) VALUES('\(name)', \(last))")
        }
    }

    /// Opens the damaged ledger; `nil` if not even its tables can be found.
    private static func open(_ path: String, _ name: String) -> Connection? {
        guard let connection = try? Connection(path, name: name, .reading) else { return nil }
        return (try? LedgerSchema.check(connection)) == nil ? nil : connection
    }

    /// Opens the damaged ledger. If its first page is damaged, opens a copy with the first page of a new ledger: that
    /// page has the starts of the tables, which are the same in all ledgers, because tables are all created at once.
    private static func open(_ path: String, _ name: String, like new: String) throws(LedgerError) -> Connection? {
        if let connection = open(path, name) { return connection }
        let copy: OutputFile
        do throws(FileError) { copy = try self.copy(path, like: new) } catch { throw LedgerError(error) }
        let connection = copy.temporaryPath.flatMap { open($0, name) }
        // SQLite has the file open when its name is removed.
        withExtendedLifetime(copy) {}
        return connection
    }

    private static func copy(_ path: String, like new: String) throws(FileError) -> OutputFile {
        let (old, copy) = (try StoredFile(path), try OutputFile(replacing: path))
        var page = try StoredFile(new).bytes(0..<LedgerSchema.pageSize)
        // With this number, SQLite ignores the size in the header and uses the file's.
        for index in 92..<96 { page[index] = 0xff }
        try copy.write(page.span)
        let size = FileContents.size(of: path) ?? 0
        for start in stride(from: LedgerSchema.pageSize, to: size, by: 1 << 20) {
            let piece = try old.bytes(start..<min(size, start + 1 << 20))
            try copy.write(piece.span)
        }
        try copy.finish()
        return copy
    }
}

/// A table to copy.
private struct CopiedTable: Sendable {
    let name: String
    let columns: String
    let order: String
    /// The index with all columns except the evidence.
    let copy: String?
    let isSound: @Sendable (Statement) -> Bool

    init(
        _ name: String, _ columns: String, by order: String, copy: String? = nil,
        isSound: @escaping @Sendable (Statement) -> Bool
    ) {
        (self.name, self.columns, self.order, self.copy, self.isSound) = (name, columns, order, copy, isSound)
    }
}

/// Copies the intact rows of one table.
private struct TableCopying {
    let old: Connection
    let new: Connection
    /// The number of copied rows.
    private(set) var count = 0

    init(from old: Connection, to new: Connection) { (self.old, self.new) = (old, new) }

    /// - Returns: whether the whole table was readable.
    mutating func copy(_ table: CopiedTable) throws(LedgerError) -> Bool {
        let columns = table.columns.split(separator: ",").count
        let places = (1...columns).map { "?\($0)" }.joined(separator: ",")
        let insertion = try Statement(
            new, "INSERT OR IGNORE INTO \(table.name)(\(table.columns)) VALUES(\(places))")
        let select = "SELECT \(table.columns) FROM \(table.name) NOT INDEXED ORDER BY "
        if try copy(select + table.order, to: insertion, table.isSound) { return true }
        let backwards = table.order.split(separator: ",").map { $0 + " DESC" }.joined(separator: ",")
        _ = try copy(select + backwards, to: insertion, table.isSound)
        guard let copy = table.copy else { return false }
        let copied = table.columns.replacing("evidence", with: "''")
        return try self.copy("SELECT \(copied) FROM \(table.name) INDEXED BY \(copy)", to: insertion, table.isSound)
    }

    /// Copies rows until there are no more, or one cannot be read.
    ///
    /// - Returns: whether all were intact.
    private mutating func copy(
        _ selection: String, to insertion: Statement, _ isSound: (Statement) -> Bool
    ) throws(LedgerError) -> Bool {
        guard let rows = try? Statement(old, selection) else { return false }
        var areSound = true
        while true {
            do throws(LedgerError) {
                guard try rows.step() else { return areSound }
            } catch .damaged {
                return false
            }
            guard isSound(rows) else {
                areSound = false
                continue
            }
            insertion.bind(row: rows, from: 1)
            do throws(LedgerError) { try insertion.run() } catch .damaged {
                // The column does not allow this value.
                continue
            }
            count += new.changes
        }
    }
}
