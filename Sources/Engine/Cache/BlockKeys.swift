import Inputs
import Proofs

/// Makes the keys under which blocks are remembered, for one thread.
final class BlockKeys {
    private let hasher: ContentHasher
    private let settings: [UInt8]
    private let settledBefore: Int64
    private var identity: [UInt8] = []

    init(_ memory: RunCache) throws(OpenSSLError) {
        hasher = try ContentHasher()
        settings = memory.settings
        settledBefore = memory.settledBefore
    }

    /// Why a key could not be made; those since then are not to be used.
    var failure: OpenSSLError? { hasher.failure }

    /// By the bytes of all that the block holds; `nil` if they are not all at hand.
    func key(_ block: ClaimBlock) -> BlockKey? {
        identity.removeAll(keepingCapacity: true)
        identity += settings
        let hasKey = block.appendIdentity(to: &identity) { file, identity in
            identity += hasher.digest(of: file).bytes
        }
        let identity = identity
        return hasKey ? BlockKey(hasher.digest(of: identity.span)) : nil
    }

    /// By what the system says of the block's files; `nil` if there are none, or if it says too little.
    func statusKey(_ block: ClaimBlock) -> [UInt8]? {
        identity.removeAll(keepingCapacity: true)
        identity += settings
        guard block.appendIdentityByStatus(to: &identity, settledBefore: settledBefore) else { return nil }
        let identity = identity
        return hasher.digest(of: identity.span).bytes
    }
}
