import GRDB

extension TestFolder {
    /// Changes the ledger behind its back.
    func execute(_ sql: String) throws {
        let queue = try DatabaseQueue(path: ledger)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql + "; PRAGMA wal_checkpoint(TRUNCATE)") }
        try queue.close()
    }
}
