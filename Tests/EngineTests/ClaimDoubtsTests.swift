import Encodings
import FoundationEssentials
import Inputs
import Testing

@testable import Checks
@testable import Engine

struct `Counts of doubts` {
    private static let facts = ["NULL", "nil", "none", "nan", "0", "NULL", "alice"].map { account in
        var claim = Claim(source: "a")
        claim.accountID = ExactText(account)
        return Facts(claim: claim)
    }

    private func counts(_ facts: some Sequence<Facts>) -> ClaimDoubts {
        var doubts = ClaimDoubts()
        for facts in facts { doubts.count(facts) }
        return doubts
    }

    @Test func `say how many rows, and the smallest texts`() {
        let sentences = counts(Self.facts).sentences
        #expect(sentences.count == 1)
        #expect(sentences[0].contains("account_id of 6 rows") && sentences[0].contains("“0”, “NULL”, “nan”"))
        #expect(counts(Self.facts).omissions().map(\.count) == [6])
    }

    @Test func `name a text that begins with a dash so that it is no option`() {
        var claim = Claim(source: "a")
        claim.accountID = "-1"
        #expect(counts([Facts(claim: claim)]).sentences.contains { $0.contains("--null=-1 ") })
    }

    @Test func `are the same in any order and in any parts`() {
        let whole = counts(Self.facts)
        for split in 0...Self.facts.count {
            var sum = counts(Self.facts[split...].reversed())
            sum += counts(Self.facts[..<split])
            #expect(sum == whole)
        }
    }

    @Test func `are read as they were written`() throws {
        let written = counts(Self.facts)
        #expect(try JSONDecoder().decode(ClaimDoubts.self, from: JSONEncoder().encode(written)) == written)
    }
}
