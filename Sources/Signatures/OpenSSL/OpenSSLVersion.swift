private import COpenSSL
import Encodings

/// The OpenSSL that this process was linked with when it started.
public enum OpenSSLVersion {
    /// For example `OpenSSL 3.0.15 3 Sep 2024`.
    public static var text: String { unsafe String(cString: OpenSSL_version(OPENSSL_VERSION)) }

    /// For example `3.0.15`.
    public static var inUse: String { unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)) }

    /// The version of the headers that this was built with.
    public static var builtWith: String { OPENSSL_VERSION_STR }
}

extension Digest {
    /// SHA-256 of these bytes in hex, for what is digested once: a policy, a report.
    public static func sha256Hex(of bytes: [UInt8]) throws(OpenSSLError) -> String {
        let digest = try OpenSSLLibrary().digest(.sha256, of: bytes.span)
        return Hex.string(digest.octets)
    }
}
