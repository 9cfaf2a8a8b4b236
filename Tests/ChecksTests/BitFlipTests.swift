import Corpus
import Encodings
import Inputs
import Proofs
import SampleStore
import Testing

@testable import Checks

/// The bar of the contract: of all single-bit flips of a genuine receipt, none is valid.
struct `No single-bit flip is valid` {
    /// A prime number, so that every bit of a byte gets its turn.
    static let step = 61

    @Test(
        .enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"),
        arguments: [
            "sandbox-ios-bjitgroup-easypurchase-20231113.der", "sandbox-macos-apple-cliptrace-20250430.der",
        ])
    func `of a receipt of the corpus`(name: String) throws {
        let checker = try Checker(trust: .apple(), expectations: Expectations(asOf: Samples.asOf))
        let bytes = Corpus.bytes("receipts/" + name)
        #expect(checker.codes(bytes, Claim(source: ExactText(name))) == "")
        flip(bytes, checker, Claim(source: ExactText(name)))
    }

    @Test(arguments: SampleDigest.allCases)
    func `of a sample`(digest: SampleDigest) throws {
        let authority = try PrivateAuthority()
        let checker = try Samples.checker(trusting: authority.root.certificate)
        let bytes = try authority.receipt(Samples.receipt, digest: digest)
        #expect(checker.codes(bytes) == "")
        flip(bytes, checker, Samples.claim)
    }

    private func flip(_ bytes: [UInt8], _ checker: Checker, _ claim: Claim) {
        var slowest = Duration.zero
        var flips = 0
        for bit in Exhaustive.cases(Array(0..<bytes.count * 8), every: Self.step) {
            var altered = bytes
            altered[bit / 8] ^= 1 << (bit % 8)
            var verdict = Verdict.valid
            slowest = max(slowest, ProcessorTime.measure { verdict = checker.facts(altered, claim).verdict })
            flips += 1
            if verdict == .valid { Issue.record("bit \(bit % 8) of byte \(bit / 8)") }
        }
        #expect(flips > bytes.count * 8 / Self.step - 1)
        #expect(slowest < .seconds(1), "the slowest of \(flips) flips")
        print("\(flips) flips, the slowest \(slowest)")
    }
}
