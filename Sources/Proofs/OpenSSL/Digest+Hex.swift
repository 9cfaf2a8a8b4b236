import Encodings

extension Digest {
    /// SHA-256 of these bytes in hex, for what is digested once: a policy, a report.
    public static func sha256Hex(of bytes: [UInt8]) throws(OpenSSLError) -> String {
        let digest = try OpenSSLLibrary().digest(.sha256, of: bytes.span)
        return Hex.string(digest.octets)
    }
}
