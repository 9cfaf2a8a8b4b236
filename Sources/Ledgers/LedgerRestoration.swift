internal import Files

/// A new ledger, made of what can be read of a damaged one. It takes the other's place when it is complete.
///
/// Each table is read from both of its ends, and what stands in an index from there, too: damage in one place costs the rows
/// there. Reviews, the dates of findings and runs are in two places, so they survive it.
struct LedgerRestoration {
    let file: OutputFile
    /// What was kept, and in which tables rows are missing.
    let text: String

    /// The columns of each table that are copied, and the index that holds a copy of them. Blocks are made anew.
    private static let tables: [(name: String, columns: String, order: String, copy: String?)] = [
        ("run", "id, record", "id", "run_copy"),
        ("claim", "id, run, record", "id", nil),
        ("observation", "key, claim", "key, claim", nil),
        ("statement", "id, claim, run, record", "id", nil),
        ("finding", "subject, rule, last_run, record, evidence", "subject, rule", "finding_copy"),
        ("review", "id, subject, rule, record", "id", "review_copy"),
    ]

    /// - Parameters:
    ///   - path: the damaged ledger, which nobody else has open.
    ///   - name: the path that the user gave.
    init(of path: String, name: String) throws(LedgerError) {
        do throws(FileError) { file = try OutputFile(replacing: path) } catch { throw LedgerError(error) }
        guard let place = file.temporaryPath else { throw .storage(path: name, reason: "it is not a file") }
        let new = try Connection(place, name: name, .writing)
        try new.execute(
            "\(LedgerSchema.settings); PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-32768")
        try LedgerSchema.create(in: new)
        try new.execute("BEGIN")
        var kept: [String] = []
        if let old = try Self.open(path, name, like: place) {
            for table in Self.tables {
                var copying = TableCopying(from: old, to: new)
                let isWhole = try copying.copy(table)
                let name = copying.count == 1 ? table.name : table.name + "s"
                kept.append("\(copying.count) \(name)\(isWhole ? "" : " (others are lost)")")
            }
        }
        try new.execute("COMMIT")
        text = kept.isEmpty ? "nothing of it could be read" : "it has \(kept.joined(separator: ", "))"
    }

    /// Opens the damaged ledger; `nil` if not even its tables can be found.
    private static func open(_ path: String, _ name: String) -> Connection? {
        guard let connection = try? Connection(path, name: name, .reading) else { return nil }
        return (try? LedgerSchema.check(connection)) == nil ? nil : connection
    }

    /// Opens the damaged ledger, or if its first page is damaged, a copy with that of a new one: it says where the tables
    /// begin, which is the same in all ledgers, as all of them are made at once.
    private static func open(_ path: String, _ name: String, like new: String) throws(LedgerError) -> Connection? {
        if let connection = open(path, name) { return connection }
        let copy: OutputFile
        do throws(FileError) { copy = try self.copy(path, like: new) } catch { throw LedgerError(error) }
        let connection = copy.temporaryPath.flatMap { open($0, name) }
        // SQLite has the file open when its name goes.
        withExtendedLifetime(copy) {}
        return connection
    }

    private static func copy(_ path: String, like new: String) throws(FileError) -> OutputFile {
        let (old, copy) = (try StoredFile(path), try OutputFile(replacing: path))
        var page = try StoredFile(new).bytes(0..<LedgerSchema.pageSize)
        // The size in the header counts only if this number says so; else it is the file's.
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

/// Copies the sound rows of one table.
private struct TableCopying {
    let old: Connection
    let new: Connection
    /// How many rows were copied.
    private(set) var count = 0

    init(from old: Connection, to new: Connection) { (self.old, self.new) = (old, new) }

    /// - Returns: whether all of the table could be read.
    mutating func copy(
        _ table: (name: String, columns: String, order: String, copy: String?)
    ) throws(LedgerError) -> Bool {
        let columns = table.columns.split(separator: ",").count
        let places = (1...columns).map { "?\($0)" }.joined(separator: ",")
        let insertion = try Statement(
            new, "INSERT OR IGNORE INTO \(table.name)(\(table.columns)) VALUES(\(places))")
        let select = "SELECT \(table.columns) FROM \(table.name) NOT INDEXED ORDER BY "
        let isWhole = try copy(select + table.order, to: insertion)
        if isWhole { return true }
        let backwards = table.order.split(separator: ",").map { $0 + " DESC" }.joined(separator: ",")
        _ = try copy(select + backwards, to: insertion)
        guard let copy = table.copy else { return false }
        let copied = table.columns.replacing("evidence", with: "''")
        return try self.copy("SELECT \(copied) FROM \(table.name) INDEXED BY \(copy)", to: insertion)
    }

    /// Copies rows until there are no more, or one cannot be read.
    ///
    /// - Returns: whether there are no more.
    private mutating func copy(_ selection: String, to insertion: Statement) throws(LedgerError) -> Bool {
        guard let rows = try? Statement(old, selection) else { return false }
        while true {
            do throws(LedgerError) {
                guard try rows.step() else { return true }
            } catch .damaged {
                return false
            }
            insertion.bind(row: rows, from: 1)
            do throws(LedgerError) { try insertion.run() } catch .damaged {
                // Not a value that the column may have.
                continue
            }
            count += new.changes
        }
    }
}
