private import COpenSSL

/// The `OSSL_LIB_CTX` that all signing keys live in: one, apart from the default one, and never freed.
///
/// Apart, so that signing neither reads the machine's OpenSSL configuration nor waits for the
/// locks of the default context. Never freed, because RSA signing leaves a random generator
/// behind in every thread: OpenSSL 3.0 cleans it up when the thread ends, and reads freed
/// memory then if the context went first.
@safe final class LibraryContext: @unchecked Sendable {
    static let shared = LibraryContext()

    /// `nil` if there was no memory, which OpenSSL takes for its default context.
    let pointer: OpaquePointer?

    private init() { unsafe pointer = OSSL_LIB_CTX_new() }
}
