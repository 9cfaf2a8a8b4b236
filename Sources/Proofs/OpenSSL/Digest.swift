private import COpenSSL
import DER
import Encodings

/// A message digest algorithm with which Apple signs receipts.
public enum DigestAlgorithm: String, Sendable {
    /// RFC 3174. Apple signed with it until January 2025 (TN3138).
    case sha1
    /// FIPS 180-4.
    case sha256

    /// The size of the digest in bytes.
    public var octetCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        }
    }

    /// The bytes before the digest in a signature's DigestInfo (RFC 8017, section 9.2, note 1).
    var digestInfoHead: [UInt8] {
        switch self {
        case .sha1: Self.sha1Head
        case .sha256: Self.sha256Head
        }
    }

    private static let sha1Head: [UInt8] =
        [0x30, 0x21, 0x30, 0x09, 0x06, 0x05] + ObjectIdentifier.sha1 + [0x05, 0x00, 0x04, 0x14]
    private static let sha256Head: [UInt8] =
        [0x30, 0x31, 0x30, 0x0d, 0x06, 0x09] + ObjectIdentifier.sha256 + [0x05, 0x00, 0x04, 0x20]

    /// The algorithm with this object identifier, if it is one of the two.
    init?(objectIdentifier: Span<UInt8>) {
        if objectIdentifier.isSame(as: ObjectIdentifier.sha1) {
            self = .sha1
        } else if objectIdentifier.isSame(as: ObjectIdentifier.sha256) {
            self = .sha256
        } else {
            return nil
        }
    }
}

/// A message digest of up to 32 bytes, without an allocation.
public struct Digest: Sendable {
    private var storage = InlineArray<32, UInt8>(repeating: 0)
    private let count: Int

    init(count: Int) { self.count = min(count, 32) }

    /// Makes a digest from these bytes, 32 at most.
    package init(octets: [UInt8]) {
        count = min(octets.count, 32)
        for index in 0..<count { storage[index] = octets[index] }
    }

    public var octets: Span<UInt8> {
        @_lifetime(borrow self) borrowing get { storage.span.extracting(0..<count) }
    }

    /// A copy of the bytes.
    public var bytes: [UInt8] { octets.copy() }

    /// The first eight bytes as a number.
    public var prefix: UInt64 { (0..<8).reduce(0) { $0 << 8 | UInt64($1 < count ? storage[$1] : 0) } }

    public func equals(_ other: Span<UInt8>) -> Bool { octets.isSame(as: other) }

    /// Computes SHA-256 of these bytes in hex, for data that is digested once: a policy, a report.
    public static func sha256Hex(of bytes: [UInt8]) throws(OpenSSLError) -> String {
        let digest = try OpenSSLLibrary().digest(.sha256, of: bytes.span)
        return Hex.string(digest.octets)
    }

    mutating func withUnsafeMutableOctets(_ body: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
        var span = storage.mutableSpan
        unsafe span.withUnsafeMutableBufferPointer { unsafe body($0) }
    }
}

/// Computes SHA-256 of many inputs. For one thread at a time.
public final class ContentHasher {
    let library: OpenSSLLibrary

    public init() throws(OpenSSLError) { library = try OpenSSLLibrary() }

    /// The reason why a digest could not be computed. Digests made after it are invalid.
    public var failure: OpenSSLError? { library.failure }

    /// Computes the digest of these bytes.
    public func digest(of bytes: Span<UInt8>) -> Digest { library.digest(.sha256, of: bytes) }
}
