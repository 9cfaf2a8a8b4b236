import Checks
import Corpus
import Encodings
import Inputs
import Proofs
import Rules
import Testing

/// What the rules about one claim say of receipts that Apple signed, without a policy and without a device.
@Suite(.enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"))
struct `Rules about one claim` {
    static let names = Corpus.files(in: "receipts", ending: ".der")

    /// Apple's own contradictions: the sandbox dates periods that were restored by when they were restored. A file's
    /// phrase is in its evidence, once for each purchase.
    static let contradictions = [
        "sandbox-ios-empiricalmagic-mustard-mag-20130924.der": (phrase: "before it was bought", purchases: 6),
        "sandbox-ios-receiptkit-20140429.der": (phrase: "before it was bought", purchases: 6),
        "sandbox-ios-dominikringler-greeny-20190815.der": (phrase: "before its original purchase", purchases: 45),
        "sandbox-ios-adapty-20211209.der": (phrase: "before its original purchase", purchases: 17),
    ]

    /// Signers that are not the App Store's: Xcode's own, and that of 2010, before the markers.
    static let otherSigners = names.filter { $0.hasPrefix("xcode-") || $0.hasPrefix("sample2010-") }

    @Test(arguments: names.filter { contradictions[$0] == nil && !otherSigners.contains($0) })
    func `are silent on genuine receipts`(name: String) throws {
        #expect(try Self.findings(on: "receipts/" + name).map(\.ruleID) == [])
    }

    @Test(arguments: contradictions.keys.sorted())
    func `find Apple's own contradictions in restored subscriptions of the sandbox`(name: String) throws {
        let findings = try Self.findings(on: "receipts/" + name)
        #expect(findings.map(\.ruleID) == ["impossible-dates"])
        let (phrase, purchases) = try #require(Self.contradictions[name])
        let evidence = try #require(findings.first?.evidence)
        let named = evidence.split(separator: "“").count
        #expect(evidence.split(separator: phrase, omittingEmptySubsequences: false).count - 1 == min(purchases, 10))
        #expect(named == min(purchases, 10))
        #expect(evidence.hasSuffix(purchases > 10 ? ") and \(purchases - 10) more" : ")"))
    }

    @Test(arguments: otherSigners)
    func `find signers that are not the App Store's`(name: String) throws {
        let findings = try Self.findings(on: "receipts/" + name)
        #expect(findings.map(\.ruleID) == ["untrusted-signer"])
        let evidence = try #require(findings.first?.evidence)
        let isXcode = name.hasPrefix("xcode-")
        #expect(evidence.contains("Xcode made it for a local test") == isXcode)
        #expect(evidence.contains("no marker 1.2.840.113635.100.6.11.1") != isXcode)
    }

    /// A list that nobody signed, from the tests of Apple's server library.
    static let fakes: [String: [ExactText]] = [
        "apple-mock-legacytransaction.b64": ["cracker-receipt"]
    ]

    @Test(arguments: Corpus.files(in: "negative", ending: ".der") + Corpus.files(in: "negative", ending: ".b64"))
    func `distinguish what a tool made up from what is merely no receipt`(name: String) throws {
        #expect(try Self.findings(on: "negative/" + name).map(\.ruleID) == Self.fakes[name] ?? [])
    }

    @Test(arguments: ["mbaasy-transaction-sandbox", "revenuecat-unsupported-1", "revenuecat-unsupported-2"])
    func `never take a transaction receipt of iOS 6 for made up`(name: String) throws {
        let facts = try Self.facts(of: "negative/" + name + ".b64")
        #expect(facts.failed.description == "unknown-format")
        #expect(facts.claim.isReceiptBase64)
        #expect(facts.fabrication == nil)
    }

    static func findings(on path: String) throws -> [Finding] {
        var findings: [Finding] = []
        try RuleSet(Policy()).evaluate(facts(of: path)) { findings.append($0) }
        return findings
    }

    static func facts(of path: String) throws -> Facts {
        let asOf = try #require(Instant(rfc3339: "2026-11-01T00:00:00Z"))
        let checker = try Checker(trust: .apple(), expectations: Expectations(asOf: asOf))
        let bytes = Corpus.bytes(path)
        var claim = Claim(source: ExactText(path))
        var decoded: [UInt8] = []
        claim.isReceiptBase64 = Base64.decode(bytes.span, into: &decoded)
        let receipt = claim.isReceiptBase64 ? decoded : bytes
        return checker.facts(of: claim, receipt: receipt.span)
    }
}
