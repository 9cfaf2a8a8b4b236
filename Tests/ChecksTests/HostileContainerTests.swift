import DER
import Encodings
import Inputs
import Proofs
import SampleStore
import Testing

@testable import Checks

/// Containers that are large for the sake of being slow.
struct `A hostile container` {
    @Test func `of many certificates is judged by those of the chain`() throws {
        var container = try authority.sign(Self.receipt)
        container.certificates += [[UInt8]](repeating: authority.root.certificate, count: 5000)
        #expect(judged(container.encoded) == [.noncanonicalContainer])
    }

    @Test func `of a few more certificates than a chain has is still read`() throws {
        var container = try authority.sign(Self.receipt)
        container.certificates += [[UInt8]](repeating: authority.root.certificate, count: 20)
        #expect(judged(container.encoded) == [.noncanonicalContainer])
    }

    @Test func `cut short anywhere is never valid`() throws {
        let receipt = try authority.receipt(Self.receipt, digest: .sha256)
        for count in 0..<receipt.count {
            let failed = judged(Array(receipt.prefix(count)))
            #expect(failed.verdict == .unreadable, "\(count) bytes")
        }
    }

    @Test func `of noise is never read`() throws {
        var state: UInt64 = 11
        for _ in 0..<2000 {
            let noise = (0..<64).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 40)
            }
            #expect(judged([0x30, 0x3e] + noise.dropFirst(2)).verdict == .unreadable)
        }
    }

    private let authority: PrivateAuthority
    private let checker: Checker

    init() throws {
        authority = try PrivateAuthority()
        let trust = try TrustAnchors(files: [(name: "root", bytes: authority.root.certificate)])
        checker = try Checker(trust: trust, expectations: Expectations(asOf: .utc(2026, 6, 1)))
    }

    private static let receipt = ReceiptContent(
        bundleID: "com.example.notes", device: .vendorIdentifier(Array(1...16)), createdAt: .utc(2024, 3, 1))

    private func judged(_ bytes: [UInt8]) -> CheckSet {
        checker.facts(of: Claim(source: "hostile"), receipt: bytes.span).failed
    }
}
