import Checks
import Encodings
import Receipts
import Testing

@testable import Rules

private typealias Case = FramingCase

/// What a stranger can do with a victim's receipts and device id, but without the victim's account.
struct `A stranger cannot accuse a victim` {
    /// What the victim has: a consumable, a subscription with a trial, a refund.
    private static let purchases = [
        Case.purchase(1, product: "coins", kind: .consumable), Case.purchase(2),
        Case.purchase(3, product: "club", kind: .autoRenewable, expires: 30, isTrial: true),
    ]

    /// A victim with an account or without, on device 1, with receipts 1 and 2.
    private static func victim(_ account: ExactText) -> Case {
        var one = Case()
        one.add(.victim, device: 1, account: account, receipt: 1, hash: .match, day: 0, purchases: purchases)
        one.add(.victim, device: 1, account: account, receipt: 1, hash: .match, day: 40, purchases: purchases)
        one.add(
            .victim, device: 1, account: account, receipt: 2, hash: .match, day: 50, created: 45,
            purchases: purchases + [Case.purchase(4, refunded: 44)])
        return one
    }

    /// Who the strangers say they are.
    ///
    /// - Parameter kind: 0 if they name no account, 1 if all name one, 2 if each has another.
    private static func account(_ kind: Int, _ number: Int) -> ExactText {
        kind == 0 ? "" : kind == 1 ? "mallory" : "mallory-\(number)"
    }

    @Test(arguments: ["", "ann"] as [ExactText], [0, 1, 2])
    func `by presenting copies of the receipt on many devices`(account: ExactText, strangers: Int) throws {
        var one = Self.victim(account)
        for number in 0..<15 {
            one.add(
                .stranger, device: 100 + number, account: Self.account(strangers, number), receipt: 1, day: 10 + number,
                asking: "coins", purchases: Self.purchases)
        }
        let outcome = try one.outcome()
        one.expectFairness(outcome)
        #expect(outcome.severity("shared-receipt") == .critical)
        #expect(outcome.mark("shared-receipt") == .critical)
        #expect(outcome.severity("shared-transaction") == .high)
        #expect(outcome.severity("replayed-consumable") ?? .info >= .medium)
    }

    @Test(arguments: ["", "ann"] as [ExactText], [0, 1, 2])
    func `by presenting copies under the victim's own device id, which match`(
        account: ExactText, strangers: Int
    ) throws {
        var one = Self.victim(account)
        for number in 0..<15 {
            one.add(
                .stranger, device: 1, account: Self.account(strangers, number), receipt: 1, hash: .match,
                day: 10 + number, asking: "coins", purchases: Self.purchases)
        }
        // Without any account, nothing tells copies under the victim's device id from the victim's own claims.
        if account.isEmpty, strangers == 0 {
            let accused = try one.outcome().findings.filter { $0.severity >= .high }
            #expect(accused.isEmpty)
        } else {
            try Self.expectFairnessOfShared(one)
        }
    }

    /// What is about the victim's device itself is medium at most, and may mark its claims so.
    private static func expectFairnessOfShared(_ one: Case) throws {
        var outcome = try one.outcome()
        for finding in outcome.findings where finding.subject.hasPrefix("device:") {
            #expect(finding.severity <= .medium)
            for claim in outcome.marks.keys { outcome.marks[claim]?[finding.ruleID] = nil }
        }
        one.expectFairness(outcome)
    }

    @Test(arguments: ["", "ann"] as [ExactText], [0, 1, 2])
    func `by presenting receipts of their own under the victim's device id`(
        account: ExactText, strangers: Int
    ) throws {
        var one = Self.victim(account)
        for number in 0..<30 {
            one.add(
                .stranger, device: 1, account: Self.account(strangers, number), receipt: 100 + number,
                isGenuine: number % 3 != 0, day: 10 + number, created: -100 - number,
                purchases: [
                    Case.purchase(500 + number, refunded: number),
                    Case.purchase(600 + number, product: "club", kind: .autoRenewable, expires: 30, isTrial: true),
                    Case.purchase(700 + number, product: "coins", kind: .consumable),
                ])
        }
        one.expectFairness(try one.outcome())
    }

    @Test(arguments: ["", "ann"] as [ExactText], [DeviceHashResult.mismatch, .notChecked])
    func `by presenting unsigned copies, or copies whose device cannot be checked`(
        account: ExactText, hash: DeviceHashResult
    ) throws {
        var one = Self.victim(account)
        for number in 0..<15 {
            one.add(
                .stranger, device: hash == .notChecked ? nil : 1 + number % 5, account: "mallory-\(number)", receipt: 1,
                isGenuine: hash == .notChecked, day: 10 + number, purchases: Self.purchases)
        }
        let outcome = try one.outcome()
        one.expectFairness(outcome)
        guard hash == .notChecked else { return }
        for (number, marks) in outcome.marks where !one.victims.contains(number) {
            #expect(marks.values.allSatisfy { $0 <= .medium })
        }
    }

    @Test(arguments: ["", "ann"] as [ExactText])
    func `by presenting malformed ids, or none`(account: ExactText) throws {
        var one = Self.victim(account)
        for number in 0..<15 {
            one.add(
                .stranger, device: nil, receipt: 1, day: 10, malformed: "id \(number)", purchases: Self.purchases)
        }
        let outcome = try one.outcome()
        one.expectFairness(outcome)
        #expect(outcome.severity("unattributed-replay") == .high)
        #expect(outcome.mark("unattributed-replay") == .medium)
    }

    @Test(arguments: ["", "ann"] as [ExactText])
    func `by presenting a snapshot from before the victim's refund`(account: ExactText) throws {
        var one = Case()
        let whole = [Case.purchase(1)]
        one.add(.victim, device: 1, account: account, receipt: 1, hash: .match, day: 0, purchases: whole)
        one.add(
            .victim, device: 1, account: account, receipt: 2, hash: .match, day: 30, created: 25,
            purchases: [Case.purchase(1, refunded: 20)])
        for (number, device) in [1, 100, 1].enumerated() {
            one.add(
                .stranger, device: device, account: "mallory", receipt: 1, hash: device == 1 ? .match : .mismatch,
                day: 40 + number, purchases: whole)
        }
        let outcome = try one.outcome()
        try Self.expectFairnessOfShared(one)
        #expect(outcome.severity("hidden-refund") == .high)
    }

    @Test func `by presenting all that hides a refund under the id of the victim's device`() throws {
        var one = Case()
        one.add(
            .victim, device: 1, account: "ann", receipt: 1, hash: .match, day: 0, purchases: [Case.purchase(1)])
        one.add(
            .stranger, device: 1, account: "mallory", receipt: 2, hash: .match, day: 30, created: 25,
            purchases: [Case.purchase(1, refunded: 20)])
        one.add(
            .stranger, device: 1, account: "mallory", receipt: 1, hash: .match, day: 40, purchases: [Case.purchase(1)])
        let outcome = try one.outcome()
        one.expectMildness(outcome)
        #expect(outcome.severity("hidden-refund") == .high)
    }

    @Test(arguments: ["", "ann"] as [ExactText], ["", "bob"] as [ExactText])
    func `by presenting the receipts of two victims`(first: ExactText, second: ExactText) throws {
        var one = Case()
        for (number, account) in [first, second].enumerated() {
            let purchases = [Case.purchase(number, product: "coins", kind: .consumable)]
            one.add(
                .victim, device: number, account: account, receipt: number, hash: .match, day: 0, purchases: purchases)
            for stranger in 0..<8 {
                one.add(
                    .stranger, device: 100 + stranger + number, account: "mallory-\(stranger)", receipt: number,
                    day: 5 + stranger, asking: "coins", purchases: purchases)
            }
        }
        let outcome = try one.outcome()
        one.expectFairness(outcome)
        let ring = try #require(outcome.findings.first { $0.ruleID == "fraud-ring" })
        // The earliest of them may be the owner under another account, on a new phone.
        #expect(ring.subject == "account:mallory-1")
        #expect(outcome.mark("fraud-ring") == .critical)
    }

    @Test func `by adding copies to a finding that the victim has`() throws {
        // The victim's own hand-over is medium; what others add raises the finding, but not the victim's marks.
        var one = Case()
        one.add(.victim, device: 1, account: "ann", receipt: 1, hash: .match, day: 0)
        one.add(.victim, device: 2, account: "ann", receipt: 1, day: 20)
        #expect(try one.outcome().severity("shared-receipt") == .medium)
        for number in 0..<9 { one.add(.stranger, device: 100 + number, receipt: 1, day: 30) }
        let outcome = try one.outcome()
        one.expectFairness(outcome)
        #expect(outcome.severity("shared-receipt") == .critical)
        #expect(outcome.marks[1]?["shared-receipt"] == .medium)
        #expect(outcome.marks[2]?["shared-receipt"] == .critical)
    }

    @Test func `by presenting copies at another time than that of the victim's many phones`() throws {
        // Six phones in a week are a finding of the victim's own. A claim months later is not part of it.
        var one = Case()
        for device in 1...6 {
            one.add(
                .victim, device: device, account: "ann", receipt: device, hash: .match, day: device,
                purchases: [Case.purchase(1)])
        }
        one.add(
            .victim, device: 1, account: "ann", receipt: 1, hash: .match, day: 300, purchases: [Case.purchase(1)])
        let own = try one.ofVictims.outcome()
        #expect(own.severity("shared-transaction") == .medium && own.marks[6]?["shared-transaction"] == nil)
        for number in 0..<11 {
            one.add(
                .stranger, device: 100 + number, account: "mallory-\(number)", receipt: 1, day: 301,
                purchases: [Case.purchase(1)])
        }
        let outcome = try one.outcome()
        one.expectFairness(outcome, besides: own)
        #expect(outcome.severity("shared-transaction") == .high)
        #expect(outcome.marks[6]?["shared-transaction"] == .info)
    }

    @Test func `by presenting coins for which the victim asks day after day`() throws {
        let coins = [Case.purchase(1, product: "coins", kind: .consumable)]
        var one = Case()
        for day in 0..<3 {
            one.add(
                .victim, device: 1, account: "ann", receipt: 1, hash: .match, day: day, asking: "coins",
                purchases: coins)
        }
        one.add(.victim, device: 1, account: "ann", receipt: 1, hash: .match, day: 3, purchases: coins)
        let own = try one.ofVictims.outcome()
        #expect(own.severity("replayed-consumable") == .medium && own.marks[3]?["replayed-consumable"] == nil)
        for number in 0..<4 {
            one.add(
                .stranger, device: 100 + number, account: "mallory-\(number)", receipt: 1, day: 4, asking: "coins",
                purchases: coins)
        }
        let outcome = try one.outcome()
        one.expectFairness(outcome, besides: own)
        #expect(outcome.severity("replayed-consumable") == .critical)
        #expect(outcome.marks[0]?["replayed-consumable"] == .medium)
        #expect(outcome.marks[3]?["replayed-consumable"] == .info)
    }

    @Test func `by making a ring with a victim who has a finding of her own`() throws {
        let coins = [Case.purchase(1, product: "coins", kind: .consumable)]
        var one = Case()
        one.add(.victim, device: 1, account: "ann", receipt: 1, hash: .match, day: 0, purchases: coins)
        one.add(.victim, device: 2, account: "ann", receipt: 2, hash: .match, day: 1, purchases: coins)
        let own = try one.ofVictims.outcome()
        #expect(own.mark("replayed-consumable") == .medium)
        for number in 0..<3 {
            one.add(
                .stranger, device: 100 + number, account: "mallory-\(number)", receipt: 1, day: 5, asking: "coins",
                purchases: coins)
        }
        let outcome = try one.outcome()
        one.expectMildness(outcome)
        #expect(outcome.mark("fraud-ring") == .critical)
        // Her claims have the highest mark that her own finding gives them.
        #expect(outcome.marks[0]?["fraud-ring"] == .medium && outcome.marks[1]?["fraud-ring"] == .medium)
    }

    @Test func `by presenting sandbox receipts before the victim's of production`() throws {
        var one = Case()
        one.add(
            .stranger, device: 100, account: "mallory", receipt: 1, hash: .match, day: 0, environment: "Sandbox",
            purchases: [Case.purchase(1)])
        one.add(
            .victim, device: 1, account: "ann", receipt: 2, hash: .match, day: 1, purchases: [Case.purchase(1)])
        one.add(
            .stranger, device: 100, account: "mallory", receipt: 3, hash: .match, day: 2,
            purchases: [Case.purchase(1, product: "silver")])
        let outcome = try one.outcome()
        #expect(outcome.severity("transaction-conflict") == .critical)
        // Both match on devices of their own: nothing says which of the two receipts is the forger's.
        #expect(outcome.marks[1]?["transaction-conflict"] == .info)
        #expect(outcome.marks[2]?["transaction-conflict"] == .info)
        #expect(outcome.marks[0]?["transaction-conflict"] == nil)
    }
}

/// Pirates who try to look like somebody else are still found.
struct `Pirates cannot hide` {
    @Test func `behind the owner's device id`() throws {
        var one = Case()
        let purchases = [Case.purchase(1), Case.purchase(2, product: "coins", kind: .consumable)]
        one.add(.victim, device: 1, account: "ann", receipt: 1, hash: .match, day: 0, purchases: purchases)
        for number in 0..<9 {
            one.add(
                .stranger, device: 1, account: "pirate-\(number)", receipt: 1, hash: .match, day: number + 1,
                asking: "coins", purchases: purchases)
        }
        let outcome = try one.outcome()
        #expect(outcome.severity("shared-account") == .high)
        #expect(outcome.mark("shared-account") == .medium)
        #expect(outcome.severity("replayed-consumable") == .critical)
        #expect(outcome.severity("crowded-device") == .medium)
        #expect(outcome.marks[0]?["shared-account"] == .info)
    }

    @Test func `by renting one Apple Account, whose receipts match`() throws {
        var one = Case()
        for number in 0..<12 {
            one.add(
                .stranger, device: number, account: "pirate-\(number)", receipt: number, hash: .match, day: number,
                purchases: [Case.purchase(1)])
        }
        let outcome = try one.outcome()
        #expect(outcome.severity("shared-account") == .high)
        #expect(outcome.severity("shared-transaction") == .high)
        #expect(outcome.severity("lent-app") == .low)
        // Each has a receipt of their own device: the finding is severe, and nobody's own claims are.
        #expect(outcome.marks.values.allSatisfy { $0["shared-account"] == .info })
    }

    @Test func `by naming no account`() throws {
        var one = Case()
        for number in 0..<9 { one.add(.stranger, device: number, receipt: 1, day: number) }
        let outcome = try one.outcome()
        let finding = try #require(outcome.findings.first { $0.ruleID == "shared-receipt" })
        #expect(finding.severity == .critical && finding.confidence == .possible)
        #expect(outcome.marks.values.count { $0["shared-receipt"] == .critical } == 8)
    }

    @Test func `by leaving out what tells them apart`() throws {
        var one = Case()
        for number in 0..<5 { one.add(.stranger, device: nil, receipt: 1, day: number) }
        #expect(try one.outcome().severity("unattributed-replay") == .low)
    }
}
