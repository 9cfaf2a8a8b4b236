import Checks
import Encodings
import Inputs
import Proofs
import Testing

@testable import SampleStore

struct `A circle of people whose purchases depend on one another` {
    private static let numbers = 0..<60

    private func circles() -> [HonestCircle] { Self.numbers.map { HonestCircle($0, seed: 4) } }

    @Test func `is the same for the same number and seed, and another for another`() {
        func payloads(_ circle: HonestCircle) -> [[UInt8]] { circle.receipts.map(\.signed) }
        #expect(payloads(HonestCircle(3, seed: 4)) == payloads(HonestCircle(3, seed: 4)))
        #expect(payloads(HonestCircle(3, seed: 4)) != payloads(HonestCircle(3, seed: 5)))
    }

    @Test func `never tells two tales of one transaction`() {
        var tales: [String: [String]] = [:]
        for content in circles().flatMap(\.transactions) {
            let tale = [content.productID, content.purchasedAt.description, content.originalTransactionID]
            #expect(tales[content.transactionID, default: tale] == tale)
            tales[content.transactionID] = tale
        }
        #expect(tales.count > 500)
    }

    @Test func `presents nothing before it is signed, and nothing after the end of the world`() {
        for circle in circles() {
            for claim in circle.claims {
                let signedAt = circle.receipts[claim.receipt].token?.signedAt
                #expect(signedAt.map { $0 <= claim.presentedAt } == true)
                #expect((HonestWorld.start...HonestWorld.end).contains(claim.presentedAt))
            }
        }
    }

    @Test func `has only valid tokens and notifications`() throws {
        let world = try HonestWorld(persons: 0..<300, seed: 4)
        let trust = try TrustAnchors(files: [(name: "root.cer", bytes: world.root)])
        let checker = try Checker(trust: trust, expectations: Expectations(asOf: HonestWorld.end))
        var notifications = 0
        for number in 0..<6 {
            let lives = world.lives(ofCircle: number)
            for made in lives.claims.prefix(20) {
                let token = try #require(lives.receipts[made.receipt].token)
                var claim = Claim(source: "claims.ndjson:1")
                claim.deviceVerificationID = ExactText(made.deviceVerificationID)
                let facts = checker.facts(
                    of: claim, receipt: try world.tokenAuthority.token(octets: token.octets).encoded.span)
                #expect(facts.verdict == .valid, "\(facts.failed.sorted)")
            }
            for notice in lives.notices.prefix(5) {
                let token = try world.tokenAuthority.token(notice.notification(by: world.tokenAuthority))
                let facts = checker.facts(of: Claim(source: "evidence.ndjson:1"), receipt: token.encoded.span)
                #expect(facts.verdict == .valid)
                #expect(checker.tokens(inside: facts).allSatisfy { $0.verdict == .valid })
                notifications += 1
            }
        }
        #expect(notifications > 10)
    }

    @Test func `of a company gives the same number of seats and price to all, and its own transaction to each`() {
        var assigned = 0
        for circle in circles() where circle.story == .company {
            var owners: [String: String] = [:]
            for content in circle.transactions where content.ownership == "ASSIGNED" {
                #expect(content.seats?.quantity == content.quantity && content.accountToken == nil)
                #expect(
                    owners[content.transactionID, default: content.appTransactionID ?? ""] == content.appTransactionID)
                owners[content.transactionID] = content.appTransactionID
                assigned += 1
            }
        }
        #expect(assigned > 100)
    }

    @Test func `names the chain before in all chains but the first, when somebody moves`() {
        for circle in circles() where circle.story == .bundles {
            let originals = Set(circle.transactions.map(\.originalTransactionID))
            let named = Set(circle.transactions.compactMap(\.previousOriginalTransactionID))
            #expect(originals.count == 4 && named.count == 3 && named.isSubset(of: originals))
        }
    }
}

extension HonestCircle {
    /// What its claims present.
    fileprivate var transactions: [TransactionContent] {
        receipts.compactMap { if case .transaction(let content)? = $0.token { content } else { nil } }
    }
}
