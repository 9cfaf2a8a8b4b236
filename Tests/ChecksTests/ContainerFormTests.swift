import Encodings
import Inputs
import Receipts
import SampleStore
import Testing

@testable import Checks

struct `A container` {
    /// What an auditor must find, in the contract's words, where the deviation itself leaves it open.
    static let codes: [ContainerVariant: String] = [
        .signedAttributes: "noncanonical-container;signature-invalid",
        .otherSignatureAlgorithm: "noncanonical-container;signature-invalid",
        .digestMismatch: "noncanonical-container;signature-invalid",
        .unrelatedCertificate: "noncanonical-container",
        .alteredRoot: "noncanonical-container",
        .noSignerInfo: "noncanonical-container;signer-not-found",
        .leftOverInside: "malformed-container",
        .noCertificates: "noncanonical-container;signer-not-found",
    ]

    @Test(arguments: ContainerVariant.allCases, SampleDigest.allCases)
    func `that departs from the strict form fails by its code alone`(
        deviation: ContainerVariant, digest: SampleDigest
    ) throws {
        let authority = try PrivateAuthority()
        let checker = try Samples.checker(trusting: authority.root.certificate)
        let bytes = try deviation.container(signing: Samples.receipt.der, by: authority, digest: digest)
        let facts = checker.facts(bytes)
        let expected =
            switch deviation.verdict {
            case .canonical: ""
            case .fails(let check): check.rawValue
            case .notValid: ""
            }
        #expect(facts.failed.description == Self.codes[deviation] ?? expected)
        if deviation.verdict != .canonical { #expect(facts.verdict != .valid) }
    }

    @Test(arguments: Forgery.ofExports)
    func `of a forger fails by the check that the forgery is named for`(forgery: Forgery) throws {
        let authorities = try SampleAuthorities()
        var expectations = Expectations(asOf: SampleExport.asOf)
        expectations.bundleIDs = nil
        let checker = try Samples.checker(trusting: authorities.genuine.root.certificate) { $0 = expectations }
        for index in 0..<12 {
            let draft = ClaimDraft(index: index, seed: 11, asOf: SampleExport.asOf)
            let sample = try forgery.claim(from: draft, by: authorities, seed: 11)
            guard let file = sample.file, file.extendedTo == nil else { continue }
            var claim = Claim(source: ExactText(sample.source))
            claim.deviceID = ExactText(sample.row.deviceID)
            claim.bundleID = ExactText(sample.row.bundleID)
            claim.appVersion = ExactText(sample.row.appVersion)
            #expect(checker.codes(file.container, claim) == forgery.rawValue, "claim \(index)")
        }
    }

    @Test func `as Xcode writes it is read, and neither trusted nor canonical`() throws {
        let checker = try Samples.checker(trusting: PrivateAuthority().root.certificate)
        let facts = checker.facts(try XcodeReceipt.bytes(Samples.receipt))
        #expect(facts.failed == [.noncanonicalContainer, .chainUntrusted])
        #expect(facts.receipt?.environment == "Xcode")
        #expect(facts.deviceHash == .match)
    }
}
