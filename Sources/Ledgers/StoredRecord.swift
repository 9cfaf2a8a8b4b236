import Encodings
import Engine
import Rules
import SQLite

/// What a row of a ledger keeps as one record of bytes.
protocol StoredRecord {
    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure)
}

extension StoredRecord {
    /// The bytes of the record.
    var record: [UInt8] {
        var (value, record) = (self, RecordWriter())
        value.code(&record)
        return record.bytes
    }

    /// Takes the values of a record.
    ///
    /// - Parameter noun: what it is, if it cannot be read.
    mutating func take(_ record: [UInt8], _ noun: String, _ connection: Connection) throws(LedgerError) {
        var fields = RecordReader(record.span)
        do throws(RecordError) {
            try code(&fields)
            try fields.end()
        } catch {
            throw .damaged(path: connection.name, reason: "\(noun) cannot be read")
        }
    }
}

/// A row with a subject, a rule and a record.
protocol LedgerRow: StoredRecord {
    /// The columns of a row, with the record as the third, and the table.
    static var source: String { get }
    /// What a row is, if it cannot be read.
    static var noun: String { get }
    var rule: ExactText { get }
    var subject: ExactText { get }

    /// Takes the texts of a row.
    ///
    /// - Parameter known: a finding that probably has these texts.
    init(_ row: Statement, probably known: FindingRow?)
}

extension LedgerRow {
    typealias Rows = LedgerRows<Self>

    var name: FindingName { FindingName(rule: rule, subject: subject) }
}

/// Reads all rows of a table, or some of them.
struct LedgerRows<Row: LedgerRow> {
    private let rows: Statement
    private let connection: Connection

    /// - Parameter rest: a condition and an order.
    init(_ connection: Connection, _ rest: String) throws(LedgerError) {
        self.connection = connection
        rows = try Statement(connection, "SELECT \(Row.source) \(rest)")
    }

    /// Returns the next row; `nil` at the end.
    func next(probably known: FindingRow? = nil) throws(LedgerError) -> Row? {
        guard try rows.step() else { return nil }
        var row = Row(rows, probably: known)
        try row.take(rows.bytes(2), Row.noun, connection)
        return row
    }

    /// Returns the first row with a subject and a rule, for a condition on both.
    func first(
        _ subject: ExactText, _ rule: ExactText, probably known: FindingRow? = nil
    ) throws(LedgerError) -> Row? {
        rows.bind(texts: subject.text, rule.text)
        defer { rows.reset() }
        return try next(probably: known)
    }
}

extension Connection {
    /// Calls a body, which may change any table, with each row of a query as it was before.
    func forEachRow(
        of query: String, _ body: (Statement) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        try execute("CREATE TEMP TABLE visited AS \(query)")
        let rows = try Statement(self, "SELECT * FROM visited ORDER BY rowid")
        while try rows.step() { try body(rows) }
        try execute("DROP TABLE visited")
    }
}
