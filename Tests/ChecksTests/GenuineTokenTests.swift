import Corpus
import Encodings
import Inputs
import Proofs
import Receipts
import SampleStore
import Testing

@testable import Checks

/// Tokens that others published: those that Apple signed, and those that only look like it.
@Suite(.enabled(if: Corpus.isThere, "RECEIPTS_CORPUS is not set"))
struct `A published token` {
    /// The failed checks of all that are not valid. Texts replaced identifiers in the notifications and transactions
    /// of `alexalok`; the mocks are signed by Apple's test authority, some with little in them.
    static let codes = [
        "alexalok-did-renew-2024.jws": "signature-invalid",
        "alexalok-did-renew-2024--transaction.jws": "signature-invalid",
        "alexalok-subscribed-2022.jws": "signature-invalid",
        "alexalok-subscribed-2022--transaction.jws": "signature-invalid",
        "getmimo-invalid-signature.jws": "unknown-format",
        "getmimo-test-notification-2024-compromised-chain.jws":
            "noncanonical-container;signature-invalid;chain-untrusted;signer-not-app-store",
        "mock-apple-missing-x5c.jws": "noncanonical-container;signer-not-found;malformed-receipt",
        "mock-apple-renewalinfo.jws": "unknown-format",
        "mock-apple-testnotification.jws": "noncanonical-container;chain-untrusted",
        "mock-apple-transactioninfo.jws": "unknown-format",
        "mock-apple-wrongbundleid.jws": "noncanonical-container;chain-untrusted;malformed-receipt",
        "xcode-apple-app-transaction.jws": "noncanonical-container;chain-untrusted;signer-not-app-store",
        "xcode-apple-renewal-info.jws": "noncanonical-container;chain-untrusted;signer-not-app-store",
        "xcode-apple-transaction.jws": "noncanonical-container;chain-untrusted;signer-not-app-store",
    ]

    static let names = Corpus.files(in: "jws", ending: ".jws")

    private func facts(_ name: String, _ asOf: Instant = .utc(2026, 11, 1)) throws -> Facts {
        let checker = try Checker(trust: .apple(), expectations: Expectations(asOf: asOf))
        return checker.facts(Corpus.bytes("jws/" + name), Claim(source: ExactText(name)))
    }

    @Test(arguments: names) func `fails the checks that it should, and no others`(name: String) throws {
        #expect(try facts(name).failed.description == Self.codes[name] ?? "")
    }

    @Test(arguments: names) func `has no member and no value that is not known`(name: String) throws {
        #expect(try facts(name).token?.unknown ?? [] == [])
    }

    @Test(arguments: names.filter { codes[$0] == nil })
    func `is valid at any time after it was signed, if Apple signed it`(name: String) throws {
        let signedAt = try #require(try facts(name).createdAt)
        for seconds: Int64 in [0, 86_400, 400 * 86_400, 10_000 * 86_400] {
            #expect(try facts(name, signedAt.adding(seconds: seconds)).verdict == .valid)
        }
        #expect(try facts(name, signedAt.adding(seconds: -2 * 86_400)).failed == [.malformedReceipt])
    }

    @Test(arguments: [
        ("session-20251016-052202-refund.jws", Token.Kind.notification),
        ("session-20251016-052202-refund--transaction.jws", .transaction),
        ("session-20251016-052202-refund--renewal.jws", .renewalInfo),
        ("xcode-apple-app-transaction.jws", .appTransaction),
    ])
    func `is of a kind`(name: String, kind: Token.Kind) throws {
        let facts = try facts(name)
        #expect(facts.token?.kind == kind)
        #expect(facts.kind == kind.rawValue)
    }

    @Test func `shows the refund of its transaction`() throws {
        let facts = try facts("session-20251016-052202-refund--transaction.jws")
        let purchase = try #require(facts.provenPurchases?.first)
        #expect(purchase.refundDate != nil)
        #expect(purchase.kind == .autoRenewable)
        #expect(facts.bundleID == "com.loki-project.loki-messenger")
        #expect(facts.environment == "Sandbox")
    }

    @Test func `is judged at the date of a token inside it, if it has none of its own`() throws {
        #expect(try facts("alexalok-subscribed-2022.jws").createdAt == Instant(rfc3339: "2022-01-14T09:46:57.543Z"))
    }

    /// Every bit of what the three parts encode.
    @Test(arguments: names.filter { $0.hasPrefix("session-20251006-0516") }.prefix(3))
    func `is never valid with a bit flipped`(name: String) throws {
        let checker = try Checker(trust: .apple(), expectations: Expectations(asOf: .utc(2026, 11, 1)))
        let parts = String(decoding: Corpus.bytes("jws/" + name), as: UTF8.self).split(separator: ".").map { part in
            var octets: [UInt8] = []
            #expect(Base64URL.decode(part.utf8.span, into: &octets)?.isCanonical == true)
            return octets
        }
        let texts = parts.map { TokenSegment($0).text }
        var flips = 0
        for (index, part) in parts.enumerated() {
            for bit in Exhaustive.cases(Array(0..<part.count * 8), every: 307) {
                var (altered, texts) = (part, texts)
                altered[bit / 8] ^= 1 << (bit % 8)
                texts[index] = TokenSegment(altered).text
                let token = texts.joined(separator: ".")
                if checker.facts(Array(token.utf8), Claim(source: "flip")).verdict == .valid {
                    Issue.record("bit \(bit) of part \(index)")
                }
                flips += 1
            }
        }
        #expect(flips > 80)
    }
}
