import Checks
import Encodings
import Foundation
import Inputs
import Proofs
import Receipts
import SampleStore
import Testing

@testable import Engine

/// Counts of what tokens say and this version does not know.
struct `A count of unknown values` {
    private static let date = Instant.utc(2026, 3, 1)
    private let authority: TokenAuthority
    private let checker: Checker

    init() throws {
        authority = try TokenAuthority()
        checker = try Checker(
            trust: TrustAnchors(files: [(name: "root", bytes: authority.root.certificate)]),
            expectations: Expectations(asOf: .utc(2026, 6)))
    }

    private func facts(_ number: Int, by signer: TokenAuthority? = nil) throws -> Facts {
        let content = TransactionContent(
            .nonConsumable, bundleID: "com.example.notes", productID: "pro", transactionID: "\(number)",
            purchasedAt: Self.date
        ).with {
            $0.revocationType = "T\(number % 5)"
            $0.edits = [.add("new\(number % 3)", .number(number))]
        }
        let token = Array(try (signer ?? authority).token(content).text.utf8)
        return checker.facts(of: Claim(source: "x"), receipt: token.span)
    }

    private func texts(_ tally: UnknownTally) -> [String] {
        tally.sorted.map { "\($0.unknown): \($0.tokens)\($0.unknown.isDecisive ? "!" : "")" }
    }

    @Test func `has each value once for each token, what decides something first`() throws {
        var tally = UnknownTally()
        for number in 0..<10 { tally.count(try facts(number)) }
        #expect(
            texts(tally)
                == (0..<5).map { "revocationType “T\($0)” (transaction): 2!" } + [
                    "new0 (transaction): 4", "new1 (transaction): 3", "new2 (transaction): 3",
                ])
        #expect(tally.isComplete)
    }

    @Test func `leaves out what Apple did not sign`() throws {
        var tally = UnknownTally()
        tally.count(try facts(1, by: .rogue()))
        #expect(tally.sorted.isEmpty)
    }

    @Test func `is the same in any order and any parts, also when it was stored`() throws {
        let all = try (0..<30).map { try facts($0) }
        var whole = UnknownTally()
        for facts in all { whole.count(facts) }
        for parts in [2, 3, 7] {
            var sum = UnknownTally()
            for part in (0..<parts).reversed() {
                var tally = UnknownTally()
                for index in stride(from: part, to: all.count, by: parts).reversed() { tally.count(all[index]) }
                sum += try JSONDecoder().decode(UnknownTally.self, from: JSONEncoder().encode(tally))
            }
            #expect(texts(sum) == texts(whole))
        }
    }
}
