import Checks
import Encodings
import FoundationEssentials
import Inputs
import Proofs
import Rules
import SampleStore
import Subscriptions
import Testing

@testable import Engine

struct `Counts of what receipts say of themselves` {
    private static let spellings = ["caf\u{e9}", "cafe\u{301}"]
    private let facts: [Facts]

    init() throws {
        let authorities = try SampleAuthorities()
        let trust = try TrustAnchors(files: [(name: "root", bytes: authorities.genuine.root.certificate)])
        let checker = try Checker(trust: trust, expectations: Expectations(asOf: .utc(2026)))
        facts = try Self.spellings.map { name in
            var content = ReceiptContent(
                bundleID: name, device: .vendorIdentifier(Array(0x10...0x1f)), createdAt: .utc(2024, 3, 1))
            content.environment = name
            content.purchases = Self.spellings.map {
                PurchaseContent(.nonConsumable, productID: $0, transactionID: "1", purchasedAt: .utc(2024))
            }
            let receipt = try authorities.genuine.receipt(content, digest: .sha256)
            return checker.facts(of: Claim(source: "a"), receipt: receipt.span)
        }
    }

    private func breakdown(of facts: [Facts]) -> Breakdown {
        var breakdown = Breakdown()
        for facts in facts { breakdown.count(facts, Policy()) }
        return breakdown
    }

    /// Names and how many claims have them, in the order of bytes.
    private static func counts(_ breakdown: Breakdown) -> [[String]] {
        [
            breakdown.environments.mapValues(\.total), breakdown.apps.mapValues(\.total), breakdown.products,
        ].map { counts in
            counts.sorted { $0.key < $1.key }.map { "\($0.key.text.unicodeScalars.count) scalars: \($0.value)" }
        }
    }

    private static let expected = [
        ["5 scalars: 1", "4 scalars: 1"], ["5 scalars: 1", "4 scalars: 1"], ["5 scalars: 2", "4 scalars: 2"],
    ]

    @Test func `are kept apart where only the spelling differs`() {
        #expect(Self.counts(breakdown(of: facts)) == Self.expected)
    }

    @Test func `stay apart when they are added up, written and read`() throws {
        var sum = breakdown(of: [facts[1]])
        sum += breakdown(of: [facts[0]])
        #expect(sum == breakdown(of: facts))
        let json = try JSONDecoder().decode(Breakdown.self, from: JSONEncoder().encode(sum))
        #expect(Self.counts(json) == Self.expected)
    }
}
