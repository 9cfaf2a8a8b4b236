import Encodings
import Ledgers

/// The observations of earlier runs that this run does not have as far as its known blocks tell: those of the blocks
/// that the last run had and this one does not.
///
/// Where few blocks are missing, they stand for the whole ledger: every other observation in it is one of a known
/// block. So the ledger need not be searched for each key, which would take longer than all the rest of such a run.
struct MissingKeys: Sendable {
    /// A key's hash and a claim's identity.
    private struct Entry: Comparable, Sendable {
        let hash: UInt64
        let identity: UInt64

        static func < (a: Self, b: Self) -> Bool { (a.hash, a.identity) < (b.hash, b.identity) }
    }

    /// In order, each once.
    private var entries: [Entry] = []
    private let maxCount: Int

    /// - Parameter memory: the number of bytes that they may take.
    init(memory: Int) { maxCount = memory / MemoryLayout<Entry>.stride }

    /// Adds what the claims of a block say.
    ///
    /// - Returns: the number of its claims; `nil` if there are too many.
    /// - Throws: if it is no block.
    mutating func add(_ output: [UInt8]) throws -> Int? {
        var entries: [Entry] = []
        let claims = try BlockReplay.forEachClaim(in: output.span) { identity, keys in
            for key in keys { entries.append(Entry(hash: key.hash, identity: identity)) }
        }
        guard self.entries.count + entries.count <= maxCount else { return nil }
        self.entries += entries
        return claims
    }

    /// Brings them into order, when all have been added.
    mutating func sort() {
        entries.sort()
        var count = 0
        for index in entries.indices where count == 0 || entries[index] != entries[count - 1] {
            entries[count] = entries[index]
            count += 1
        }
        entries.removeLast(entries.count - count)
    }

    /// Returns the index of the first entry with a hash or with a later one.
    private func index(of hash: UInt64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].hash < hash { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Goes through the entries along with hashes that come in order. For one thread.
    struct Cursor {
        private let keys: MissingKeys
        private var next: Int?

        init(_ keys: MissingKeys) { self.keys = keys }

        /// Starts anew, for hashes that may come before the last one.
        mutating func reset() { next = nil }

        /// Returns the identities under a hash that is not before the last one, in order.
        mutating func identities(under hash: UInt64) -> [UInt64] {
            guard has(hash), let start = next else { return [] }
            return keys.entries[start...].prefix { $0.hash == hash }.map(\.identity)
        }

        /// Whether there are entries under a hash that is not before the last one.
        mutating func has(_ hash: UInt64) -> Bool {
            var index = next ?? keys.index(of: hash)
            while index < keys.entries.count, keys.entries[index].hash < hash { index += 1 }
            next = index
            return index < keys.entries.count && keys.entries[index].hash == hash
        }
    }
}

extension RunCache {
    /// What the blocks say that the last run had and this one does not; `nil` if that does not stand for the whole
    /// ledger, if there are many, or if one cannot be read. Known when all blocks are checked.
    ///
    /// - Parameter memory: the number of bytes that they may take.
    func missingKeys(memory: Int) throws -> MissingKeys? {
        guard !isUnchanged, let missing = unusedBlocks(), let lastRun else { return nil }
        do {
            return try missingKeys(missing.blocks, missing.usedClaims, of: lastRun, memory: memory)
        } catch is RecordError {
            return nil
        } catch let error as LedgerError {
            // Perhaps nobody needs that block. What is needed and damaged is noticed when it is read.
            guard case .damaged = error else { throw error }
            return nil
        }
    }

    private func missingKeys(
        _ blocks: [Int64], _ usedClaims: Int, of lastRun: LedgerRun, memory: Int
    ) throws -> MissingKeys? {
        let reader = try reader()
        var keys = MissingKeys(memory: memory)
        var claims = usedClaims
        for id in blocks {
            let output = try reader.block(id: id).output
            guard let count = try keys.add(output) else { return nil }
            claims += count
        }
        // A block that was not stored, or that stood there twice, is not among them.
        guard claims == lastRun.claims else { return nil }
        keys.sort()
        return keys
    }
}
