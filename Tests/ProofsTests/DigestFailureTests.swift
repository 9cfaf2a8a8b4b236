import Testing

@testable import Proofs

struct `A library that could not compute a digest` {
    private let bytes: [UInt8] = [1, 2, 3]

    @Test func `says so from then on`() throws {
        let library = try OpenSSLLibrary()
        _ = library.digest(.sha256, of: bytes.span)
        #expect(library.failure == nil)
        library.note(0)
        _ = library.digest(.sha256, of: bytes.span)
        #expect(library.failure?.description == "could not compute a digest")
    }

    @Test func `says so through the verifier that uses it`() throws {
        let verifier = try SignatureVerifier(trust: .apple())
        #expect(verifier.failure == nil)
        verifier.library.note(-1)
        #expect(verifier.failure?.step == .digest)
    }
}
