import Checks
import Encodings
import Receipts
import Testing

@testable import Rules

private typealias Case = FramingCase

/// What a stranger can do with copies of a victim's proofs when Apple told the company's server of the victim's refunds.
struct `A stranger with copies of what was refunded cannot accuse a victim` {
    /// The evidence about each of the victim's purchases, apart from that of the purchase itself.
    enum Story: CaseIterable, Sendable { case refunded, reversed, sharingEnded, prorated }

    /// What the victim has bought: each a consumable or a period of one subscription.
    private static let purchases: [Purchase] = (0..<6).map { number in
        guard number >= 3 else {
            var pack = Case.bought(number, product: "pack-\(number)", day: -40 + number)
            pack.kind = .consumable
            return pack
        }
        var period = Case.bought(number, product: "club", day: -120 + 30 * number, expires: -90 + 30 * number)
        period.originalTransactionID = "460003"
        return period
    }

    /// The victim on device 1 with some of the purchases, before there was evidence about them.
    private static func victim(_ account: ExactText, _ shown: Range<Int>, _ story: Story, isToken: Bool) -> Case {
        var one = Case()
        for number in shown {
            one.add(
                .victim, device: 1, account: account, receipt: number, hash: .match, day: number,
                asking: purchases[number].productID,
                token: isToken ? Case.Token(nonce: number, person: "704") : nil, purchases: [purchases[number]])
        }
        for (number, purchase) in purchases.enumerated() { one.tell(story, of: purchase, on: 10 + number) }
        return one
    }

    private static func account(_ kind: Int, _ number: Int) -> ExactText {
        kind == 0 ? "" : kind == 1 ? "mallory" : "mallory-\(number)"
    }

    @Test(arguments: Story.allCases, [0, 1, 2])
    func `by presenting them on many devices, before and after the refunds`(story: Story, strangers: Int) throws {
        for account in ["", "ann"] as [ExactText] {
            for (isToken, shown) in [(true, 0..<1), (true, 0..<6), (false, 3..<4), (false, 0..<6)] {
                var one = Self.victim(account, shown, story, isToken: isToken)
                for number in 0..<36 {
                    let proof = number % Self.purchases.count
                    one.add(
                        .stranger, device: 100 + number, account: Self.account(strangers, number), receipt: 50 + proof,
                        day: 5 + number, asking: Self.purchases[proof].productID,
                        token: isToken ? Case.Token(nonce: proof, person: "704") : nil,
                        purchases: [Self.purchases[proof]])
                }
                one.expectFairness(try one.outcome(), besides: try one.ofVictims.outcome())
            }
        }
    }

    @Test(arguments: Story.allCases)
    func `by presenting them under the victim's device, or without any`(story: Story) throws {
        for account in ["", "ann"] as [ExactText] {
            var one = Self.victim(account, 0..<2, story, isToken: true)
            for number in 0..<24 {
                let proof = number % Self.purchases.count
                one.add(
                    .stranger, device: number % 2 == 0 ? 1 : nil, account: "mallory-\(number % 3)", receipt: proof,
                    hash: number % 2 == 0 ? .mismatch : .notChecked, day: 8 + number,
                    token: Case.Token(nonce: proof, person: "704"), purchases: [Self.purchases[proof]])
            }
            one.expectFairness(try one.outcome(), besides: try one.ofVictims.outcome())
        }
    }

    @Test func `but the stranger's own claims are found`() throws {
        var one = Self.victim("ann", 0..<1, .refunded, isToken: true)
        for number in 0..<3 {
            one.add(
                .stranger, device: 100, account: "mallory", receipt: 50 + number, day: 30 + number,
                asking: Self.purchases[number].productID, token: Case.Token(nonce: number, person: "704"),
                purchases: [Self.purchases[number]])
        }
        let outcome = try one.outcome()
        one.expectFairness(outcome, besides: try one.ofVictims.outcome())
        #expect(outcome.findings.contains { $0.ruleID == "repeat-refunds" && $0.subject == "account:mallory" })
        #expect(outcome.findings.contains { $0.ruleID == "hidden-refund" })
        #expect(outcome.marks[1]?["refunded-purchase"] == .medium)
    }
}

/// Evidence about people who do nothing wrong raises nothing critical or high (Fairness 2).
struct `Nobody is accused by evidence` {
    private typealias Story = `A stranger with copies of what was refunded cannot accuse a victim`.Story

    /// A purchase on an old phone, and on a new one with a copy from before there was evidence.
    private static func phones(_ account: ExactText, _ purchase: Purchase) -> Case {
        var one = Case()
        for day in [0, 10, 20] {
            one.add(
                .victim, device: 1, account: account, receipt: 1, hash: .match, day: day, asking: "gold",
                token: Case.Token(nonce: 1, person: "704"), purchases: [purchase])
        }
        for day in [30, 40] {
            one.add(
                .victim, device: 2, account: account, receipt: 1, day: day, asking: "gold",
                token: Case.Token(nonce: 1, person: "704"), purchases: [purchase])
        }
        return one
    }

    @Test(arguments: ["", "ann"] as [ExactText])
    func `of a refund by mistake, a reversed one, a part of one, or the end of sharing`(account: ExactText) throws {
        for story in Story.allCases {
            var one = Self.phones(account, Case.bought(1))
            one.tell(story, of: Case.bought(1), on: 15)
            for finding in try one.outcome().findings {
                #expect(finding.severity < .high, "\(story): \(finding.ruleID): \(finding.evidence)")
            }
        }
    }

    @Test func `of what was reversed or ended, no refund is left`() throws {
        for story in [Story.reversed, .sharingEnded] {
            var one = Case()
            for number in 0..<4 {
                one.add(
                    .victim, device: 1, account: "ann", receipt: number, hash: .match, day: 20 + number, asking: "gold",
                    token: Case.Token(nonce: number, person: "704"), purchases: [Case.bought(number)])
                one.tell(story, of: Case.bought(number), on: number)
            }
            let rules = Set(try one.outcome().findings.map(\.ruleID))
            #expect(
                rules.isDisjoint(with: ["refunded-purchase", "repeat-refunds", "hidden-refund"]), "\(story): \(rules)")
        }
    }
}

extension FramingCase {
    /// Tells what happened to a purchase on a day.
    fileprivate mutating func tell(
        _ story: `A stranger with copies of what was refunded cannot accuse a victim`.Story, of purchase: Purchase,
        on day: Int
    ) {
        tell(purchase, signed: -15)
        var taken = purchase
        taken.cancellationDate = Self.date(day)
        taken.details?.revocationType = "REFUND_FULL"
        switch story {
        case .refunded: tell(taken, signed: day)
        case .reversed:
            tell(taken, signed: day)
            tell(purchase, signed: day + 1)
        case .sharingEnded:
            taken.details?.revocationType = "FAMILY_REVOKE"
            tell(taken, signed: day)
        case .prorated:
            taken.details?.revocationType = "REFUND_PRORATED"
            taken.details?.revocationPercentage = 50000
            tell(taken, signed: day)
        }
    }
}
