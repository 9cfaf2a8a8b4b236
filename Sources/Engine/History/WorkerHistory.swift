import Files
import Inputs
import Sorting

/// What one worker knows of earlier runs, and the claims that it leaves to later ones.
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

    /// Returns a hash of all that a block holds; `nil` if that is not all read, or if nothing is kept.
    func key(_ block: ClaimBlock) -> [UInt8]? { isKept ? keys.key(block) : nil }

    /// Returns the stored result of a block with these contents.
    func block(_ key: [UInt8]) throws -> StoredBlock? { try reader?.block(key: key.span) }

    /// Adds what a claim says.
    func add(_ claim: KeyedClaim) throws(FileError) {
        if isKept { try claims.add(claim.identity, claim.record.span) }
    }

    func finish() throws(FileError) -> [SortedRun] { try claims.finish() }
}
