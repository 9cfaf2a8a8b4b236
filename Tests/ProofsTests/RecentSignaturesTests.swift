import SampleStore
import Testing

@testable import Proofs

struct `The last signatures of tokens` {
    private func key(_ number: UInt8, place: UInt8 = 0) -> Digest {
        Digest(octets: [UInt8](repeating: 0, count: 7) + [place] + [UInt8](repeating: number, count: 24))
    }

    @Test func `are known, and no others`() {
        let recent = RecentSignatures()
        #expect(!recent.holds(key(1)))
        recent.insert(key(1))
        #expect(recent.holds(key(1)))
        #expect(!recent.holds(key(2, place: 1)))
        #expect(!recent.holds(key(3)))
    }

    @Test func `make place for the next`() {
        let recent = RecentSignatures()
        recent.insert(key(1))
        recent.insert(key(2))
        #expect(!recent.holds(key(1)))
        #expect(recent.holds(key(2)))
    }

    @Test func `are those of one key and one token alone`() throws {
        let (store, other) = (try TokenAuthority(), try TokenAuthority.rogue())
        let trust = try TrustAnchors(files: [
            ("a.cer", store.root.certificate), ("b.cer", other.root.certificate),
        ])
        let verifier = try SignatureVerifier(trust: trust)
        func holds(_ text: String) throws -> Bool {
            let octets = Array(text.utf8)
            guard let parts = TokenParts(octets.span) else { return false }
            let token = try verifier.token(octets.span, parts)
            return verifier.verdict(on: token, at: .utc(2025, 1, 1)).signature == .holds
        }
        let (mine, theirs) = (try store.token(octets: [0x7b, 0x7d]), try other.token(octets: [0x7b, 0x7d]))
        for _ in 0..<3 {
            #expect(try holds(mine.text))
            #expect(try holds(theirs.text))
            var mixed = mine
            mixed.signature = theirs.signature
            #expect(try !holds(mixed.text))
        }
    }
}
