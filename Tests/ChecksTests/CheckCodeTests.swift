import DER
import Encodings
import Inputs
import Proofs
import Receipts
import SampleStore
import Testing

@testable import Checks

/// Every code of the contract, raised by the fault that it names and by nothing else.
struct `Of a sample claim` {
    let authority: PrivateAuthority
    let checker: Checker

    init() throws {
        authority = try PrivateAuthority()
        checker = try Samples.checker(trusting: authority.root.certificate)
    }

    @Test(arguments: SampleDigest.allCases)
    func `nothing fails, and everything is checked`(digest: SampleDigest) throws {
        let bytes = try authority.receipt(Samples.receipt, digest: digest)
        let facts = checker.facts(bytes)
        #expect(facts.failed == [])
        #expect(facts.notChecked == [])
        #expect(facts.verdict == .valid)
        #expect(facts.deviceHash == .match)
        #expect(facts.isGenuine)
        #expect(facts.fault == nil)
        #expect(facts.signature?.digestAlgorithm?.rawValue == digest.rawValue)
    }

    @Test(arguments: [
        (InputFault.Kind.rowMalformed, "row-malformed"),
        (.receiptNotFound, "receipt-not-found"),
        (.receiptUnreadable, "receipt-unreadable"),
    ])
    func `bytes that are not there fail`(kind: InputFault.Kind, code: String) {
        let facts = checker.facts(of: Samples.claim, fault: InputFault(kind, "no reason"))
        #expect(facts.failed.description == code)
        #expect(facts.verdict == .unreadable)
        #expect(facts.deviceHash == .notChecked)
    }

    @Test(
        arguments: [
            ("receipt-empty", []),
            ("unknown-format", Array("<!DOCTYPE html>".utf8)),
            ("unknown-format", [0x30, 0x80]),
            ("malformed-container", [0x30, 0x0b, 0x06, 0x09] + ObjectIdentifier.signedData),
            ("not-signed", SignedDataContent.data([0x31, 0x00])),
        ] as [(String, [UInt8])])
    func `bytes that are no receipt fail`(code: String, bytes: [UInt8]) {
        let facts = checker.facts(bytes)
        #expect(facts.failed.description == code)
        #expect(facts.verdict == .unreadable)
        #expect(facts.signature == nil)
    }

    @Test func `changed content fails`() throws {
        var container = try authority.sign(Samples.receipt)
        container.content = Samples.receipt.with { $0.purchases += $0.purchases }.der
        let facts = checker.facts(container.encoded)
        #expect(facts.failed == [.signatureInvalid])
        #expect(facts.receipt?.purchases.count == 2)
        #expect(!facts.isGenuine)
    }

    @Test func `a signer that is not in the bag fails`() throws {
        var container = try authority.sign(Samples.receipt)
        container.certificates.removeFirst()
        let facts = checker.facts(container.encoded)
        #expect(facts.failed == [.signerNotFound])
        #expect(facts.notChecked == [.signatureInvalid, .chainUntrusted, .chainExpired, .signerNotAppStore])
    }

    @Test func `a stranger's chain of the same names fails`() throws {
        let facts = checker.facts(try PrivateAuthority.rogue().receipt(Samples.receipt))
        #expect(facts.failed == [.chainUntrusted])
        #expect(facts.notChecked == [.chainExpired, .signerNotAppStore])
        #expect(!facts.isGenuine)
    }

    @Test(
        arguments: [
            ("whose leaf lacks its marker", .leaf.with { $0.markers = [] }, [.intermediate]),
            ("whose intermediate lacks its marker", .leaf, [.intermediate.with { $0.markers = [] }]),
            ("of four", .leaf, [.intermediate.with { $0.pathLength = 1 }, .subordinate]),
            ("of two", .leaf, []),
        ] as [(String, CertificateContent, [CertificateContent])])
    func `a chain fails`(name: String, leaf: CertificateContent, intermediates: [CertificateContent]) throws {
        let other = try PrivateAuthority(intermediates: intermediates, leaf: leaf)
        #expect(checker.codes(try other.receipt(Samples.receipt)) == "signer-not-app-store")
    }

    @Test(
        arguments: [
            ("missing", [.leaveOut(12)]),
            ("empty", [.replace(12, with: DERWriter.ia5String(""))]),
            ("in words", [.replace(12, with: DERWriter.ia5String("yesterday"))]),
            ("there twice", [.add(AttributeContent(12, date: Samples.created))]),
        ] as [(String, [AttributeEdit])])
    func `a creation date fails and is never now, if it is`(name: String, edits: [AttributeEdit]) throws {
        let bytes = try authority.receipt(Samples.receipt.with { $0.edits = edits })
        let facts = checker.facts(bytes)
        #expect(facts.failed == [.malformedReceipt])
        #expect(facts.notChecked.contains(.chainExpired))
        #expect(!facts.isGenuine)
    }

    @Test func `a creation date up to a day after as-of is borne, for clocks that are off`() throws {
        let day: Int64 = 24 * 3600
        let atLimit = Samples.receipt.with { $0.createdAt = Samples.asOf.adding(seconds: day) }
        let beyond = Samples.receipt.with { $0.createdAt = Samples.asOf.adding(seconds: day + 1) }
        #expect(checker.codes(try authority.receipt(atLimit)) == "")
        #expect(checker.codes(try authority.receipt(beyond)) == "malformed-receipt")
    }

    @Test func `content that is not a receipt is no proof`() throws {
        let container = try SignedDataContent(signing: Array("<plist/>".utf8), by: authority, digest: .sha256)
        #expect(checker.codes(container.encoded) == "not-a-proof")
    }

    @Test func `a purchase without a product fails, and the rest is read`() throws {
        let receipt = Samples.receipt.with { content in
            content.purchases.append(content.purchases[0].with { $0.edits = [.leaveOut(1702)] })
        }
        let facts = checker.facts(try authority.receipt(receipt))
        #expect(facts.failed == [.malformedInAppPurchase])
        #expect(facts.receipt?.purchases.count == 1)
    }

    @Test(arguments: ["x?", "6F9619FF-8B86-D011-B42D-00C04FC964F", "a4:83:e7:01:02"])
    func `a device id that is none fails`(text: String) throws {
        var claim = Samples.claim
        claim.deviceID = ExactText(text)
        let facts = checker.facts(try authority.receipt(Samples.receipt), claim)
        #expect(facts.failed == [.deviceIDMalformed])
        #expect(facts.deviceHash == .notChecked)
        #expect(facts.notChecked == [.guidMismatch])
    }

    @Test(arguments: ["", "eyJ9", "a.b.c"])
    func `a malformed device id is no failure of a claim without a readable proof`(proof: String) throws {
        var claim = Samples.claim
        (claim.deviceID, claim.deviceVerificationID) = ("?", "?")
        let facts = checker.facts(of: claim, receipt: Array(proof.utf8).span)
        #expect(facts.verdict == .unreadable)
        #expect(!facts.failed.contains(.deviceIDMalformed) && facts.notChecked.contains(.deviceIDMalformed))
    }

    @Test func `another device fails`() throws {
        var claim = Samples.claim
        claim.deviceID = ExactText(SampleDevice.vendorIdentifier(Array(0x20...0x2f)).text)
        let facts = checker.facts(try authority.receipt(Samples.receipt), claim)
        #expect(facts.failed == [.guidMismatch])
        #expect(facts.deviceHash == .mismatch)
    }

    @Test(arguments: ["00:00:00:00:00:00", "02:00:00:00:00:00", "00000000-0000-0000-0000-000000000000"])
    func `a device id that stands for nothing is not compared`(text: String) throws {
        var claim = Samples.claim
        claim.deviceID = ExactText(text)
        let facts = checker.facts(try authority.receipt(Samples.receipt), claim)
        #expect(facts.failed == [] && facts.notChecked == [.guidMismatch])
        #expect(facts.deviceHash == .notChecked && facts.device == nil)
    }

    @Test func `a receipt that is made for a device id that stands for nothing does not match it`() throws {
        let device = SampleDevice.networkAddress([2, 0, 0, 0, 0, 0])
        var claim = Samples.claim
        claim.deviceID = ExactText(device.text)
        let facts = checker.facts(try authority.receipt(Samples.receipt.with { $0.device = device }), claim)
        #expect(facts.deviceHash == .notChecked)
    }

    @Test func `the device is the alternative that matches, else the smallest that is usable`() throws {
        var claim = Samples.claim
        let octets = [UInt8](0x10...0x1f)
        let matching = Device(octets: octets.span)
        claim.deviceID = "02:00:00:00:00:00|\(Samples.device.text)|a4:83:e7:01:02:03"
        let receipt = try authority.receipt(Samples.receipt)
        #expect(checker.facts(receipt, claim).device == matching)
        let other = try authority.receipt(
            Samples.receipt.with { $0.device = SampleDevice.networkAddress([1, 2, 3, 4, 5, 6]) })
        #expect(checker.facts(other, claim).device?.description == "a4:83:e7:01:02:03")
        #expect(checker.facts(other, claim).failed == [.guidMismatch])
    }

    @Test(arguments: [
        "x", "6F9619FF8B86D011B42D00C04FC964FF", "6F9619FF-8B86-D011-B42D-00C04FC964F", "a4:83:e7:01:02:03",
    ])
    func `a device verification id that is none fails`(text: String) throws {
        var claim = Samples.claim
        claim.deviceVerificationID = ExactText(text)
        let facts = checker.facts(try authority.receipt(Samples.receipt), claim)
        #expect(facts.failed == [.deviceIDMalformed])
        #expect(facts.deviceHash == .match)
    }

    @Test func `a device verification id may be in any case`() throws {
        var claim = Samples.claim
        claim.deviceVerificationID = "6f9619ff-8b86-D011-B42D-00C04FC964FF"
        #expect(checker.facts(try authority.receipt(Samples.receipt), claim).failed == [])
    }

    @Test func `no device is not checked, and never a pass`() throws {
        var claim = Samples.claim
        claim.deviceID = ""
        let facts = checker.facts(try authority.receipt(Samples.receipt), claim)
        #expect(facts.failed == [])
        #expect(facts.notChecked == [.guidMismatch])
        #expect(facts.deviceHash == .notChecked)
    }

    @Test func `one device of several that matches is enough`() throws {
        var claim = Samples.claim
        claim.deviceID = "a4:83:e7:01:02:03|\(Samples.device.text)"
        #expect(checker.codes(try authority.receipt(Samples.receipt), claim) == "")
    }

    @Test func `another bundle id or version than claimed fails`() throws {
        let bytes = try authority.receipt(Samples.receipt)
        var claim = Samples.claim
        claim.bundleID = "com.example.Notes"
        #expect(checker.codes(bytes, claim) == "bundle-id-mismatch")
        claim = Samples.claim
        claim.appVersion = "7.0"
        #expect(checker.codes(bytes, claim) == "app-version-mismatch")
    }

    @Test func `an app or an environment that the run does not know fails`() throws {
        let bytes = try authority.receipt(Samples.receipt)
        let root = authority.root.certificate
        let apps = try Samples.checker(trusting: root) { $0.bundleIDs = ["com.example.other"] }
        #expect(apps.codes(bytes) == "bundle-id-mismatch")
        let environments = try Samples.checker(trusting: root) { $0.environments = ["ProductionSandbox"] }
        #expect(environments.codes(bytes) == "environment-mismatch")
        let both = try Samples.checker(trusting: root) {
            $0.bundleIDs = ["com.example.notes"]
            $0.environments = ["Production"]
        }
        #expect(both.codes(bytes) == "")
    }

    @Test func `a volume purchase fails once it has run out`() throws {
        let expired = Samples.receipt.with { $0.expiresAt = Samples.asOf.adding(seconds: -1) }
        let current = Samples.receipt.with { $0.expiresAt = Samples.asOf }
        #expect(checker.codes(try authority.receipt(expired)) == "receipt-expired")
        #expect(checker.codes(try authority.receipt(current)) == "")
    }
}
