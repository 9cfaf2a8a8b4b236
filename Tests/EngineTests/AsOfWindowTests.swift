import Checks
import Encodings
import Inputs
import Proofs
import Receipts
import SampleStore
import Testing

@testable import Engine

/// For which nights what came of a block is true.
struct `The nights for which a claim is judged alike` {
    private let authorities: SampleAuthorities
    private let trust: TrustAnchors

    init() throws {
        authorities = try SampleAuthorities()
        trust = try TrustAnchors(files: [(name: "root", bytes: authorities.genuine.root.certificate)])
    }

    private func failures(
        _ receipt: [UInt8], presented: Instant? = nil, asOf: Instant
    ) throws -> (CheckSet, Facts) {
        let checker = try Checker(trust: trust, expectations: Expectations(asOf: asOf))
        var claim = Claim(source: "a")
        claim.presentedAt = presented
        let facts = checker.facts(of: claim, receipt: receipt.span)
        return (facts.failed, facts)
    }

    @Test func `end where a check says something else`() throws {
        var content = ReceiptContent(
            bundleID: "com.example.notes", device: .vendorIdentifier(Array(0x10...0x1f)), createdAt: .utc(2024, 3, 1))
        content.expiresAt = .utc(2024, 6, 1)
        let receipt = try authorities.genuine.receipt(content, digest: .sha256)
        // Around both edges, to the millisecond, and far from them.
        let edges = [Instant.utc(2024, 3, 1).adding(seconds: -Expectations.creationTolerance), .utc(2024, 6, 1)]
        var nights = [Instant.utc(2020, 1, 1), .utc(2024, 4, 1), .utc(2030, 1, 1)]
        for edge in edges {
            for shift in [-1000, -1, 0, 1, 1000] {
                nights.append(Instant(milliseconds: edge.milliseconds + Int64(shift)))
            }
        }
        var kinds: Set<String> = []
        for night in nights {
            let (failed, facts) = try failures(receipt, asOf: night)
            kinds.insert(failed.description)
            var window = AsOfWindow()
            window.narrow(to: facts, asOf: night)
            #expect(window.contains(night))
            for other in nights {
                let isSame = try failures(receipt, asOf: other).0 == failed
                #expect(window.contains(other) == isSame, "\(night) and \(other)")
            }
        }
        #expect(kinds.count == 3)
    }

    @Test(arguments: [Instant.utc(2024, 5, 1), .utc(2024, 3, 1), .utc(2023, 1, 1), .utc(2001), .utc(2060)])
    func `end where a presentation becomes possible`(presented: Instant) throws {
        let content = ReceiptContent(
            bundleID: "com.example.notes", device: .vendorIdentifier(Array(0x10...0x1f)), createdAt: .utc(2024, 3, 1))
        let receipt = try authorities.genuine.receipt(content, digest: .sha256)
        var nights = [Instant.utc(2000), .utc(2024, 4, 1), .utc(2070)]
        for edge in [presented, .utc(2024, 3, 1)].map({ $0.adding(seconds: -Expectations.creationTolerance) }) {
            for shift in [-1000, -1, 0, 1, 1000] {
                nights.append(Instant(milliseconds: edge.milliseconds + Int64(shift)))
            }
        }
        for night in nights {
            let (failed, facts) = try failures(receipt, presented: presented, asOf: night)
            var window = AsOfWindow()
            window.narrow(to: facts, asOf: night)
            #expect(window.contains(night))
            for other in nights where window.contains(other) {
                let (otherFailed, otherFacts) = try failures(receipt, presented: presented, asOf: other)
                #expect(otherFailed == failed && otherFacts.presentedAt == facts.presentedAt, "\(night), \(other)")
                #expect(otherFacts.impossiblePresentation == facts.impossiblePresentation)
            }
        }
    }

    @Test func `are all nights for what is no receipt`() throws {
        var window = AsOfWindow()
        window.narrow(to: try failures([0x30, 0], asOf: .utc(2024, 3, 1)).1, asOf: .utc(2024, 3, 1))
        #expect(window == AsOfWindow())
    }
}
