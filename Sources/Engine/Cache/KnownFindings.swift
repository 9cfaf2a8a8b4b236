import Checks
import Encodings
import Files
import Ledgers
import Rules
import Sorting

/// The table `fraud` of a run, which the next one has, too, if all of its claims are the same.
///
/// It is kept in blocks of the ledger: the first says what is counted of the table, the others have rows. A later table
/// takes the place of an earlier one.
extension RunCache {
    /// Returns the table of the last run, if this run has the same: all of its claims are the same, and so is what decides
    /// besides them. Known when all are checked.
    ///
    /// - Returns: `nil` also if a part of it cannot be read.
    func knownFindings(_ rules: RuleSet, _ storage: Storage) throws -> FindingTable? {
        guard isUnchanged else { return nil }
        let (basis, key) = (try findingsBasis(rules), try findingsKey(0))
        guard let first = try reader().block(key: key.span) else { return nil }
        do {
            var fields = RecordReader(first.output.span)
            guard try FindingsRecord.begin(&fields) == basis else { return nil }
            var (pieces, counts) = (0, FindingCounts())
            try fields.count(&pieces)
            try counts.code(&fields)
            try fields.end()
            guard let rows = try findingRows(of: basis, behind: first.id, pieces: pieces, storage) else { return nil }
            return FindingTable(rows: rows, counts)
        } catch is RecordError {
            return nil
        }
    }

    /// Reads the rows of a table, and records that its blocks were used.
    private func findingRows(
        of basis: [UInt8], behind head: Int64, pieces: Int, _ storage: Storage
    ) throws -> [SortedRun]? {
        let reader = try reader()
        let sorter = RecordSorter(budget: storage.memory, folder: storage.folder)
        var used = [head]
        while used.count <= pieces {
            let key = try findingsKey(used.count)
            guard let piece = try reader.block(key: key.span) else { return nil }
            var fields = RecordReader(piece.output.span)
            guard try FindingsRecord.begin(&fields) == basis else { return nil }
            try RecordList.read(&fields, into: sorter)
            used.append(piece.id)
        }
        let ids = used
        try withLedger { (ledger) throws(LedgerError) in
            for id in ids { try ledger.use(block: id, statusKey: nil) }
            try ledger.repeatFindings()
        }
        return try sorter.finish()
    }

    /// Keeps the table of this run, if its claims are all there are.
    ///
    /// - Parameter pieceSize: how many bytes of rows a block has, about.
    func add(known table: FindingTable, _ rules: RuleSet, pieceSize: Int = 1 << 20) throws {
        guard coversAll else { return }
        let basis = try findingsBasis(rules)
        var (pieces, piece) = (0, FindingsRecord.start(basis))
        let endPiece = {
            pieces += 1
            try self.add(piece, under: self.findingsKey(pieces))
            piece = FindingsRecord.start(basis)
        }
        var merge = try RunMerge(table.rows)
        while !merge.isAtEnd {
            RecordList.write(merge, to: &piece)
            try merge.advance()
            if piece.bytes.count >= pieceSize || merge.isAtEnd { try endPiece() }
        }
        var counts = table.counts
        piece.count(&pieces)
        counts.code(&piece)
        try add(piece, under: findingsKey(0))
    }

    private func add(_ record: RecordWriter, under key: [UInt8]) throws(LedgerError) {
        try withLedger { (ledger) throws(LedgerError) in
            try ledger.add(block: key.span, statusKey: nil, output: record.bytes.span)
        }
    }
}

/// What a block with a part of a table `fraud` begins with: a mark, and a hash of all that the table was made of.
enum FindingsRecord {
    private static let mark: ExactText = "findings"

    fileprivate static func start(_ basis: [UInt8]) -> RecordWriter {
        var (mark, basis, record) = (mark, basis, RecordWriter())
        record.text(&mark)
        record.octets(&basis)
        return record
    }

    /// Reads the hash.
    fileprivate static func begin(_ fields: inout RecordReader) throws(RecordError) -> [UInt8] {
        var (mark, basis): (ExactText, [UInt8]) = ("", [])
        try fields.text(&mark)
        guard mark == Self.mark else { throw .malformed }
        try fields.octets(&basis)
        return basis
    }

    /// Returns the hash that a block begins with; `nil` if it is no part of a table.
    static func basis(of block: Span<UInt8>) -> [UInt8]? {
        var fields = RecordReader(block)
        return try? begin(&fields)
    }
}
