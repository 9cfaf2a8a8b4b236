import DER
import Encodings
import Inputs
import Proofs
import SampleStore
import Testing

@testable import Checks

struct `An explanation` {
    @Test func `has every check, in the contract's order`() throws {
        let inspection = try Inspecting.inspect(PrivateAuthority().receipt(Inspecting.receipt))
        #expect(inspection.checks.map(\.check) == Check.allCases)
        #expect(inspection.facts.verdict == .valid)
    }

    @Test(arguments: Forgery.ofExports)
    func `fails exactly the checks that the facts fail`(forgery: Forgery) throws {
        let authorities = try SampleAuthorities()
        let draft = ClaimDraft(index: 3, seed: 5, asOf: SampleExport.asOf)
        let claim = try forgery.claim(from: draft, by: authorities, seed: 5)
        let inspection = try Inspecting.inspect(claim.file?.bytes ?? [], trusting: authorities.genuine)
        for result in inspection.checks {
            #expect((result.outcome == .failed) == inspection.facts.failed.contains(result.check))
            if inspection.facts.notChecked.contains(result.check) { #expect(result.outcome == .notChecked) }
            #expect(result.reason.hasSuffix("."))
        }
    }

    @Test(arguments: [
        (Check.deviceIDMalformed, "No device id was claimed."),
        (.guidMismatch, "No device id was claimed."),
        (.bundleIDMismatch, "No bundle id was claimed; the receipt's is “com.example.notes”."),
        (.appVersionMismatch, "No app version was claimed; the receipt's is “1”."),
        (.environmentMismatch, "Any environment is allowed; the receipt's is “Production”."),
        (.rowMalformed, "No row of a manifest or table was read."),
    ])
    func `never calls a pass what nobody claimed`(check: Check, reason: String) throws {
        let inspection = try Inspecting.inspect(PrivateAuthority().receipt(Inspecting.receipt))
        #expect(inspection.reason(check, .notChecked) == reason)
    }

    @Test func `names the device that matches, and the claims that hold`() throws {
        let bytes = try PrivateAuthority().receipt(Inspecting.receipt)
        let inspection = try Inspecting.inspect(bytes, device: "00:11:22:33:44:55|" + Inspecting.device.text) {
            $0.bundleID = "com.example.notes"
            $0.appVersion = "1"
        } expecting: {
            $0.environments = ["Production"]
        }
        #expect(inspection.facts.verdict == .valid)
        let matching = "The receipt's device hash is that of 10111213-1415-1617-1819-1A1B1C1D1E1F."
        #expect(inspection.reason(.guidMismatch, .passed) == matching)
        #expect(inspection.reason(.deviceIDMalformed, .passed) == "All 2 alternatives can be read.")
        #expect(inspection.reason(.bundleIDMismatch, .passed) == "It is “com.example.notes”, as expected.")
        #expect(inspection.reason(.appVersionMismatch, .passed) == "It is “1”, as claimed.")
        #expect(inspection.reason(.environmentMismatch, .passed) == "“Production” is allowed.")
    }

    @Test func `shows a hash for every device that does not match`() throws {
        let bytes = try PrivateAuthority().receipt(Inspecting.receipt)
        let other = SampleDevice.networkAddress([0, 0x11, 0x22, 0x33, 0x44, 0x55])
        let inspection = try Inspecting.inspect(bytes, device: other.text)
        let expected = Hex.string(Inspecting.receipt.hash.span)
        let computed = Hex.string(Inspecting.receipt.with { $0.device = other }.hash.span)
        #expect(
            inspection.reason(.guidMismatch)
                == "The receipt's device hash is \(expected), but that of 00:11:22:33:44:55 would be \(computed).")
    }

    @Test func `says that a device id stands for no device`() throws {
        let inspection = try Inspecting.inspect(
            try PrivateAuthority().receipt(Inspecting.receipt), device: "02:00:00:00:00:00")
        #expect(
            inspection.reason(.guidMismatch, .notChecked)
                == "The device id is a placeholder that names no device.")
    }

    @Test func `says what was claimed and what was found`() throws {
        let bytes = try PrivateAuthority().receipt(Inspecting.receipt.with { $0.expiresAt = .utc(2025, 1, 1) })
        let inspection = try Inspecting.inspect(bytes, device: "00:11") {
            $0.bundleID = "com.example.other"
            $0.appVersion = "2"
        } expecting: {
            $0.environments = ["Xcode"]
        }
        #expect(
            inspection.reason(.bundleIDMismatch)
                == "“com.example.other” was claimed, but the receipt's is “com.example.notes”.")
        #expect(inspection.reason(.appVersionMismatch) == "“2” was claimed, but the receipt's is “1”.")
        #expect(inspection.reason(.environmentMismatch) == "“Production” is not an allowed environment.")
        #expect(
            inspection.reason(.receiptExpired)
                == "It expired on 2025-01-01T00:00:00Z, before 2026-01-01T00:00:00Z.")
        #expect(inspection.reason(.guidMismatch, .notChecked) == "The device id cannot be read.")
        #expect(
            inspection.reason(.deviceIDMalformed)
                == "“00:11” is neither a UUID nor a MAC address, nor several of them.")
    }

    @Test(arguments: [
        (InputFault.Kind.receiptUnreadable, "Permission denied", Check.receiptUnreadable, "Permission denied."),
        (.receiptUnreadable, "is over 8 MiB", .receiptUnreadable, "It is over 8 MiB."),
        (.receiptNotFound, "no such file", .receiptNotFound, "No such file."),
    ])
    func `says why there are no bytes`(
        kind: InputFault.Kind, words: String, check: Check, reason: String
    ) throws {
        let checker = try Checker(trust: .apple(), expectations: Expectations(asOf: Inspecting.asOf))
        let inspection = checker.inspection(of: Claim(source: "a test"), fault: InputFault(kind, words))
        #expect(inspection.reason(check) == reason)
        #expect(inspection.byteCount == nil)
        #expect(inspection.reason(.signatureInvalid, .notChecked) == "There is no container to check.")
    }
}
