import Encodings
import Inputs
import Proofs
import SampleStore
import Testing

@testable import Checks

/// A run's expectations of its claims, in addition to their own statements.
struct `A run that expects` {
    private let authority: PrivateAuthority

    init() throws { authority = try PrivateAuthority() }

    @Test func `certain environments refuses others, and nothing else about them`() throws {
        let allowed = try failed { $0.environments = ["Production"] }
        #expect(allowed == [])
        let other = try failed { $0.environments = ["ProductionSandbox"] }
        #expect(other == [.environmentMismatch])
    }

    @Test func `certain apps refuses others, and nothing else about them`() throws {
        let ours = try failed { $0.bundleIDs = ["com.example.notes"] }
        #expect(ours == [])
        let other = try failed { $0.bundleIDs = ["com.example.other"] }
        #expect(other == [.bundleIDMismatch])
    }

    @Test(arguments: zip([-86_401, -86_400, 0, 86_400] as [Int64], [[.malformedReceipt], [], [], []] as [CheckSet]))
    func `receipts of the past takes clocks that are a day off, and no more`(offset: Int64, expected: CheckSet) throws {
        let found = try failed { $0.asOf = Self.createdAt.adding(seconds: offset) }
        #expect(found == expected)
    }

    @Test(arguments: zip([-1, 0, 1] as [Int64], [[], [], [.receiptExpired]] as [CheckSet]))
    func `receipts that run out refuses them after that instant`(offset: Int64, expected: CheckSet) throws {
        let end = Instant.utc(2025, 1, 1)
        let found = try failed(receipt: { $0.expiresAt = end }) { $0.asOf = end.adding(seconds: offset) }
        #expect(found == expected)
    }

    private static let createdAt = Instant.utc(2024, 3, 1)

    private func failed(
        receipt change: (inout ReceiptContent) -> Void = { _ in }, _ expect: (inout Expectations) -> Void
    ) throws -> CheckSet {
        var receipt = ReceiptContent(
            bundleID: "com.example.notes", device: .vendorIdentifier(Array(1...16)), createdAt: Self.createdAt)
        change(&receipt)
        var expectations = Expectations(asOf: .utc(2026, 6, 1))
        expect(&expectations)
        let trust = try TrustAnchors(files: [(name: "root", bytes: authority.root.certificate)])
        let checker = try Checker(trust: trust, expectations: expectations)
        let bytes = try authority.receipt(receipt, digest: .sha256)
        return checker.facts(of: Claim(source: "claim"), receipt: bytes.span).failed
    }
}
