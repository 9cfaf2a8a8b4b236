import Checks
import Encodings
import Inputs
import Receipts
import Testing

@testable import Rules

private typealias Case = FramingCase

/// Thieves who have a receipt and the id of its device, so that their claims match like the owner's.
struct `A thief whose copy matches` {
    private static let gold = [Case.purchase(1)]

    /// How the thieves' claims are dated, and whether it can be known that they came first.
    enum Dating: CaseIterable { case hoursBefore, sameDay, undated }

    /// Seven thieves in the morning, and the owner in the evening.
    ///
    /// - Parameter grinding: chooses the ids of claims.
    private static func morning(_ dating: Dating, account: ExactText, grinding: Int = 0) -> Case {
        var one = Case()
        for number in 0..<7 {
            one.add(
                .stranger, device: 1, account: "mallory-\(number)", receipt: 1, hash: .match,
                day: dating == .undated ? nil : 0, hour: dating == .sameDay ? 0 : 8, purchases: gold)
        }
        one.add(
            .victim, device: 1, account: account, receipt: 1, hash: .match, day: dating == .undated ? nil : 0,
            hour: dating == .sameDay ? 0 : 20, purchases: gold)
        for place in one.claims.indices {
            one.rename(place, ClaimID(high: stableMix(UInt64(place + 100 * grinding)), low: 0))
        }
        return one
    }

    @Test(arguments: Dating.allCases, ["", "ann"] as [ExactText])
    func `never puts a mark above medium on the owner`(dating: Dating, account: ExactText) throws {
        let one = Self.morning(dating, account: account)
        let outcome = try one.outcome()
        one.expectMildness(outcome)
        #expect(outcome.severity("shared-account") == .high)
    }

    @Test(arguments: Dating.allCases)
    func `gains nothing by choosing how a claim is named`(dating: Dating) throws {
        let marks = try (0..<8).map { grinding in
            let outcome = try Self.morning(dating, account: "ann", grinding: grinding).outcome()
            return outcome.marks.sorted { $0.key < $1.key }.map { $0.value["shared-account"] }
        }
        #expect(marks.allSatisfy { $0 == marks[0] })
        if dating != .hoursBefore { #expect(marks[0].allSatisfy { $0 == .medium }) }
    }

    @Test func `is first if nobody matched before, and then marked by what his own claims show`() throws {
        var one = Case()
        one.add(
            .stranger, device: 1, account: "mallory", receipt: 1, hash: .match, day: 0, hour: 8, purchases: Self.gold)
        one.add(.victim, device: 1, account: "ann", receipt: 1, hash: .match, day: 0, hour: 20, purchases: Self.gold)
        // Her new phone, after that.
        one.add(.victim, device: 2, account: "ann", receipt: 1, day: 40, purchases: Self.gold)
        for number in 0..<3 {
            one.add(
                .stranger, device: 100 + number, account: "mallory", receipt: 1, day: 5, hour: 1,
                purchases: Self.gold)
        }
        let outcome = try one.outcome()
        #expect(outcome.severity("shared-receipt") == .critical)
        // Her claim that matches is medium; nothing shields the other one, as a thief would have the same shield.
        #expect(outcome.marks[1]?["shared-receipt"] == .medium && outcome.marks[2]?["shared-receipt"] == .critical)
        // Four devices of one account are more than a hand-over.
        #expect(outcome.marks[3]?["shared-receipt"] == .critical)
        #expect(outcome.marks[0]?["shared-receipt"] == .info)
    }

    @Test func `does not change what is said of somebody else who matches on a device of their own`() throws {
        var one = Case()
        one.add(.victim, device: 1, account: "ann", receipt: 1, hash: .match, day: 0, hour: 8, purchases: Self.gold)
        one.add(.victim, device: 2, account: "ann-2", receipt: 2, hash: .match, day: 1, hour: 8, purchases: Self.gold)
        for number in 0..<7 {
            one.add(
                .stranger, device: 1, account: "mallory-\(number)", receipt: 1, hash: .match, day: 2, hour: 8,
                purchases: Self.gold)
        }
        let outcome = try one.outcome()
        one.expectMildness(outcome)
        #expect(outcome.marks[0]?["shared-account"] == .info)
        #expect(outcome.marks[1]?["shared-account"] == .info && outcome.marks[8]?["shared-account"] == .medium)
    }

    @Test func `names no ring after the owner, who reinstalled`() throws {
        var one = Case()
        for receipt in 1...2 {
            one.add(.victim, device: receipt, account: "ann", receipt: receipt, hash: .match, day: 0, hour: 8)
            one.add(.victim, device: 9, account: "ann", receipt: receipt, day: 5, hour: 8)
            one.add(.stranger, device: 100, account: "eve", receipt: receipt, day: 9, hour: 8)
        }
        let outcome = try one.outcome()
        let ring = try #require(outcome.findings.first { $0.ruleID == "fraud-ring" })
        #expect(ring.subject == "account:eve")
        one.expectMildness(outcome)
    }

    @Test(arguments: [0, 20])
    func `names nobody's ring where nothing matches, be the owner first or last`(day: Int) throws {
        var one = Case()
        for receipt in 1...2 {
            one.add(.victim, device: 9, account: "ann", receipt: receipt, day: day, hour: 8)
            one.add(.stranger, device: 100, account: "eve", receipt: receipt, day: 9, hour: 8)
            one.add(.stranger, device: 100 + receipt, account: "mallory", receipt: receipt, day: 9, hour: 8)
        }
        let outcome = try one.outcome()
        let ring = try #require(outcome.findings.first { $0.ruleID == "fraud-ring" })
        #expect(ring.subject.hasPrefix("receipt:") && ring.involved.onlyAccount == nil)
        #expect(ring.severity == .critical && ring.confidence == .possible)
        one.expectFairness(outcome)
        #expect(outcome.mark("fraud-ring") == .medium)
        #expect(outcome.marks[0]?["fraud-ring"] == (day == 0 ? .info : .medium))
    }

    @Test(arguments: ["eve", ""] as [ExactText])
    func `names no ring after who came first of all, though the thief matches later`(thief: ExactText) throws {
        var one = Case()
        for receipt in 1...2 {
            one.add(.victim, device: 9, account: "ann", receipt: receipt, day: 0, hour: 8)
            one.add(.stranger, device: receipt, account: thief, receipt: receipt, hash: .match, day: 9, hour: 8)
            one.add(.stranger, device: 100, account: "eve", receipt: receipt, day: 9, hour: 8)
        }
        let outcome = try one.outcome()
        one.expectMildness(outcome)
        #expect(outcome.severity("fraud-ring") == .critical)
    }

    /// What is kept of the presenters of a receipt is bounded.
    @Test(arguments: [20, 4096, 5000], [0, nil] as [Int?])
    func `cannot push out who came first by inventing thousands of devices`(strangers: Int, day: Int?) throws {
        var one = Case()
        one.add(.victim, device: 1, account: "zoe", receipt: 1, day: 0, hour: 8)
        one.add(.victim, device: 1, account: "zoe", receipt: 1, day: 60, hour: 8)
        for number in 0..<strangers {
            one.add(.stranger, device: 100 + number, receipt: 1, day: day.map { $0 + 9 }, hour: 8)
        }
        let outcome = try one.outcome()
        #expect(outcome.severity("shared-receipt") == .critical)
        #expect(outcome.marks[0]?["shared-receipt"] == .info && outcome.marks[1]?["shared-receipt"] == .info)
    }

    @Test func `cannot push out who came first on a day by inventing thousands of devices on it`() throws {
        var one = Case()
        one.add(.victim, device: 1, account: "zoe", receipt: 1, day: 0)
        one.add(.victim, device: 1, account: "zoe", receipt: 1, day: 60)
        for number in 0..<5000 { one.add(.stranger, device: 100 + number, receipt: 1, day: 0) }
        one.expectMildness(try one.outcome())
    }

    @Test func `names no ring after claims whose device nobody checked`() throws {
        var one = Case()
        for receipt in 1...2 {
            for number in 0..<7 {
                one.add(
                    .stranger, device: number + receipt, account: "user-\(number)", receipt: receipt,
                    hash: number == 6 ? .match : .notChecked, day: number, hour: 8,
                    purchases: [Case.purchase(receipt)])
            }
        }
        let ring = try #require(try one.outcome().findings.first { $0.ruleID == "fraud-ring" })
        #expect(ring.subject == "transaction:460001")
    }
}

struct `Who presented something first` {
    private static func presenter(_ account: ExactText) throws -> Presenter {
        var observation = Observation(claim: 0, source: "claims.csv:2")
        observation.accountID = account
        return try #require(Presenter(observation))
    }

    private static func first(_ claims: [(account: ExactText, date: String?)]) throws -> Presenter? {
        var (forward, backward) = (FirstPresentation(), FirstPresentation())
        for claim in claims {
            forward.add(try presenter(claim.account), claim.date.flatMap { Instant(example: $0) })
        }
        for claim in claims.reversed() {
            backward.add(try presenter(claim.account), claim.date.flatMap { Instant(example: $0) })
        }
        #expect(forward.presenter == backward.presenter)
        return forward.presenter
    }

    @Test func `is who has the earliest date`() throws {
        let first = try Self.first([
            ("bob", "2026-03-01T10:00:01Z"), ("ann", "2026-03-01T10:00:00Z"), ("cat", "2026-03-01T09:59:59Z"),
            ("cat", "2026-03-09"),
        ])
        #expect(first == (try Self.presenter("cat")))
    }

    @Test(
        arguments: [
            [("ann", "2026-03-01T10:00:00Z"), ("bob", "2026-03-01T10:00:00Z")],
            [("ann", "2026-03-01"), ("bob", "2026-03-01T10:00:00Z")],
            [("ann", "2026-03-01"), ("bob", "2026-03-01")],
            [("ann", "2026-03-01T10:00:00Z"), ("bob", "2026-03-02T10:00:00Z"), ("cat", nil)],
        ] as [[(ExactText, String?)]])
    func `is nobody where dates tie, or one is missing`(claims: [(account: ExactText, date: String?)]) throws {
        #expect(try Self.first(claims) == nil)
    }

    @Test func `is who has the whole day before`() throws {
        let first = try Self.first([("ann", "2026-03-01"), ("bob", "2026-03-02")])
        #expect(first == (try Self.presenter("ann")))
    }

    @Test func `does not tie with themselves`() throws {
        let first = try Self.first([
            ("ann", "2026-03-01"), ("ann", "2026-03-01T10:00:00Z"), ("bob", "2026-03-02T00:00:01Z"),
        ])
        #expect(first == (try Self.presenter("ann")))
    }
}
