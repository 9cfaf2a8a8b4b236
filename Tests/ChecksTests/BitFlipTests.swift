import Corpus
import Encodings
import FoundationEssentials
import Inputs
import SampleStore
import Signatures
import Testing

@testable import Checks

/// The bar that OpenSSL's own PKCS7_verify misses for one flip in five.
struct `Of all single-bit flips, none is valid` {
    /// Debug builds are many times slower: there, every so many bits.
    #if DEBUG
        private let stride = 37
    #else
        private let stride = 1
    #endif

    @Test(
        .enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"),
        arguments: [
            "sandbox-ios-bjitgroup-easypurchase-20231113.der", "sandbox-macos-apple-cliptrace-20250430.der",
        ])
    func `of a genuine receipt`(name: String) throws {
        try flip(Corpus.bytes("receipts/" + name), trust: .apple())
    }

    @Test(arguments: [SampleDigest.sha1, .sha256])
    func `of a sample receipt`(digest: SampleDigest) throws {
        let authority = try PrivateAuthority()
        let receipt = ReceiptContent(
            bundleID: "com.example.notes", device: .vendorIdentifier(Array(1...16)), createdAt: .utc(2024, 3, 1))
        try flip(
            authority.receipt(receipt, digest: digest),
            trust: TrustAnchors(files: [(name: "root", bytes: authority.root.certificate)]))
    }

    private func flip(_ receipt: [UInt8], trust: TrustAnchors) throws {
        let judge = try Judge(trust: trust, expectations: Expectations(asOf: .utc(2026, 6, 1)))
        let claim = Claim(source: "flip")
        #expect(judge.facts(of: claim, receipt: receipt.span).verdict == .valid)
        var flipped = receipt
        var valid: [Int] = []
        for bit in Swift.stride(from: 0, to: 8 * receipt.count, by: stride) {
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            if judge.facts(of: claim, receipt: flipped.span).verdict == .valid { valid.append(bit) }
            flipped[bit / 8] = receipt[bit / 8]
        }
        #expect(valid == [])
    }
}
