import Checks
import Encodings
import Receipts
import Testing

@testable import Rules

private typealias Case = FramingCase

/// What a stranger can do with copies of a victim's StoreKit 2 tokens, but without the victim's account.
struct `A stranger with copies of tokens cannot accuse a victim` {
    /// What the victim has bought, each in a token of its own: two trials of one product in one original transaction with
    /// a paid period between, refunds, and purchases in two countries.
    private static let purchases: [Purchase] = {
        var periods = [
            Case.bought(1, product: "club", day: -90, expires: -60, isTrial: true),
            Case.bought(2, product: "club", day: -60, expires: -30),
            Case.bought(3, product: "club", day: -30, expires: 30, isTrial: true),
        ]
        for index in periods.indices { periods[index].originalTransactionID = "460001" }
        return periods + (4..<8).map { Case.bought($0, day: -40 + $0, refunded: -20 + $0, storefront: "C\($0)") }
    }()

    /// The victim's tokens, presented by the victim on device 1, with a nonce each.
    private static func victim(_ account: ExactText, _ shown: Range<Int>) -> Case {
        var one = Case()
        for number in shown {
            one.add(
                .victim, device: 1, account: account, receipt: number, hash: .match, day: number,
                token: Case.Token(nonce: number, person: "704"), purchases: [purchases[number]])
        }
        return one
    }

    private static func account(_ kind: Int, _ number: Int) -> ExactText {
        kind == 0 ? "" : kind == 1 ? "mallory" : "mallory-\(number)"
    }

    @Test(arguments: ["", "ann"] as [ExactText], [0, 1, 2])
    func `by presenting them on many devices`(account: ExactText, strangers: Int) throws {
        // Of what the victim shows nothing is raised: the rest is only in the copies.
        for shown in 0..<Self.purchases.count {
            var one = Self.victim(account, shown..<shown + 1)
            for number in 0..<21 {
                let proof = number % Self.purchases.count
                one.add(
                    .stranger, device: 100 + number, account: Self.account(strangers, number), receipt: 50 + number,
                    day: 20 + number, token: Case.Token(nonce: proof, person: "704"),
                    purchases: [Self.purchases[proof]])
            }
            let outcome = try one.outcome()
            one.expectFairness(outcome)
            #expect(outcome.severity("token-replay") == .critical || strangers == 1)
            #expect(outcome.severity("trial-abuse") == .high)
        }
    }

    @Test(arguments: ["", "ann"] as [ExactText], [0, 1, 2])
    func `by presenting another payload with the nonce`(account: ExactText, strangers: Int) throws {
        var one = Self.victim(account, 4..<5)
        for number in 0..<9 {
            one.add(
                .stranger, device: 100 + number, account: Self.account(strangers, number), receipt: 50,
                day: 10 + number,
                token: Case.Token(nonce: 4, person: "704"), purchases: [Self.purchases[4]])
        }
        let outcome = try one.outcome()
        one.expectFairness(outcome)
        #expect(outcome.severity("token-replay") == .critical)
        #expect(outcome.marks[0]?["token-replay"] == .info)
        #expect(outcome.mark("token-replay") == .critical)
    }

    @Test func `by presenting the victim's payload, which is a shared receipt and nothing more`() throws {
        var one = Self.victim("ann", 4..<5)
        for number in 0..<9 {
            one.add(
                .stranger, device: 100 + number, account: "mallory-\(number)", receipt: 4, day: 10 + number,
                token: Case.Token(nonce: 4, person: "704"), purchases: [Self.purchases[4]])
        }
        let outcome = try one.outcome()
        one.expectFairness(outcome)
        #expect(outcome.severity("shared-receipt") == .critical)
        #expect(outcome.severity("token-replay") == nil)
    }
}

/// What happens to people who do nothing wrong raises nothing critical or high (Fairness 2), with tokens.
struct `Nobody with tokens is accused` {
    private static func expectNothingSevere(
        _ one: Case, noFindings: Bool = false, _ location: SourceLocation = #_sourceLocation
    ) throws {
        for finding in try one.outcome().findings {
            #expect(
                finding.severity < .high && !noFindings, "\(finding.ruleID): \(finding.evidence)",
                sourceLocation: location)
        }
    }

    @Test(arguments: ["", "ann"] as [ExactText])
    func `of having a phone and a tablet, on which the same transaction has different nonces`(account: ExactText) throws
    {
        var one = Case()
        for day in 0..<10 {
            for device in 1...2 {
                one.add(
                    .victim, device: device, account: account, receipt: device, hash: .match, day: day,
                    token: Case.Token(nonce: device, person: "704"), purchases: [Case.bought(1)])
            }
        }
        try Self.expectNothingSevere(one, noFindings: true)
    }

    @Test(arguments: ["", "ann"] as [ExactText])
    func `of a new phone that sends the tokens that the old one has stored`(account: ExactText) throws {
        var one = Case()
        for day in [0, 10, 20] {
            one.add(
                .victim, device: 1, account: account, receipt: 1, hash: .match, day: day,
                token: Case.Token(nonce: 1, person: "704"), purchases: [Case.bought(1)])
        }
        for day in [30, 40] {
            one.add(
                .victim, device: 2, account: account, receipt: 2, day: day,
                token: Case.Token(nonce: 1, person: "704"), purchases: [Case.bought(1)])
        }
        #expect(try one.outcome().severity("token-replay") == .medium)
        try Self.expectNothingSevere(one)
    }

    @Test(arguments: [false, true])
    func `of sharing a purchase in a family of four`(withAccounts: Bool) throws {
        var one = Case()
        for member in 0..<4 {
            var purchase = Case.bought(10 + member, expires: 60, isTrial: true, isShared: member > 0)
            purchase.originalTransactionID = "46000\(10 + member)"
            for day in [member, 40 + member] {
                one.add(
                    .victim, device: member, account: withAccounts ? "member-\(member)" : "", receipt: member,
                    hash: .match, day: day, token: Case.Token(nonce: member, person: "70\(member)"),
                    purchases: [purchase])
            }
        }
        try Self.expectNothingSevere(one, noFindings: true)
    }

    @Test func `of moving to another country`() throws {
        var one = Case()
        for (number, storefront) in (["DEU", "DEU", "FRA", "FRA"] as [ExactText]).enumerated() {
            one.add(
                .victim, device: 1, account: "ann", receipt: number, hash: .match, day: 10 * number,
                token: Case.Token(nonce: number, person: "704"),
                purchases: [Case.bought(number, day: 10 * number, storefront: storefront)])
        }
        #expect(try one.outcome().severity("storefront-hop") == .low)
        try Self.expectNothingSevere(one)
    }

    @Test func `of having two accounts of the app`() throws {
        var one = Case()
        for (number, account) in (["ann", "ann-2"] as [ExactText]).enumerated() {
            one.add(
                .victim, device: 1, account: account, receipt: 1, hash: .match, day: number,
                token: Case.Token(nonce: 1, person: "704"), purchases: [Case.bought(1)])
        }
        #expect(try one.outcome().severity("shared-person") == nil)
        try Self.expectNothingSevere(one)
    }

    @Test func `of a refund that was reversed, after which the token shows none`() throws {
        var one = Case()
        for (number, refunded) in [nil, 15, nil].enumerated() {
            one.add(
                .victim, device: 1, account: "ann", receipt: number, hash: .match, day: 10 + 10 * number,
                created: 9 + 10 * number, token: Case.Token(nonce: number, person: "704"),
                purchases: [Case.bought(1, refunded: refunded)])
        }
        try Self.expectNothingSevere(one, noFindings: true)
    }
}
