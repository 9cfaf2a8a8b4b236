import Corpus
import DER
import Encodings
import SampleStore
import Testing

@testable import Proofs

/// Nothing that OpenSSL's PKCS7_verify rejects is ever accepted.
struct `What OpenSSL rejects` {
    #if DEBUG
        private let mutants = 300
    #else
        private let mutants = 3000
    #endif

    @Test(
        .enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"),
        arguments: Corpus.files(in: "receipts", ending: ".der"))
    func `is never accepted, among mutants of a genuine receipt`(name: String) throws {
        let roots = ["AppleRootCA.cer", "AppleRootG2.cer", "AppleRootG3.cer"].map { Corpus.bytes("certs/" + $0) }
        // A date at which nearly every chain of the corpus holds, and one at which none does.
        for date in [Instant.utc(2016, 1, 10), .utc(2023, 1, 10), .utc(2025, 6, 1), .utc(2040, 1, 1)] {
            try compare(
                Corpus.bytes("receipts/" + name), roots: roots, trust: .apple(), at: date, mutants: mutants / 30)
        }
    }

    @Test(arguments: ContainerVariant.allCases)
    func `is never accepted, among mutants of a sample that deviates`(
        deviation: ContainerVariant
    ) throws {
        let authority = try PrivateAuthority()
        let root = authority.root.certificate
        let container = try deviation.container(signing: Self.receipt.der, by: authority)
        try compare(
            container, roots: [root], trust: TrustAnchors(files: [(name: "root", bytes: root)]),
            at: .utc(2024, 3, 1), mutants: mutants / 10)
    }

    @Test func `is never accepted, among mutants of a sample`() throws {
        let authority = try PrivateAuthority()
        let root = authority.root.certificate
        let receipt = try authority.receipt(Self.receipt, digest: .sha256)
        let trust = try TrustAnchors(files: [(name: "root", bytes: root)])
        #expect(accepts(receipt, try SignatureVerifier(trust: trust), at: .utc(2024, 3, 1)))
        try compare(receipt, roots: [root], trust: trust, at: .utc(2024, 3, 1), mutants: mutants)
    }

    private static let receipt = ReceiptContent(
        bundleID: "com.example.notes", device: .vendorIdentifier(Array(1...16)), createdAt: .utc(2024, 3, 1))

    private func compare(
        _ container: [UInt8], roots: [[UInt8]], trust: TrustAnchors, at date: Instant, mutants: Int
    ) throws {
        let verifier = try SignatureVerifier(trust: trust)
        var source = Mutations(seed: UInt64(container.count))
        for number in 0...mutants {
            let mutant = number == 0 ? container : source.mutate(container)
            guard accepts(mutant, verifier, at: date) else { continue }
            #expect(OpenSSLAnswer(mutant, roots: roots, at: date).pkcs7, "mutant \(number)")
        }
    }

    /// Whether the product takes signature and chain for good at this date, so that the receipt may be valid.
    ///
    /// What is not in the strict form never is: it is read without looking at what nobody signed, such as revocation lists,
    /// and `LenientReadingTests` compares what is read with OpenSSL. Nor are containers with other certificates than the
    /// chain's: the product does not decode those, while PKCS7_verify refuses a container for one that is broken.
    private func accepts(_ container: [UInt8], _ verifier: SignatureVerifier, at date: Instant) -> Bool {
        do {
            let signedData = try SignedData(strict: container.span)
            let verdict = verifier.verdict(on: signedData, by: try verifier.signer(of: signedData), at: date)
            return verdict.signature == .holds && verdict.isChainCurrent(at: date) == true
                && verdict.chain.deviation != .otherThanChain
        } catch {
            return false
        }
    }
}
