import Files
import Inputs
import Sorting

/// One worker's access to earlier runs, and the claims that it stores for later ones.
final class WorkerHistory {
    let keys: BlockKeys
    private let reader: (any HistoryReader)?
    private let claims: RecordSorter
    let isKept: Bool

    init(_ history: RunHistory, storage: Storage) throws {
        keys = try BlockKeys(history)
        isKept = history.isKept
        reader = try history.reader()
        claims = RecordSorter(budget: storage.memory / 8, folder: storage.folder)
    }

    /// Returns a hash of a block's content; `nil` if it was not all read, or if nothing is stored.
    func key(_ block: ClaimBlock) -> [UInt8]? { isKept ? keys.key(block) : nil }

    /// Returns the stored result of a block with this content.
    func block(_ key: [UInt8]) throws -> StoredBlock? { try reader?.block(key: key.span) }

    /// Adds a claim's observations.
    func add(_ claim: KeyedClaim) throws(FileError) {
        if isKept { try claims.add(claim.identity, claim.record.span) }
    }

    func finish() throws(FileError) -> [SortedRun] { try claims.finish() }
}
