/// Writes blocks and what came of them.
struct BlockWriter {
    /// How many runs a block is kept that none of them met.
    private static let patience: Int64 = 14

    private let connection: Connection
    private let run: Int64
    private let adding: Statement
    private let addingOutput: Statement
    private let using: Statement

    init(_ connection: Connection, run: Int64) throws(LedgerError) {
        self.connection = connection
        self.run = run
        adding = try Statement(
            connection,
            """
            INSERT INTO block(key, status_key, last_run) VALUES(?1, ?2, ?3)
            ON CONFLICT(key) DO UPDATE SET status_key=coalesce(?2, status_key), last_run=?3 RETURNING id
            """)
        addingOutput = try Statement(
            connection, "INSERT OR REPLACE INTO block_output(id, seal, output) VALUES(?1, ?2, ?3)")
        using = try Statement(
            connection, "UPDATE block SET status_key=coalesce(?2, status_key), last_run=?3 WHERE id=?1")
    }

    func add(_ key: Span<UInt8>, _ statusKey: Span<UInt8>?, _ output: Span<UInt8>) throws(LedgerError) {
        adding.bind(key, at: 1)
        bind(statusKey, to: adding)
        guard try adding.step() else { return }
        let id = adding.number(0)
        try adding.run()
        addingOutput.bind(id, at: 1)
        addingOutput.bind(Checksum.ofBlock(id, key, output), at: 2)
        addingOutput.bind(output, at: 3)
        try addingOutput.run()
    }

    func use(_ id: Int64, _ statusKey: Span<UInt8>?) throws(LedgerError) {
        using.bind(id, at: 1)
        bind(statusKey, to: using)
        try using.run()
    }

    func dropUnused() throws(LedgerError) {
        try connection.execute(
            """
            DELETE FROM block_output WHERE id IN (SELECT id FROM block WHERE last_run <= \(run - Self.patience));
            DELETE FROM block WHERE last_run <= \(run - Self.patience)
            """)
    }

    private func bind(_ statusKey: Span<UInt8>?, to statement: Statement) {
        if let statusKey { statement.bind(statusKey, at: 2) } else { statement.bindNothing(at: 2) }
        statement.bind(run, at: 3)
    }
}
