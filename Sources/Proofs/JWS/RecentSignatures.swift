import Encodings

/// Remembers the last signatures of tokens that hold, for a run without a ledger: an app sends the same token again and
/// again, and a signature on a curve costs several times what all else about a token does.
///
/// Each signature has one place, by its key, which the next one with the same place takes.
final class RecentSignatures: SignatureCache {
    private static let places = 4096
    private var keys: [Digest?] = Array(repeating: nil, count: places)

    private func place(of key: borrowing Digest) -> Int { Int(key.prefix % UInt64(Self.places)) }

    func holds(_ key: Digest) -> Bool? {
        guard let known = keys[place(of: key)], known.equals(key.octets) else { return nil }
        return true
    }

    func insert(_ key: Digest, isValid holds: Bool) {
        if holds { keys[place(of: key)] = key }
    }
}
