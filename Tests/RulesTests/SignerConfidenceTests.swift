import Checks
import Encodings
import Testing

@testable import Rules

/// Apple itself signed with an intermediate that had expired on 2023-02-07.
struct `A chain that had expired` {
    private func confidence(_ created: String, failed: CheckSet = [.chainExpired]) throws -> Confidence? {
        let claim = ExampleClaim(
            failed: failed, chainEnd: "2023-02-07T21:48:47Z", receipt: ExampleReceipt(created: created))
        var findings: [Finding] = []
        RuleSet(Policy()).evaluate(claim.facts(at: 0)) { findings.append($0) }
        let finding = try #require(findings.first { $0.ruleID == "untrusted-signer" })
        #expect(finding.severity == .critical)
        return finding.confidence
    }

    @Test(arguments: [
        ("2023-02-07T21:48:47Z", true), ("2023-02-08", true), ("2023-02-09T21:48:46Z", true),
        ("2023-02-09T21:48:47Z", false), ("2023-03-01", false),
    ])
    func `is possibly Apple's within two days, and else likely a forger's`(created: String, isPossible: Bool) throws {
        #expect(try confidence(created) == (isPossible ? .possible : .likely))
    }

    @Test func `is no excuse beside another failure of the signer`() throws {
        #expect(try confidence("2023-02-08", failed: [.chainExpired, .signerNotAppStore]) == .likely)
    }
}
