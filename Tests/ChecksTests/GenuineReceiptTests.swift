import Corpus
import Encodings
import FoundationEssentials
import Inputs
import Proofs
import Receipts
import Testing

@testable import Checks

/// The checks' answers about receipts that Apple signed.
@Suite(.enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"))
struct `Genuine receipts` {
    static let names = Corpus.files(in: "receipts", ending: ".der")
    static let apple = names.filter { $0.hasPrefix("sandbox-") }
    static let xcode = names.filter { $0.hasPrefix("xcode-") }
    static let times = ["2026-01-01T00:00:00Z", "2028-07-01T12:00:00Z", "2030-12-31T23:59:59Z"]

    @Test func `are all there`() {
        #expect(Self.apple.count == 34)
        #expect(Self.xcode.count == 3)
        #expect(Self.names.count == 38)
    }

    @Test(arguments: apple, times)
    func `that Apple's present scheme signed are valid at any later time`(name: String, time: String) throws {
        let facts = try facts(of: name, at: time)
        #expect(facts.failed == [])
        #expect(facts.verdict == .valid)
        #expect(facts.deviceHash == .notChecked)
        #expect(facts.isGenuine)
    }

    @Test(arguments: times)
    func `of 2010, from an older chain, lack Apple's markers and nothing else`(time: String) throws {
        let facts = try facts(of: "sample2010-macos-apple-sampleapp-20101020.der", at: time)
        #expect(facts.failed == [.signerNotAppStore])
    }

    @Test(arguments: xcode, times)
    func `of Xcode's local store are decoded, and neither trusted nor canonical`(name: String, time: String) throws {
        let facts = try facts(of: name, at: time)
        #expect(facts.failed == [.chainUntrusted, .noncanonicalContainer])
        #expect(facts.receipt?.environment == "Xcode")
    }

    @Test(arguments: [
        ("sample2010-macos-apple-sampleapp-20101020.der", "00:17:f2:c4:bc:c0"),
        ("sandbox-ios-emmi-club-manager-20151007.der", "7EB61F70-E56D-46F1-AC3A-84D1B43829D3"),
        ("sandbox-ios-mbaasy-20151118.der", "3f27583e3e394865a9f298256c105cdf"),
    ])
    func `match the device that their publishers name`(name: String, device: String) throws {
        #expect(try facts(of: name, device: device).deviceHash == .match)
    }

    private func facts(of name: String, at time: String = "2026-06-01T00:00:00Z", device: String = "") throws -> Facts {
        let asOf = try #require(Instant(rfc3339: time))
        let checker = try Checker(trust: .apple(), expectations: Expectations(asOf: asOf))
        var claim = Claim(source: ExactText(name))
        claim.deviceID = ExactText(device)
        return checker.facts(of: claim, receipt: Corpus.bytes("receipts/" + name).span)
    }
}
