import Encodings
import SampleStore
import Testing

@testable import Proofs

/// A memory in a dictionary, which counts what is asked of it.
private final class Notebook: SignatureCache {
    var known: [[UInt8]: Bool] = [:]
    var verified = 0

    func holds(_ key: Digest) -> Bool? { known[key.octets.copy()] }

    func insert(_ key: Digest, isValid holds: Bool) {
        verified += 1
        known[key.octets.copy()] = holds
    }
}

extension Span<UInt8> {
    fileprivate var copied: [UInt8] { indices.map { self[$0] } }
}

struct `A verifier that remembers signatures` {
    private let authorities: SampleAuthorities
    private let notebook = Notebook()

    init() throws { authorities = try SampleAuthorities() }

    private func receipt(_ digest: SampleDigest = .sha256) throws -> [UInt8] {
        try authorities.genuine.receipt(
            ReceiptContent(
                bundleID: "com.example.notes", device: .vendorIdentifier(Array(0x10...0x1f)),
                createdAt: .utc(2024, 3, 1)),
            digest: digest)
    }

    /// What a new verifier says, with the notebook of those before it.
    private func verdict(_ receipt: [UInt8]) throws -> SignatureVerdict {
        let trust = try TrustAnchors(files: [(name: "root", bytes: authorities.genuine.root.certificate)])
        let verifier = try SignatureVerifier(trust: trust, cache: notebook)
        let signedData = try SignedData(strict: receipt.span)
        return verifier.verdict(on: signedData, by: try verifier.signer(of: signedData), at: .utc(2024, 3, 1))
    }

    @Test(arguments: [SampleDigest.sha1, .sha256])
    func `verifies each once, and says the same again`(digest: SampleDigest) throws {
        let receipt = try receipt(digest)
        let (first, second) = (try verdict(receipt), try verdict(receipt))
        #expect(notebook.verified == 1)
        for verdict in [first, second] {
            guard case .holds = verdict.signature else {
                Issue.record("it does not hold")
                continue
            }
        }
        #expect(first.contentDigest.octets.copy() == second.contentDigest.octets.copy())
    }

    @Test func `takes no signature for another one, whatever bit of it or of the content is flipped`() throws {
        let receipt = try receipt()
        _ = try verdict(receipt)
        let signedData = try SignedData(strict: receipt.span)
        let ranges = [receipt.span.indices(of: signedData.signature), receipt.span.indices(of: signedData.content)]
        #expect(!ranges.contains(nil))
        for range in ranges.compactMap(\.self) {
            for position in stride(from: range.lowerBound, to: range.upperBound, by: 7) {
                var forged = receipt
                forged[position] ^= 1 << UInt8(position % 8)
                guard case .broken = try verdict(forged).signature else {
                    Issue.record("byte \(position) does not matter")
                    continue
                }
            }
        }
        // What is broken is remembered as such, and the genuine one as holding.
        let count = notebook.verified
        guard case .holds = try verdict(receipt).signature else { throw Wrong() }
        #expect(notebook.verified == count)
    }

    private struct Wrong: Error {}
}
