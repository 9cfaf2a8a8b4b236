import Checks
import Encodings
import Receipts
import Testing

@testable import Rules

private typealias Case = FramingCase

/// What happens to people who do nothing wrong raises nothing critical or high (Fairness 2).
struct `Nobody is accused` {
    private static let gold = [Case.purchase(1)]

    private static func expectNothingSevere(_ one: Case, _ location: SourceLocation = #_sourceLocation) throws {
        for finding in try one.outcome().findings {
            #expect(finding.severity < .high, "\(finding.ruleID): \(finding.evidence)", sourceLocation: location)
        }
    }

    @Test(arguments: ["", "ann"] as [ExactText], [10, 90])
    func `of sending the old receipt from a new phone for a while`(account: ExactText, days: Int) throws {
        var one = Case()
        for day in stride(from: 0, through: 100, by: 10) {
            one.add(.victim, device: 1, account: account, receipt: 1, hash: .match, day: day, purchases: Self.gold)
        }
        for day in stride(from: 60, through: 60 + days, by: 10) {
            one.add(.victim, device: 2, account: account, receipt: 1, day: day, purchases: Self.gold)
        }
        one.add(.victim, device: 2, account: account, receipt: 2, hash: .match, day: 200, purchases: Self.gold)
        try Self.expectNothingSevere(one)
    }

    @Test(arguments: ["", "ann"] as [ExactText])
    func `of reinstalling the app, after which the device has another id`(account: ExactText) throws {
        var one = Case()
        for number in 0..<6 {
            let day = number * 150
            one.add(
                .victim, device: number, account: account, receipt: number, hash: .match, day: day, created: day,
                purchases: Self.gold)
        }
        try Self.expectNothingSevere(one)
    }

    @Test(arguments: [2, 4])
    func `of sharing an Apple Account in a family`(members: Int) throws {
        var one = Case()
        for number in 0..<members {
            for day in [number, 40 + number] {
                one.add(
                    .victim, device: number, account: "member-\(number)", receipt: number, hash: .match, day: day,
                    purchases: Self.gold + [Case.purchase(2, product: "club", expires: 60, isTrial: true)])
            }
        }
        try Self.expectNothingSevere(one)
    }

    @Test(arguments: ["", "ann"] as [ExactText])
    func `of logging in later, opening another account, and having a new phone`(first: ExactText) throws {
        var one = Case()
        one.add(.victim, device: 1, account: first, receipt: 1, hash: .match, day: 0, purchases: Self.gold)
        one.add(.victim, device: 1, account: "ann-2", receipt: 1, hash: .match, day: 20, purchases: Self.gold)
        one.add(.victim, device: 2, account: "ann-2", receipt: 1, day: 200, purchases: Self.gold)
        try Self.expectNothingSevere(one)
    }

    @Test(arguments: ["", "ann"] as [ExactText])
    func `of a Mac with two network interfaces`(account: ExactText) throws {
        var one = Case()
        for day in 0..<20 {
            one.add(
                .victim, device: day % 2, account: account, receipt: 1, hash: day % 2 == 0 ? .match : .mismatch,
                day: day, purchases: Self.gold)
        }
        try Self.expectNothingSevere(one)
    }

    @Test func `of a refund by mistake that was reversed`() throws {
        var one = Case()
        one.add(.victim, device: 1, account: "ann", receipt: 1, hash: .match, day: 0, purchases: Self.gold)
        one.add(
            .victim, device: 1, account: "ann", receipt: 2, hash: .match, day: 30, created: 29,
            purchases: [Case.purchase(1, refunded: 20)])
        one.add(
            .victim, device: 1, account: "ann", receipt: 3, hash: .match, day: 60, created: 55, purchases: Self.gold)
        let outcome = try one.outcome()
        #expect(outcome.severity("hidden-refund") == nil)
        try Self.expectNothingSevere(one)
    }

    @Test func `of an upgrade, seen from an old and a new snapshot`() throws {
        var one = Case()
        var silver = Case.purchase(1, product: "silver", kind: .autoRenewable, expires: 30)
        let before = [silver]
        silver.cancellationDate = Case.date(10)
        var upgrade = Case.purchase(2, product: "gold", kind: .autoRenewable, day: 10, expires: 40)
        upgrade.originalTransactionID = silver.transactionID
        one.add(
            .victim, device: 1, account: "ann", receipt: 1, hash: .match, day: 20, created: 10,
            purchases: [silver, upgrade])
        one.add(.victim, device: 2, account: "ann", receipt: 2, hash: .match, day: 25, created: 5, purchases: before)
        let outcome = try one.outcome()
        #expect(outcome.severity("hidden-refund") == nil)
        try Self.expectNothingSevere(one)
    }

    @Test func `of presenting an unfinished consumable again`() throws {
        var one = Case()
        let coins = [Case.purchase(1, product: "coins", kind: .consumable)]
        for day in 0..<10 {
            one.add(
                .victim, device: 1, account: "ann", receipt: 1, hash: .match, day: day, asking: "coins",
                purchases: coins)
        }
        one.add(
            .victim, device: 2, account: "ann", receipt: 2, hash: .match, day: 11, asking: "coins", purchases: coins)
        let outcome = try one.outcome()
        #expect(outcome.severity("replayed-consumable") == .medium)
        try Self.expectNothingSevere(one)
    }
}
