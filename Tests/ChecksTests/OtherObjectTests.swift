import Encodings
import FoundationEssentials
import Inputs
import Proofs
import SampleStore
import Testing

@testable import Checks

/// What Apple signs for other purposes: the attack suite has an object of each kind.
struct `An object that is no proof` {
    private let kit: AttackKit

    init() throws { kit = try AttackKit() }

    private func doubts(_ facts: Facts) -> [ClaimDoubt] {
        var doubts: [ClaimDoubt] = []
        facts.forEachDoubt { doubt, _ in doubts.append(doubt) }
        return doubts
    }

    @Test(arguments: [
        ("object-app-attest-receipt", OtherObject.Kind.appAttestReceipt),
        ("object-app-attest-receipt-without-attributes", .appAttestReceipt),
        ("object-provisioning-profile", .provisioningProfile), ("object-pass-signature", .pass),
        ("object-apple-pay-signature", .applePay), ("object-app-signature", .codeSignature),
        ("object-intermediate-certificate", .certificate), ("token-of-another-kind", .token),
        ("content-verify-receipt-response", .json), ("container-empty-content", .signedData),
    ])
    func `is called what it is, if an anchor signed it`(id: String, kind: OtherObject.Kind) throws {
        let inspection = try inspect(id)
        let reason = try #require(inspection.reason(.notAProof))
        #expect(reason.hasPrefix("It is \(kind.rawValue), not a proof of purchase."), "\(reason)")
        let end = kind == .certificate ? "A trust anchor signed it." : "and the chain ends at a trust anchor."
        #expect(reason.hasSuffix(end), "\(reason)")
        #expect(inspection.facts.failed == [.notAProof] && inspection.facts.kind.isEmpty)
        #expect(doubts(inspection.facts) == [.sentOtherObject])
    }

    @Test(arguments: ["object-app-attest-receipt", "object-pass-signature", "token-of-another-kind"])
    func `is only of an unknown format, or without content, under other anchors`(id: String) throws {
        let inspection = try inspect(id, trusting: PrivateAuthority.rogue().root.certificate)
        #expect(inspection.facts.failed == (id == "object-pass-signature" ? [.noContent] : [.unknownFormat]))
    }

    @Test(arguments: [
        ("object-app-attest-receipt-of-forger", OtherObject.Kind.appAttestReceipt),
        ("object-profile-with-other-content", .provisioningProfile), ("token-of-another-kind-by-forger", .token),
    ])
    func `is of an unknown format, if no signature of an anchor holds`(id: String, kind: OtherObject.Kind) throws {
        let inspection = try inspect(id)
        #expect(
            inspection.reason(.unknownFormat)
                == "It is \(kind.rawValue), not a proof of purchase, and no signature of a trusted authority holds over it."
        )
        #expect(doubts(inspection.facts) == [.sentUntrustedObject])
    }

    /// Whoever could bring no receipt but one of these would shed every rule if they were receipts.
    @Test func `leaves nothing of a proof behind`() throws {
        // The size limit is not the checker's.
        for test in AttackSuite.cases
        where test.verdict == "unreadable" && test.text.failedChecks != [.receiptUnreadable] {
            let facts = try inspect(test.id).facts
            #expect(facts.receipt == nil && facts.token == nil && facts.signature == nil, "\(test.id)")
            #expect(facts.deviceHash == .notChecked && facts.provenPurchases == nil, "\(test.id)")
        }
    }

    @Test(
        arguments: [
            ("\u{fffd}cfmt\u{6f}apple-appattestg", 0xa3 as UInt8?, "attestation"),
            ("\u{fffd}isignatureX", 0xa2, "attestation"),
            (#"{"data":"aa==","signature":"MIAG","version":"EC_v1"}"#, nil, "an Apple Pay token"),
        ] as [(String, UInt8?, String)])
    func `is named where it is no container, in base64, too`(text: String, first: UInt8?, name: String) throws {
        // The first octet of a CBOR map is no text.
        let rest = Array(text.utf8)
        let bytes = first.map { [$0] + rest.dropFirst("\u{fffd}".utf8.count) } ?? rest
        for stored in [bytes, Array(Data(bytes).base64EncodedString().utf8)] {
            let facts = try Inspecting.inspect(stored).facts
            #expect(facts.failed == [.unknownFormat])
            #expect(SeenValue(stored.span)?.noun.contains(name) == true)
        }
    }

    private func inspect(_ id: String, trusting anchor: [UInt8]? = nil) throws -> Inspection {
        let test = try #require(AttackSuite.cases.first { $0.id == id })
        let attack = try test.claim(kit)
        let anchors = anchor.map { [$0] } ?? attack.trustAnchors
        let trust = try TrustAnchors(files: anchors.map { (name: "root", bytes: $0) })
        return try Checker(trust: trust, expectations: Expectations(asOf: attack.asOf)).inspection(
            of: Claim(source: "a test"), receipt: attack.proof)
    }
}
