import Checks
import Encodings
import Inputs
import Receipts
import Rules
import Testing

@testable import Engine

/// What a ring puts at stake.
struct `The money of a ring` {
    private static func device(_ number: UInt8) -> [Device] {
        Device(octets: ([1, 2, 3, 4, 5, number] as [UInt8]).span).map { [$0] } ?? []
    }

    /// A finding about a transaction, by an account that is in all of them.
    private static func finding(
        _ transaction: ExactText, devices: ClosedRange<UInt8>, price: SignedPrice?, unmatched: [ExactText] = []
    ) throws -> Finding {
        var links = RingLinks(subject: "transaction:\(transaction)")
        links.devices = DistinctSketch(devices.flatMap { device($0) }, isExact: true)
        links.accounts = DistinctSketch(["ann", "bob"], isExact: true)
        links.matchingDevices = DistinctSketch(device(devices.lowerBound), isExact: true)
        links.mismatchedAccounts = DistinctSketch(unmatched, isExact: true)
        var involved = Participants()
        involved.links = links
        let rule = try #require(RuleBook.ids.firstIndex(of: "shared-account"))
        var finding = Finding(
            severity: .high, rule: rule, subject: links.subject, involved: involved, evidence: "shared")
        let item = Stake.Item(bundleID: "com.example.notes", productID: "gold", price: price)
        // A finding may be about several transactions: renewals.
        finding.stake = Stake(
            [(transaction: .init(transaction), item: item), (transaction: .init("9"), item: item)], isComplete: true)
        return finding
    }

    /// The row of the ring that findings make.
    private static func ring(_ findings: [Finding], cleared: [Int] = []) throws -> FindingRow {
        let found = try rings(findings, cleared: cleared)
        #expect(found.count <= 1)
        return try #require(found.first).row(RuleSet(Policy()))
    }

    private static func rings(_ findings: [Finding], cleared: [Int] = []) throws -> [MergedFinding] {
        let identities = try IdentityHasher()
        let rules = RuleSet(Policy())
        var rings = Rings(rules)
        for finding in findings { rings.add(MergedFinding(finding, identities)) }
        var found: [MergedFinding] = []
        let ids = cleared.map { MergedFinding(findings[$0], identities).id }
        _ = rings.find(identities, cleared: Set(ids), onRing: { found.append($0) }, onAllowed: { _ in })
        return found
    }

    private static let price = SignedPrice(
        millionths: 4_990_000, currency: "USD", signedAt: Instant(milliseconds: 0))

    @Test func `is the price of the transactions of all its findings, each once`() throws {
        let ring = try Self.ring([
            Self.finding("1", devices: 1...3, price: Self.price), Self.finding("1", devices: 1...3, price: Self.price),
            Self.finding("2", devices: 3...6, price: Self.price),
        ])
        #expect(ring.subject == "transaction:1")
        #expect(ring.atStake == AmountAtStake(millionths: 14_970_000, currency: "USD") && ring.unpriced == 0)
    }

    @Test func `is without findings that a review cleared, which join no ring`() throws {
        let findings = [
            try Self.finding("1", devices: 1...3, price: Self.price),
            try Self.finding("2", devices: 3...6, price: Self.price),
            try Self.finding("3", devices: 5...8, price: Self.price),
        ]
        #expect(try Self.ring(findings).atStake?.millionths == 19_960_000)
        #expect(try Self.ring(findings, cleared: [2]).atStake?.millionths == 14_970_000)
        #expect(try Self.rings(findings, cleared: [0, 1]).isEmpty)
    }

    @Test func `is searched in a number of findings, and the others are counted`() throws {
        var tally = FindingTally()
        for number in 1...5 { tally.count(try Self.finding("\(number)", devices: 1...2, price: nil)) }
        let on = RuleSet(Policy())
        #expect(tally.unsearchedForRings(on, limit: 3) == 2)
        #expect(tally.unsearchedForRings(on, limit: 5) == 0)
        var off = Policy()
        off.rules["fraud-ring", default: Policy.RuleSettings()].isOff = true
        #expect(tally.unsearchedForRings(RuleSet(off), limit: 3) == 0)
    }

    @Test func `counts transactions without a price`() throws {
        let ring = try Self.ring([
            Self.finding("1", devices: 1...3, price: nil), Self.finding("2", devices: 3...6, price: Self.price),
        ])
        #expect(ring.atStake == AmountAtStake(millionths: 9_980_000, currency: "USD") && ring.unpriced == 1)
    }

    @Test func `is the same if it is named after an account`() throws {
        let ring = try Self.ring([
            Self.finding("1", devices: 1...3, price: Self.price, unmatched: ["bob"]),
            Self.finding("2", devices: 3...6, price: Self.price, unmatched: ["bob"]),
        ])
        #expect(ring.subject == "account:bob")
        #expect(ring.atStake == AmountAtStake(millionths: 14_970_000, currency: "USD") && ring.unpriced == 0)
    }
}

/// The claims of a ring, by their marks in its findings.
struct `A claim of a ring` {
    private static let ring = FindingNotices.Ring(finding: FindingID(high: 9, low: 9), severity: .critical)

    /// The claim's marks, of parts of one finding with these severities.
    private static func marks(_ parts: [(part: Severity, mark: Severity)]) -> [Mark] {
        var notices = FindingNotices()
        var claim = MarkedClaim(claim: 1)
        let id = FindingID(high: 1, low: 1)
        notices.insert(id, partOf: ring)
        for (severity, mark) in parts {
            let finding = Finding(
                severity: severity, rule: 0, subject: "transaction:1", involved: Participants(), evidence: "")
            claim.add(Mark(MergedFinding(finding, id: id), mark), notices)
        }
        return claim.marks.filter { $0.finding == ring.finding }
    }

    @Test func `is marked critical if it is marked high there`() {
        #expect(Self.marks([(.critical, .high)]).map(\.severity) == [.critical])
        #expect(Self.marks([(.high, .medium)]).map(\.severity) == [.medium])
    }

    @Test func `is none of a part of a finding that is medium by itself`() {
        #expect(Self.marks([(.medium, .medium)]).isEmpty)
        #expect(Self.marks([(.medium, .medium), (.critical, .low)]).map(\.severity) == [.low])
    }
}
