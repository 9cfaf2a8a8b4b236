import Files
import Inputs
import Ledgers
import Proofs
import Rules
import Sorting

/// What one worker knows of earlier runs, and what it has found that is new.
final class WorkerCache {
    let keys: BlockKeys
    private let reader: LedgerReader?
    private let claims: RecordSorter
    private let signatures: RecordSorter
    /// How many signatures were verified.
    private(set) var verified = 0
    /// Why something could not be looked up or kept.
    private(set) var failure: (any Error)?

    init(_ cache: RunCache, storage: Storage) throws {
        keys = try BlockKeys(cache)
        reader = cache.hasBlocks ? try cache.reader() : nil
        claims = RecordSorter(budget: storage.memory / 8, folder: storage.folder)
        signatures = RecordSorter(budget: storage.memory / 16, folder: storage.folder)
    }

    /// Returns the stored result of a block with these contents.
    func block(_ key: BlockKey) throws(LedgerError) -> LedgerBlock? {
        let octets = key.octets
        return try reader?.block(key: octets.span)
    }

    /// Adds what a claim says.
    func add(_ claim: KeyedClaim) throws(FileError) { try claims.add(claim.identity, claim.record.span) }

    func finishClaims() throws(FileError) -> [SortedRun] { try claims.finish() }
    func finishSignatures() throws(FileError) -> [SortedRun] { try signatures.finish() }
}

extension WorkerCache: SignatureCache {
    func holds(_ key: Digest) -> Bool? {
        guard failure == nil else { return nil }
        do throws(LedgerError) {
            return try reader?.verdict(ofSignature: key.octets).map { $0 == [1] }
        } catch {
            failure = error
            return nil
        }
    }

    func insert(_ key: Digest, isValid holds: Bool) {
        verified += 1
        var record: [UInt8] = []
        record.append(copying: key.octets)
        record.append(holds ? 1 : 0)
        do throws(FileError) {
            try signatures.add(key.prefix, record.span)
        } catch {
            failure = failure ?? error
        }
    }
}
