/// SHA-256 of many things, one after the other. For one thread at a time.
public final class ContentHasher {
    private let library: OpenSSLLibrary

    public init() throws(OpenSSLError) { library = try OpenSSLLibrary() }

    /// Why a digest could not be computed; those since then are not to be used.
    public var failure: OpenSSLError? { library.failure }

    /// The digest of these bytes.
    public func digest(of bytes: Span<UInt8>) -> Digest { library.digest(.sha256, of: bytes) }
}
