import Corpus
import Encodings
import Proofs
import Receipts
import SampleStore
import Testing

@testable import Checks

/// No change to a proof's structure gives another valid proof, but for the freedoms that the contract leaves.
///
/// `make release-test` makes three times as many mutants, `make attack-check` three hundred times.
struct `A structural mutant` {
    @Test(.enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"))
    func `of a genuine receipt is never valid, unless nothing but its form differs`() async throws {
        let roots = ["AppleRootCA.cer", "AppleRootG2.cer", "AppleRootG3.cer"].map { Corpus.bytes("certs/" + $0) }
        let names = Corpus.files(in: "receipts", ending: ".der").filter { !$0.hasPrefix("xcode") }
        let specimens = names.compactMap { Specimen(name: $0, bytes: Corpus.bytes("receipts/" + $0)) }
        #expect(specimens.count == names.count)
        let spares = Corpus.files(in: "certs", ending: ".cer").map { Corpus.bytes("certs/" + $0) }
        let share = MutationBudget.mutants / 2 / max(1, specimens.count)
        let tally = try await MutationTally.sum(Array(specimens.indices)) { index in
            let donors = [index + 1, index + 2, index + 7].map { specimens[$0 % specimens.count] }
            // Apple's first receipts lack the markers.
            let tolerated: CheckSet = specimens[index].name.hasPrefix("sample2010") ? [.signerNotAppStore] : []
            return try MutationCampaign(
                specimens[index], donors: donors, spares: spares, trust: .apple(), roots: roots, tolerated: tolerated
            ).run(share, seed: MutationBudget.seed)
        }
        tally.check(everyOneOf: MutationKind.ofContainers)
    }

    @Test func `of a sample receipt is never valid, unless nothing but its form differs`() async throws {
        let authority = try PrivateAuthority()
        let root = authority.root.certificate
        let specimens = try [
            ("sha256", authority.receipt(Samples.receipt, digest: .sha256)),
            ("sha1", authority.receipt(Samples.receipt, digest: .sha1)),
            (
                "without parameters",
                ContainerVariant.parametersAbsent.container(
                    signing: Samples.receipt.der, by: authority)
            ),
        ].compactMap { Specimen(name: $0.0, bytes: $0.1) }
        #expect(specimens.count == 3)
        let others = try [
            ("rogue", PrivateAuthority.rogue().receipt(Samples.receipt)),
            ("developer", PrivateAuthority.developer().receipt(Samples.receipt)),
        ].compactMap { Specimen(name: $0.0, bytes: $0.1) }
        let renewed = CertificateContent.intermediate.with { $0.serialNumber += 1 }
        let spares =
            try PrivateAuthority(intermediates: [renewed]).certificates
            + PrivateAuthority.chainOfFour().certificates + PrivateAuthority.rogue().certificates
        let share = MutationBudget.mutants / 4 / specimens.count
        let tally = try await MutationTally.sum(specimens) { specimen in
            try MutationCampaign(
                specimen, donors: specimens.filter { $0.name != specimen.name } + others, spares: spares,
                trust: TrustAnchors(files: [(name: "root", bytes: root)]), roots: [root]
            ).run(share, seed: MutationBudget.seed)
        }
        tally.check(everyOneOf: MutationKind.ofContainers)
    }

    @Test func `of a content that is signed anew is what its attributes say, if it is valid`() async throws {
        // A small key signs fast.
        let authority = try PrivateAuthority(
            intermediates: [.intermediate.with { $0.notBefore = .utc(2006) }],
            leaf: .leaf.with {
                $0.key = .small
                $0.notBefore = .utc(2006)
            })
        let contents = Self.contents
        let share = MutationBudget.mutants / 4 / contents.count
        let tally = try await MutationTally.sum(contents) { name, content in
            try ContentCampaign(name: name, content: content, authority: authority)
                .run(share, seed: MutationBudget.seed)
        }
        tally.check(everyOneOf: MutationKind.ofContents)
    }

    /// A sample's content, and some genuine ones.
    private static var contents: [(String, [UInt8])] {
        let subscription = PurchaseContent(
            .autoRenewable, productID: "com.example.notes.plus", transactionID: "460000000000002",
            purchasedAt: .utc(2024, 2, 2)
        ).with { $0.expiresAt = .utc(2024, 3, 2) }
        let sample = Samples.receipt.with { $0.purchases.append(subscription) }
        let genuine = Corpus.files(in: "receipts", ending: ".der").filter { !$0.hasPrefix("xcode") }
            .map { ($0, Corpus.bytes("receipts/" + $0)) }.filter { $0.1.count < 8000 }
            .compactMap { name, bytes in
                Specimen(name: name, bytes: bytes)?.tree[Field.content].map { (name, $0.octets) }
            }
        return [("sample", sample.der)] + genuine.prefix(9)
    }
}
