import Encodings

/// Caches the last valid signatures of tokens, for one thread: an app sends the same token again and again, and a
/// signature on a curve costs several times as much as the rest of a token's checks.
///
/// Each signature has one place, determined by its key. The next one with the same place replaces it.
///
/// An entry means that one signature over one digest belongs to one certificate's key. Nothing else affects this,
/// neither time nor trust.
final class RecentSignatures {
    private static let places = 4096
    private var keys: [Digest?] = Array(repeating: nil, count: places)

    private func place(of key: borrowing Digest) -> Int { Int(key.prefix % UInt64(Self.places)) }

    /// - Parameter key: SHA-256 of the signer's certificate, the digest's algorithm, the digest and the signature.
    func holds(_ key: Digest) -> Bool { keys[place(of: key)].map { $0.equals(key.octets) } ?? false }

    func insert(_ key: Digest) { keys[place(of: key)] = key }
}
