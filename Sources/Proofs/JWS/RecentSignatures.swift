import Encodings

/// Remembers the last signatures of tokens that hold, for one thread: an app sends the same token again and
/// again, and a signature on a curve costs several times what all else about a token does.
///
/// Each signature has one place, by its key, which the next one with the same place takes.
///
/// An entry says that one signature over one digest is that of one certificate's key: nothing else decides it, neither
/// time nor trust.
final class RecentSignatures {
    private static let places = 4096
    private var keys: [Digest?] = Array(repeating: nil, count: places)

    private func place(of key: borrowing Digest) -> Int { Int(key.prefix % UInt64(Self.places)) }

    /// - Parameter key: SHA-256 of the signer's certificate, the digest's algorithm, the digest and the signature.
    func holds(_ key: Digest) -> Bool { keys[place(of: key)].map { $0.equals(key.octets) } ?? false }

    func insert(_ key: Digest) { keys[place(of: key)] = key }
}
